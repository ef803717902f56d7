// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/bordered_solver.h>
#include <slender/statics/branch.h>
#include <slender/statics/model_group.h>
#include <slender/statics/stopping_rule.h>

#include <deal.II/base/parameter_handler.h>

#include <LOCA_Factory.H>
#include <LOCA_GlobalData.H>
#include <LOCA_MultiContinuation_AbstractStrategy.H>
#include <LOCA_MultiContinuation_ExtendedMultiVector.H>
#include <LOCA_MultiContinuation_ExtendedVector.H>
#include <LOCA_MultiPredictor_AbstractStrategy.H>
#include <LOCA_Parameter_SublistParser.H>
#include <NOX_Solver_Factory.H>
#include <NOX_Solver_Generic.H>

#include <cmath>

namespace slender
{
  void
  BranchOptions::declare(dealii::ParameterHandler &prm)
  {
    using namespace dealii::Patterns;
    prm.enter_subsection("Continuation");
    prm.add_parameter("First step",
                      first_step,
                      "First step along the branch [1: the whole range of the "
                      "parameter, or a root mean square change of the unknowns "
                      "by one, is a step of length one].",
                      Double(1e-12, 1e3));
    prm.add_parameter("Largest step",
                      largest_step,
                      "Largest step along the branch [1, as the first step].",
                      Double(1e-12, 1e3));
    prm.add_parameter("Smallest step",
                      smallest_step,
                      "A step that fails is halved until it is below this [1, "
                      "as the first step]; then the branch ends.",
                      Double(1e-15, 1.));
    prm.add_parameter("Maximum points",
                      max_points,
                      "The branch ends after this many steps [1].",
                      Integer(1, 10000000));
    prm.leave_subsection();
  }

  const char *
  to_string(const PointKind kind)
  {
    switch (kind)
      {
        case PointKind::start:
          return "start";
        case PointKind::requested:
          return "requested";
        case PointKind::fold:
          return "fold";
        case PointKind::bifurcation:
          return "bifurcation";
        case PointKind::end:
          return "end";
        case PointKind::regular:
          break;
      }
    return "regular";
  }

  const char *
  to_string(const BranchEnd end)
  {
    switch (end)
      {
        case BranchEnd::left_range:
          return "the end of the range was reached";
        case BranchEnd::enough_points:
          return "the maximum number of points was reached";
        case BranchEnd::stopped:
          return "it was stopped";
        case BranchEnd::step_failed:
          break;
      }
    return "the smallest step did not converge";
  }

  namespace
  {
    using Strategy       = LOCA::MultiContinuation::AbstractStrategy;
    using ExtendedVector = LOCA::MultiContinuation::ExtendedVector;

    /// The state of a point and the parameter that belongs to it.
    struct Location
    {
      Vector q;
      double parameter;
    };

    /// One control in units of its range, so that a step along the branch has
    /// a length whatever the parameter's unit.
    Controls
    unit_control(Controls            &controls,
                 const std::size_t    control,
                 const BranchOptions &options)
    {
      const double minimum = options.minimum;
      const double range   = options.maximum - options.minimum;
      return Controls(controls.model(),
                      {controls.names()[control]},
                      {(controls.values()[control] - minimum) / range},
                      {1.},
                      [&controls, control, minimum, range](
                        Model &, const std::vector<double> &unit) {
                        std::vector<double> values = controls.values();
                        values[control]            = minimum + unit[0] * range;
                        controls.set(values);
                      });
    }
  } // namespace

  struct BranchFollower::Implementation
  {
    Implementation(Controls            &the_controls,
                   std::size_t          the_control,
                   const NewtonOptions &the_newton,
                   const BranchOptions &the_options);
    ~Implementation();

    /// Starts at a state, with a tangent if one is given.
    void
    begin(const Vector &q, int direction, const Vector *tangent);

    BranchEnd
    walk(const Observer &observer);

    /// The equilibrium at an arc length ahead of the base point.
    std::optional<Location>
    at_distance(double distance);

    /// The equilibrium at a parameter value, from a guess.
    std::optional<Vector>
    at_parameter(const Vector &guess, double value);

    /// The point between the base point and the one ahead at which an
    /// eigenvalue vanishes.
    std::optional<BranchPoint>
    find_event(const BranchPoint &base, const BranchPoint &ahead);

    /// Normalises and improves a mode whose eigenvalue is nearly zero by
    /// inverse iteration; returns its Rayleigh quotient.
    double
    refine_mode(const Vector &q, double parameter, NoxVector &mode);

    /// Solves with the Hessian in the tangent, refined with products that do
    /// not suffer from large stiffnesses: see Model::hessian_times.
    bool
    solve_accurately(const Vector &q, const NoxVector &b, NoxVector &x);

    Index
    count_negative(const Vector &q, double parameter);

    void
    set_parameter(double value);

    /// The controls may have been moved since the last branch.
    void
    synchronise()
    {
      controls = unit_control(outer_controls, control, options);
    }

    BranchPoint
    make_point(const Location &location, double arc_length);

    /// Bordered solves have a higher floor of round-off than plain ones; a
    /// Newton step of this size leaves an error of its square.
    NewtonOptions
    step_limits() const
    {
      NewtonOptions limits  = newton;
      limits.step_tolerance = std::max(limits.step_tolerance, 1e-8);
      limits.max_iterations = std::min(limits.max_iterations, 15);
      return limits;
    }

    double
    range() const
    {
      return options.maximum - options.minimum;
    }

    /// Where the group stands.
    Location
    present_location() const;

    Controls                            &outer_controls;
    std::size_t                          control;
    Controls                             controls; ///< see unit_control()
    Model                               &model;
    NewtonOptions                        newton;
    BranchOptions                        options;
    Teuchos::RCP<Teuchos::ParameterList> list;
    Teuchos::RCP<LOCA::GlobalData>       global_data;
    Teuchos::RCP<Tangent>                tangent;

    // The base point of the next step, and the group that takes it.
    Teuchos::RCP<Strategy>       group, base;
    Teuchos::RCP<ExtendedVector> direction;
    int                          iterations   = 0;
    bool                         is_switching = false;
  };

  BranchFollower::Implementation::Implementation(
    Controls            &the_controls,
    const std::size_t    the_control,
    const NewtonOptions &the_newton,
    const BranchOptions &the_options)
    : outer_controls(the_controls)
    , control(the_control)
    , controls(unit_control(the_controls, the_control, the_options))
    , model(controls.model())
    , newton(the_newton)
    , options(the_options)
    , list(Teuchos::rcp(new Teuchos::ParameterList))
  {
    auto &loca = list->sublist("LOCA");
    auto &step = loca.sublist("Stepper");
    step.set("Continuation Method", "Arc Length");
    step.set("Bordered Solver Method", MixedBlockElimination::name);
    // The control already runs from 0 to 1.
    step.set("Enable Arc Length Scaling", false);
    loca.sublist("Predictor").set("Method", "Tangent");
    silence(list->sublist("NOX"));
    global_data =
      LOCA::createGlobalData(list, Teuchos::rcp(new StrategyFactory));
    tangent = Teuchos::rcp(
      make_tangent(model, model.initial_state(), newton.solver()).release());
  }

  BranchFollower::Implementation::~Implementation()
  {
    // The groups hold the data that is destroyed.
    group = base = Teuchos::null;
    direction    = Teuchos::null;
    LOCA::destroyGlobalData(global_data);
  }

  void
  BranchFollower::Implementation::set_parameter(const double value)
  {
    controls.set({(value - options.minimum) / range()});
  }

  void
  BranchFollower::Implementation::begin(const Vector &q,
                                        const int     sign,
                                        const Vector *mode)
  {
    const auto parser =
      Teuchos::rcp(new LOCA::Parameter::SublistParser(global_data));
    parser->parseSublists(list);
    const auto underlying = Teuchos::rcp(new ModelGroup(
      global_data, controls, tangent, q, ModelGroup::Jacobian::newton_tangent));
    group = global_data->locaFactory->createContinuationStrategy(
      parser,
      parser->getSublist("Stepper"),
      underlying,
      global_data->locaFactory->createPredictorStrategy(
        parser, parser->getSublist("Predictor")),
      {0});

    group->computeF();
    group->computeJacobian();
    group->setPrevX(group->getX());
    group->setStepSize(sign * options.first_step);
    is_switching = mode != nullptr;
    if (mode)
      {
        // Along the mode, at a constant parameter.
        const auto along = Teuchos::rcp_dynamic_cast<ExtendedVector>(
          group->getX().clone(NOX::ShapeCopy), true);
        *along->getXVec()   = NoxVector(model.layout(), sign * (*mode));
        along->getScalar(0) = 0.;
        group->setPredictorTangentDirection(*along, 0);
        group->scaleTangent();
      }
    else
      {
        group->computePredictor();
        const auto along = Teuchos::rcp_dynamic_cast<ExtendedVector>(
          group->getPredictorTangent()[0].clone(NOX::DeepCopy), true);
        if (along->getScalar(0) * sign < 0.)
          {
            along->scale(-1.);
            group->setPredictorTangentDirection(*along, 0);
            group->scaleTangent();
          }
      }
  }

  Location
  BranchFollower::Implementation::present_location() const
  {
    const auto &x = dynamic_cast<const ExtendedVector &>(group->getX());
    return {petsc::local_values(NoxVector::cast(*x.getXVec()).handle()),
            options.minimum + x.getScalar(0) * range()};
  }

  std::optional<Location>
  BranchFollower::Implementation::at_distance(const double distance)
  {
    group->copy(*base);
    group->setPrevX(base->getX());
    group->setStepSize(distance);
    group->computeX(*base, *direction, distance);
    const auto nox = Teuchos::rcp(new Teuchos::ParameterList);
    set_up_newton(*nox, "Full Step");
    const auto solver =
      NOX::Solver::buildSolver(Teuchos::rcp_dynamic_cast<NOX::Abstract::Group>(
                                 group),
                               stopping_rule(newton),
                               nox);
    try
      {
        if (solver->solve() != NOX::StatusTest::Converged)
          return {};
      }
    catch (const char *)
      {
        return {}; // the linear solve failed
      }
    iterations += solver->getNumIterations();
    group->copy(solver->getSolutionGroup());
    return present_location();
  }

  std::optional<Vector>
  BranchFollower::Implementation::at_parameter(const Vector &guess,
                                               const double  value)
  {
    set_parameter(value);
    EquilibriumSolver solver(model, newton);
    const Equilibrium found = solver.solve(guess);
    if (!found.converged())
      return {};
    return found.q;
  }

  Index
  BranchFollower::Implementation::count_negative(const Vector &q,
                                                 const double  parameter)
  {
    set_parameter(parameter);
    tangent->clear();
    model.hessian(q, *tangent);
    tangent->finish();
    return tangent->inertia().negative - model.n_multipliers();
  }

  bool
  BranchFollower::Implementation::solve_accurately(const Vector    &q,
                                                   const NoxVector &b,
                                                   NoxVector       &x)
  {
    if (!tangent->solve(b.handle(), x.handle()))
      return false;
    NoxVector residual(b), correction(b, NOX::ShapeCopy);
    for (int i = 0; i < 2; ++i)
      {
        petsc::set_and_accumulate(
          residual.handle(),
          model.hessian_times(q, petsc::local_values(x.handle())));
        residual.update(1., b, -1.);
        if (!tangent->solve(residual.handle(), correction.handle()))
          return false;
        x.update(1., correction, 1.);
      }
    return true;
  }

  double
  BranchFollower::Implementation::refine_mode(const Vector &q,
                                              const double  parameter,
                                              NoxVector    &mode)
  {
    set_parameter(parameter);
    tangent->clear();
    model.hessian(q, *tangent);
    tangent->finish();
    NoxVector image(mode, NOX::ShapeCopy);
    for (int i = 0; i < 3; ++i)
      {
        if (!solve_accurately(q, mode, image))
          break; // exactly singular: the mode is as good as it gets
        mode = image;
        mode.scale(1. / mode.norm(NOX::Abstract::Vector::TwoNorm));
      }
    petsc::set_and_accumulate(
      image.handle(),
      model.hessian_times(q, petsc::local_values(mode.handle())));
    return mode.innerProduct(image);
  }

  std::optional<BranchPoint>
  BranchFollower::Implementation::find_event(const BranchPoint &first,
                                             const BranchPoint &second)
  {
    // Bisection until only one change is in sight and the secant is safe.
    double       low = 0., high = second.arc_length - first.arc_length;
    const double step = high;
    for (int i = 0; i < 5; ++i)
      {
        const auto middle = at_distance(0.5 * (low + high));
        if (!middle)
          return {};
        (count_negative(middle->q, middle->parameter) == first.n_negative
           ? low
           : high) = 0.5 * (low + high);
      }

    // The secant method on the Rayleigh quotient of the critical mode.
    NoxVector mode(model.layout());
    mode.random(true, 1);
    const auto quotient = [&](const double             distance,
                              std::optional<Location> &where) {
      where = at_distance(distance);
      return where ? refine_mode(where->q, where->parameter, mode) : 0.;
    };
    std::optional<Location> where;
    double                  s0 = low, mu0 = quotient(low, where);
    if (!where)
      return {};
    double s1 = high, mu1 = quotient(high, where);
    // Close to a bifurcation the inertia may be wrong by round-off.
    if (!where || mu0 * mu1 > 0.)
      return {};
    for (int i = 0; i < 30 && where; ++i)
      {
        if (std::abs(s1 - s0) < options.event_tolerance * step || mu1 == mu0)
          break;
        const double next = s1 - mu1 * (s1 - s0) / (mu1 - mu0);
        s0                = s1;
        mu0               = mu1;
        // A wild extrapolation goes no further than the interval.
        s1  = std::min(std::max(next, low), high);
        mu1 = quotient(s1, where);
      }
    if (!where)
      return {};

    BranchPoint point = make_point(*where, first.arc_length + s1);
    point.n_negative  = std::min(first.n_negative, second.n_negative);
    point.null_vector = petsc::local_values(mode.handle());

    // At a fold the load works on the mode, at a bifurcation it does not.
    set_parameter(where->parameter);
    ModelGroup here(
      global_data, controls, tangent, where->q, ModelGroup::Jacobian::hessian);
    const auto rates = mode.createMultiVector(2, NOX::ShapeCopy);
    here.computeDfDpMulti({0}, *rates, false);
    const double work = std::abs((*rates)[1].innerProduct(mode));
    const double size = (*rates)[1].norm(NOX::Abstract::Vector::TwoNorm);
    point.kind = work > 1e-3 * size ? PointKind::fold : PointKind::bifurcation;
    return point;
  }

  BranchPoint
  BranchFollower::Implementation::make_point(const Location &location,
                                             const double    arc_length)
  {
    BranchPoint point;
    point.q          = location.q;
    point.parameter  = location.parameter;
    point.arc_length = arc_length;
    return point;
  }

  BranchEnd
  BranchFollower::Implementation::walk(const Observer &observer)
  {
    BranchPoint last = make_point(present_location(), 0.);
    last.kind        = PointKind::start;
    last.n_negative  = count_negative(last.q, last.parameter);
    if (!observer(last))
      return BranchEnd::stopped;

    double step                  = options.first_step;
    bool   starts_at_bifurcation = is_switching;
    for (int n = 0; n < options.max_points; ++n)
      {
        base      = Teuchos::rcp_dynamic_cast<Strategy>(group->clone(), true);
        direction = Teuchos::rcp_dynamic_cast<ExtendedVector>(
          group->getPredictorTangent()[0].clone(NOX::DeepCopy), true);

        iterations = 0;
        std::optional<Location> next;
        while (!(next = at_distance(step)))
          {
            step /= 2.;
            if (step < options.smallest_step)
              return BranchEnd::step_failed;
          }
        const int   effort = iterations;
        BranchPoint point  = make_point(*next, last.arc_length + step);
        point.iterations   = effort;
        point.n_negative   = count_negative(point.q, point.parameter);
        const auto ahead =
          Teuchos::rcp_dynamic_cast<Strategy>(group->clone(), true);

        // What lies between the two points, in the order of arc length.
        std::vector<BranchPoint> between;
        if (point.n_negative != last.n_negative && !starts_at_bifurcation)
          {
            if (const auto event = find_event(last, point))
              between.push_back(*event);
            else
              point.n_negative = last.n_negative;
          }
        starts_at_bifurcation = false;
        for (const double value : options.requested)
          if ((value - last.parameter) * (value - point.parameter) <= 0. &&
              value != last.parameter)
            {
              const double t =
                (value - last.parameter) / (point.parameter - last.parameter);
              if (const auto q =
                    at_parameter(last.q + t * (point.q - last.q), value))
                {
                  BranchPoint hit =
                    make_point({*q, value},
                               last.arc_length +
                                 t * (point.arc_length - last.arc_length));
                  hit.kind       = PointKind::requested;
                  hit.n_negative = count_negative(hit.q, value);
                  between.push_back(hit);
                }
            }
        std::sort(between.begin(),
                  between.end(),
                  [](const BranchPoint &a, const BranchPoint &b) {
                    return a.arc_length < b.arc_length;
                  });
        for (const BranchPoint &special : between)
          if (!observer(special))
            return BranchEnd::stopped;

        if (point.parameter > options.maximum ||
            point.parameter < options.minimum)
          {
            const double bound = point.parameter > options.maximum
                                   ? options.maximum
                                   : options.minimum;
            if (last.parameter != bound)
              {
                const double t =
                  (bound - last.parameter) / (point.parameter - last.parameter);
                if (const auto q =
                      at_parameter(last.q + t * (point.q - last.q), bound))
                  {
                    BranchPoint hit =
                      make_point({*q, bound}, last.arc_length + t * step);
                    hit.kind       = PointKind::end;
                    hit.n_negative = count_negative(hit.q, bound);
                    observer(hit);
                  }
              }
            return BranchEnd::left_range;
          }

        model.commit(point.q);
        if (!observer(point))
          return BranchEnd::stopped;
        last = point;

        group->copy(*ahead);
        group->setPrevX(base->getX());
        group->computeJacobian();
        group->computePredictor();
        // Few iterations allow a longer step, many ask for a shorter one.
        step = std::min(options.largest_step,
                        step * (effort <= 6    ? 1.5
                                : effort <= 10 ? 1.
                                               : 0.5));
      }
    return BranchEnd::enough_points;
  }

  BranchFollower::BranchFollower(Controls            &controls,
                                 const std::size_t    control,
                                 const NewtonOptions &newton,
                                 const BranchOptions &options)
    : implementation(
        std::make_unique<Implementation>(controls, control, newton, options))
  {}

  BranchFollower::~BranchFollower() = default;

  BranchEnd
  BranchFollower::follow(const Vector   &start,
                         const int       direction,
                         const Observer &observer)
  {
    implementation->synchronise();
    implementation->begin(start, direction, nullptr);
    return implementation->walk(observer);
  }

  BranchEnd
  BranchFollower::switch_branch(const BranchPoint &bifurcation,
                                const int          side,
                                const Observer    &observer)
  {
    implementation->synchronise();
    implementation->set_parameter(bifurcation.parameter);
    implementation->begin(bifurcation.q, side, &bifurcation.null_vector);
    return implementation->walk(observer);
  }
} // namespace slender

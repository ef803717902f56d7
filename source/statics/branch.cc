// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/bordered_solver.h>
#include <slender/statics/branch.h>
#include <slender/statics/model_group.h>
#include <slender/statics/soft_modes.h>
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
#include <stdexcept>

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
    prm.declare_entry("Method",
                      "arc length",
                      Selection("arc length|natural"),
                      "'arc length' passes folds; 'natural' steps in the "
                      "parameter and ends where the branch turns back.");
    prm.add_action("Method", [this](const std::string &name) {
      method = name == "natural" ? ContinuationMethod::natural
                                 : ContinuationMethod::arc_length;
    });
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

    /// How far a point may be from where the tangent predicts it, and how far
    /// it should be, over the length of the step.
    constexpr double largest_correction = 0.5;
    constexpr double target_correction  = 0.1;

    /// How many modes are looked at besides those that change stability: a
    /// body may have some that are soft without becoming unstable.
    constexpr int n_other_modes = 3;

    /// The state of a point and the parameter that belongs to it.
    struct Location
    {
      Vector q;
      double parameter;
    };

    /**
     * One control in such a unit that a step along the branch has a length,
     * whatever the parameter's unit and the number of unknowns n. LOCA measures
     * steps by the Euclidean norm; with the range being sqrt(n) units long,
     * that is sqrt(n) times our norm of root mean squares.
     */
    Controls
    unit_control(Controls            &controls,
                 const std::size_t    control,
                 const BranchOptions &options,
                 const double         scale)
    {
      const double minimum = options.minimum;
      const double range   = (options.maximum - options.minimum) / scale;
      return Controls(controls.model(),
                      {controls.names()[control]},
                      {(controls.values()[control] - minimum) / range},
                      {scale},
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

    /// The tangent of the branch where the group stands, in the direction in
    /// which it came.
    void
    compute_tangent();

    /// Gives it unit length; LOCA's has dp/ds = 1, which natural continuation
    /// keeps.
    void
    set_tangent(ExtendedVector &along, double sign);

    /// The equilibrium at an arc length ahead of the base point.
    std::optional<Location>
    at_distance(double distance);

    /// The equilibrium at a parameter value, from a guess.
    std::optional<Vector>
    at_parameter(const Vector &guess, double value);

    /// An interval of arc length ahead of the base point, with the numbers of
    /// unstable directions at its ends.
    struct Interval
    {
      double low, high;
      Index  n_low, n_high;
    };

    /// All points between the base point and the one ahead at which an
    /// eigenvalue vanishes.
    std::vector<BranchPoint>
    find_events(const BranchPoint &base, const BranchPoint &ahead);

    /// The one in a short interval; none if the inertia was mistaken.
    std::optional<BranchPoint>
    find_event(const BranchPoint &base, const Interval &interval);

    /// The parameter values that were asked for, between two points.
    std::vector<BranchPoint>
    find_requested(const BranchPoint &from, const BranchPoint &to);

    /// The equilibrium at a parameter value between two points of the branch.
    std::optional<BranchPoint>
    between(const BranchPoint &from, const BranchPoint &to, double value);

    /// Whether the load works on a mode, at the present parameter: it does at a
    /// fold, not at a bifurcation.
    bool
    works_on(const Vector &q, const NoxVector &mode);

    Index
    count_negative(const Vector &q, double parameter);

    void
    set_parameter(double value);

    /// The controls may have been moved since the last branch.
    void
    synchronise()
    {
      controls = unit_control(outer_controls, control, options, scale);
    }

    BranchPoint
    make_point(const Location &location, double arc_length);

    /// The observer finds the model at the point's parameter.
    bool
    tell(const Observer &observer, const BranchPoint &point)
    {
      set_parameter(point.parameter);
      return observer(point);
    }

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
    Model                               &model;
    double                               scale;    ///< see unit_control()
    Controls                             controls; ///< in that unit
    NewtonOptions                        newton;
    BranchOptions                        options;
    EquilibriumSolver                    equilibrium;
    Teuchos::RCP<Teuchos::ParameterList> list;
    Teuchos::RCP<LOCA::GlobalData>       global_data;
    Teuchos::RCP<Tangent>                tangent;

    // The base point of the next step, and the group that takes it.
    Teuchos::RCP<Strategy>       group, base;
    Teuchos::RCP<ExtendedVector> direction;
    double                       base_arc_length = 0.;
    double                       correction      = 0.; ///< of the last step
    int                          iterations      = 0;
    bool                         is_switching    = false;
    std::vector<double>          lost; ///< requested, but not reached
  };

  BranchFollower::Implementation::Implementation(
    Controls            &the_controls,
    const std::size_t    the_control,
    const NewtonOptions &the_newton,
    const BranchOptions &the_options)
    : outer_controls(the_controls)
    , control(the_control)
    , model(the_controls.model())
    , scale(std::sqrt(static_cast<double>(model.layout().size)))
    , controls(unit_control(the_controls, the_control, the_options, scale))
    , newton(the_newton)
    , options(the_options)
    , equilibrium(model, newton)
    , list(Teuchos::rcp(new Teuchos::ParameterList))
  {
    auto &loca = list->sublist("LOCA");
    auto &step = loca.sublist("Stepper");
    step.set("Continuation Method",
             options.method == ContinuationMethod::natural ? "Natural"
                                                           : "Arc Length");
    step.set("Bordered Solver Method", MixedBlockElimination::name);
    // The control has its scale already.
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
    controls.set({(value - options.minimum) / range() * scale});
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
    group->setStepSize(sign * options.first_step * scale);
    is_switching = mode != nullptr;
    if (mode)
      {
        // Along the mode, at a constant parameter.
        const auto along = Teuchos::rcp_dynamic_cast<ExtendedVector>(
          group->getX().clone(NOX::ShapeCopy), true);
        *along->getXVec()   = NoxVector(model.layout(), *mode);
        along->getScalar(0) = 0.;
        set_tangent(*along, sign);
      }
    else
      {
        group->computePredictor();
        const auto along = Teuchos::rcp_dynamic_cast<ExtendedVector>(
          group->getPredictorTangent()[0].clone(NOX::DeepCopy), true);
        set_tangent(*along, along->getScalar(0) * sign < 0. ? -1. : 1.);
      }
  }

  void
  BranchFollower::Implementation::compute_tangent()
  {
    // Otherwise LOCA would keep the last one; and the matrix may hold the
    // Hessian of another state that was looked at meanwhile.
    group->postProcessContinuationStep(LOCA::Abstract::Iterator::Successful);
    group->setX(*group->getX().clone(NOX::DeepCopy));
    group->computeF();
    group->computeJacobian();
    group->computePredictor();
    const auto secant = group->getX().clone(NOX::DeepCopy);
    secant->update(-1., group->getPrevX(), 1.);
    const auto along = Teuchos::rcp_dynamic_cast<ExtendedVector>(
      group->getPredictorTangent()[0].clone(NOX::DeepCopy), true);
    set_tangent(*along, along->innerProduct(*secant) < 0. ? -1. : 1.);
  }

  void
  BranchFollower::Implementation::set_tangent(ExtendedVector &along,
                                              const double    sign)
  {
    along.scale(sign / (options.method == ContinuationMethod::natural
                          ? std::abs(along.getScalar(0))
                          : along.norm(NOX::Abstract::Vector::TwoNorm)));
    group->setPredictorTangentDirection(along, 0);
    group->scaleTangent();
  }

  Location
  BranchFollower::Implementation::present_location() const
  {
    const auto &x = dynamic_cast<const ExtendedVector &>(group->getX());
    return {petsc::local_values(NoxVector::cast(*x.getXVec()).handle()),
            options.minimum + x.getScalar(0) / scale * range()};
  }

  std::optional<Location>
  BranchFollower::Implementation::at_distance(const double distance)
  {
    group->copy(*base);
    group->setPrevX(base->getX());
    group->setStepSize(distance * scale);
    group->computeX(*base, *direction, distance * scale);
    const auto   predicted = group->getX().clone(NOX::DeepCopy);
    const double length =
      distance * scale * direction->norm(NOX::Abstract::Vector::TwoNorm);
    const auto nox = Teuchos::rcp(new Teuchos::ParameterList);
    set_up_newton(*nox, "Full Step");
    const auto solver =
      NOX::Solver::buildSolver(Teuchos::rcp_dynamic_cast<NOX::Abstract::Group>(
                                 group),
                               stopping_rule(step_limits()),
                               nox);
    try
      {
        if (solver->solve() != NOX::StatusTest::Converged)
          return {};
      }
    catch (const char *)
      {
        return {}; // NOX: the linear solve failed
      }
    catch (const std::logic_error &)
      {
        return {}; // LOCA: so did that of a border
      }
    iterations += solver->getNumIterations();
    group->copy(solver->getSolutionGroup());
    predicted->update(1., group->getX(), -1.);
    correction = predicted->norm(NOX::Abstract::Vector::TwoNorm) / length;
    return present_location();
  }

  std::optional<Vector>
  BranchFollower::Implementation::at_parameter(const Vector &guess,
                                               const double  value)
  {
    set_parameter(value);
    const Equilibrium found = equilibrium.solve(guess);
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

  std::vector<BranchPoint>
  BranchFollower::Implementation::find_events(const BranchPoint &first,
                                              const BranchPoint &second)
  {
    std::vector<BranchPoint> events;
    const double             step  = second.arc_length - first.arc_length;
    double                   begin = 0.;
    Index                    count = first.n_negative;
    while (count != second.n_negative)
      {
        // Bisection until only one change is in sight and the secant is safe.
        Interval interval{begin, step, count, second.n_negative};
        for (int i = 0; i < 5; ++i)
          {
            const double middle  = 0.5 * (interval.low + interval.high);
            const auto   located = at_distance(middle);
            if (!located)
              return events;
            const Index n = count_negative(located->q, located->parameter);
            if (n == count)
              interval.low = middle;
            else
              {
                interval.high   = middle;
                interval.n_high = n;
              }
          }
        if (const auto event = find_event(first, interval))
          events.push_back(*event);
        begin = interval.high;
        count = interval.n_high;
      }
    return events;
  }

  std::optional<BranchPoint>
  BranchFollower::Implementation::find_event(const BranchPoint &first,
                                             const Interval    &interval)
  {
    const double low = interval.low, high = interval.high;
    const double scale_of_step = 32. * (high - low);

    const auto start = at_distance(low);
    if (!start)
      return {};
    SoftModes modes(model,
                    *tangent,
                    static_cast<int>(
                      std::abs(interval.n_high - interval.n_low)) +
                      n_other_modes);
    set_parameter(start->parameter);
    modes.refine(start->q, 8);
    const SoftModes before = modes;
    const auto      end    = at_distance(high);
    if (!end)
      return {};
    set_parameter(end->parameter);
    modes.refine(end->q, 4);

    // The mode whose eigenvalue changes its sign. Close to a bifurcation the
    // inertia may be wrong by round-off; then there is none.
    std::optional<std::size_t> critical;
    double                     s0 = low, s1 = high, mu0 = 0.;
    for (std::size_t i = 0; i < modes.values().size(); ++i)
      {
        const double earlier =
          before.values()[before.nearest_to(modes.vectors()[i])];
        if (earlier * modes.values()[i] < 0. &&
            (!critical ||
             std::abs(modes.values()[i]) < std::abs(modes.values()[*critical])))
          {
            critical = i;
            mu0      = earlier;
          }
      }
    if (!critical)
      return {};
    double    mu1 = modes.values()[*critical];
    NoxVector mode(modes.vectors()[*critical]);

    // At a fold the arc length keeps the equations regular. At a bifurcation
    // it does not, and the mode is kept out of them.
    const bool is_fold = works_on(end->q, mode);
    const auto locate  = [&](const double s) -> std::optional<Location> {
      if (is_fold)
        return at_distance(s);
      const double t = (s - low) / (high - low);
      const double p =
        start->parameter + t * (end->parameter - start->parameter);
      set_parameter(p);
      const Vector      guess = start->q + t * (end->q - start->q);
      const Equilibrium found =
        equilibrium.solve_held(guess, petsc::local_values(mode.handle()));
      // Where several modes are critical at once, keeping one of them out does
      // not help; the chord between two near points has to do.
      return Location{found.converged() ? found.q : guess, p};
    };

    // The secant method on the Rayleigh quotient of the critical mode.
    std::optional<Location> where = end;
    for (int i = 0; i < 30; ++i)
      {
        if (std::abs(s1 - s0) < options.event_tolerance * scale_of_step ||
            mu1 == mu0)
          break;
        const double next = s1 - mu1 * (s1 - s0) / (mu1 - mu0);
        s0                = s1;
        mu0               = mu1;
        // A wild extrapolation goes no further than the interval.
        s1    = std::min(std::max(next, low), high);
        where = locate(s1);
        if (!where)
          return {};
        set_parameter(where->parameter);
        modes.refine(where->q, 2);
        const std::size_t nearest = modes.nearest_to(mode);
        mu1                       = modes.values()[nearest];
        mode                      = modes.vectors()[nearest];
      }

    BranchPoint point = make_point(*where, first.arc_length + s1);
    point.n_negative  = std::min(interval.n_low, interval.n_high);
    point.null_vector = petsc::local_values(mode.handle());
    point.kind        = is_fold ? PointKind::fold : PointKind::bifurcation;
    return point;
  }

  bool
  BranchFollower::Implementation::works_on(const Vector    &q,
                                           const NoxVector &mode)
  {
    ModelGroup here(
      global_data, controls, tangent, q, ModelGroup::Jacobian::hessian);
    const auto rates = mode.createMultiVector(2, NOX::ShapeCopy);
    here.computeDfDpMulti({0}, *rates, false);
    const double work = std::abs((*rates)[1].innerProduct(mode));
    const double size = (*rates)[1].norm(NOX::Abstract::Vector::TwoNorm);
    // A load that does no work at all leaves round-off.
    return work > 1e-3 * size && work > 1e-8;
  }

  std::optional<BranchPoint>
  BranchFollower::Implementation::between(const BranchPoint &from,
                                          const BranchPoint &to,
                                          const double       value)
  {
    // The secant method in arc length brings a guess near; the last solve is
    // at the parameter's value itself.
    const double origin = base_arc_length;
    Location     low{from.q, from.parameter}, high{to.q, to.parameter};
    double       s_low = from.arc_length, s_high = to.arc_length;
    for (int i = 0; i < 8; ++i)
      {
        const double t =
          (value - low.parameter) / (high.parameter - low.parameter);
        const double s = s_low + t * (s_high - s_low);
        if (const auto q = at_parameter(low.q + t * (high.q - low.q), value))
          {
            BranchPoint hit = make_point({*q, value}, s);
            hit.n_negative  = count_negative(hit.q, value);
            return hit;
          }
        const auto nearer = at_distance(s - origin);
        if (!nearer)
          return {};
        if ((nearer->parameter - value) * (low.parameter - value) > 0.)
          {
            low   = *nearer;
            s_low = s;
          }
        else
          {
            high   = *nearer;
            s_high = s;
          }
      }
    return {};
  }

  std::vector<BranchPoint>
  BranchFollower::Implementation::find_requested(const BranchPoint &from,
                                                 const BranchPoint &to)
  {
    std::vector<BranchPoint> hits;
    for (const double value : options.requested)
      if ((value - from.parameter) * (value - to.parameter) <= 0. &&
          value != from.parameter)
        {
          if (auto hit = between(from, to, value))
            {
              hit->kind = PointKind::requested;
              hits.push_back(*hit);
            }
          else
            lost.push_back(value);
        }
    return hits;
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
    if (!tell(observer, last))
      return BranchEnd::stopped;

    double step                  = options.first_step;
    bool   starts_at_bifurcation = is_switching;
    for (int n = 0; n < options.max_points; ++n)
      {
        base      = Teuchos::rcp_dynamic_cast<Strategy>(group->clone(), true);
        direction = Teuchos::rcp_dynamic_cast<ExtendedVector>(
          group->getPredictorTangent()[0].clone(NOX::DeepCopy), true);

        base_arc_length = last.arc_length;
        iterations      = 0;
        std::optional<Location> next;
        // A large correction may have led to another branch.
        while (!(next = at_distance(step)) || correction > largest_correction)
          {
            step /= 2.;
            if (step < options.smallest_step)
              return BranchEnd::step_failed;
          }
        const int    effort    = iterations;
        const double deviation = correction;
        BranchPoint  point     = make_point(*next, last.arc_length + step);
        point.iterations       = effort;
        point.n_negative       = count_negative(point.q, point.parameter);
        const auto ahead =
          Teuchos::rcp_dynamic_cast<Strategy>(group->clone(), true);

        // What lies between the two points, in the order of arc length.
        std::vector<BranchPoint> special;
        if (point.n_negative != last.n_negative && !starts_at_bifurcation)
          {
            special = find_events(last, point);
            // Close to a bifurcation the inertia may be wrong by round-off.
            if (special.empty())
              point.n_negative = last.n_negative;
          }
        starts_at_bifurcation = false;
        // Between folds the parameter moves one way.
        std::vector<BranchPoint> corners = {last}, hits;
        for (const BranchPoint &event : special)
          if (event.kind == PointKind::fold)
            corners.push_back(event);
        corners.push_back(point);
        for (std::size_t i = 0; i + 1 < corners.size(); ++i)
          for (const BranchPoint &hit :
               find_requested(corners[i], corners[i + 1]))
            hits.push_back(hit);
        special.insert(special.end(), hits.begin(), hits.end());
        std::sort(special.begin(),
                  special.end(),
                  [](const BranchPoint &a, const BranchPoint &b) {
                    return a.arc_length < b.arc_length;
                  });

        // The last point is on the edge of the range.
        const bool leaves = point.parameter > options.maximum ||
                            point.parameter < options.minimum;
        std::optional<BranchPoint> last_point;
        if (leaves)
          {
            const double bound = point.parameter > options.maximum
                                   ? options.maximum
                                   : options.minimum;
            if (last.parameter != bound)
              last_point = between(corners[corners.size() - 2], point, bound);
            if (last_point)
              last_point->kind = PointKind::end;
          }
        for (const BranchPoint &s : special)
          if (s.parameter <= options.maximum &&
              s.parameter >= options.minimum &&
              !(last_point && s.parameter == last_point->parameter))
            if (!tell(observer, s))
              return BranchEnd::stopped;
        if (leaves)
          {
            if (last_point)
              tell(observer, *last_point);
            return BranchEnd::left_range;
          }

        model.commit(point.q);
        if (!tell(observer, point))
          return BranchEnd::stopped;
        last = point;

        group->copy(*ahead);
        group->setPrevX(base->getX());
        compute_tangent();
        // The deviation from the tangent grows with the step.
        const double factor =
          std::min(2., std::max(0.5, target_correction / (deviation + 1e-12)));
        step =
          std::min(options.largest_step, step * (effort > 12 ? 0.5 : factor));
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

  const std::vector<double> &
  BranchFollower::lost_requests() const
  {
    return implementation->lost;
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

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/bordered_solver.h>
#include <slender/solvers/stopping_rule.h>
#include <slender/statics/continuation_step.h>
#include <slender/statics/neutral_motions.h>
#include <slender/systems/kinematics.h>

#include <LOCA_Factory.H>
#include <LOCA_MultiContinuation_ExtendedMultiVector.H>
#include <LOCA_MultiPredictor_AbstractStrategy.H>
#include <LOCA_Parameter_SublistParser.H>
#include <NOX_Solver_Factory.H>
#include <NOX_Solver_Generic.H>

#include <cmath>
#include <stdexcept>
#include <utility>

namespace slender
{
  namespace
  {
    /// Bordered solves have a higher floor of round-off than plain ones; a
    /// Newton step of this size leaves an error of its square.
    NewtonOptions
    step_limits(NewtonOptions newton)
    {
      newton.step_tolerance = std::max(newton.step_tolerance, 1e-8);
      newton.max_iterations = std::min(newton.max_iterations, 15);
      return newton;
    }
  } // namespace

  ContinuationStep::ContinuationStep(Controls            &the_controls,
                                     const std::size_t    the_control,
                                     const NewtonOptions &the_newton,
                                     const BranchOptions &the_options)
    : controls(the_controls)
    , control(the_control)
    , system(the_controls.system())
    , scale(std::sqrt(static_cast<double>(system.layout().size)))
    , newton(step_limits(the_newton))
    , options(the_options)
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
    tangent = Teuchos::rcp(new SystemTangent(system, newton.solver()));
  }

  ContinuationStep::~ContinuationStep()
  {
    // The groups hold the data that is destroyed.
    group = base = marked = Teuchos::null;
    direction = next_direction = Teuchos::null;
    LOCA::destroyGlobalData(global_data);
  }

  void
  ContinuationStep::measure_steps(const Vector &q)
  {
    double distance = 1.;
    if (const double smallest = displacement_scale(system); smallest < 1.)
      distance = std::exp2(std::round(std::log2(
        std::min(1.,
                 std::max(smallest,
                          root_mean_square(system.layout(),
                                           q - system.initial_state()))))));
    scale = distance * std::sqrt(static_cast<double>(system.layout().size));
    controls.measure_in_user_units();
    controls.measure_in(control, options.minimum, range() / scale, scale);
  }

  void
  ContinuationStep::set_neutral(const std::vector<Vector> &motions)
  {
    neutral = motions;
    tangent->set_neutral_motions(neutral);
  }

  void
  ContinuationStep::set_parameter(const double value)
  {
    controls.set_unit_value(control,
                            (value - options.minimum) / range() * scale);
  }

  int
  ContinuationStep::take_iterations()
  {
    return std::exchange(iterations, 0);
  }

  void
  ContinuationStep::make_group(const Vector &q)
  {
    const auto parser =
      Teuchos::rcp(new LOCA::Parameter::SublistParser(global_data));
    parser->parseSublists(list);
    const auto underlying =
      Teuchos::rcp(new SystemGroup(global_data,
                                   controls,
                                   tangent,
                                   q,
                                   SystemGroup::Jacobian::newton_tangent));
    group = global_data->locaFactory->createContinuationStrategy(
      parser,
      parser->getSublist("Stepper"),
      underlying,
      global_data->locaFactory->createPredictorStrategy(
        parser, parser->getSublist("Predictor")),
      {static_cast<int>(control)});

    group->computeF();
    group->computeJacobian();
    group->setPrevX(group->getX());
  }

  void
  ContinuationStep::resume(const Base &from)
  {
    measure_steps(from.q);
    controls.set_unit_value(control, from.unit_parameter);
    set_neutral(from.neutral);
    make_group(from.q);
    const auto along = Teuchos::rcp_dynamic_cast<ExtendedVector>(
      group->getX().clone(NOX::ShapeCopy), true);
    *along->getXVec()   = NoxVector(system.layout(), from.direction);
    along->getScalar(0) = from.direction_of_parameter;
    group->setStepSize(options.first_step * scale);
    group->setPredictorTangentDirection(*along, 0);
    group->scaleTangent();
    set_base();
  }

  ContinuationStep::Base
  ContinuationStep::base_point() const
  {
    const auto &x      = dynamic_cast<const ExtendedVector &>(base->getX());
    const auto  values = [](const NOX::Abstract::Vector &v) {
      return petsc::local_values(NoxVector::cast(v).handle());
    };
    return {values(*x.getXVec()),
            x.getScalar(0),
            values(*direction->getXVec()),
            direction->getScalar(0),
            neutral};
  }

  void
  ContinuationStep::begin(const Vector &q, const int sign)
  {
    measure_steps(q);
    set_neutral(slender::neutral_motions(system, q));
    make_group(q);
    group->setStepSize(sign * options.first_step * scale);
    group->computePredictor();
    const auto along = Teuchos::rcp_dynamic_cast<ExtendedVector>(
      group->getPredictorTangent()[0].clone(NOX::DeepCopy), true);
    set_tangent(*along, along->getScalar(0) * sign < 0. ? -1. : 1.);
    set_base();
  }

  void
  ContinuationStep::begin(const Vector              &q,
                          const int                  sign,
                          const Vector              &mode,
                          const std::vector<Vector> &others)
  {
    measure_steps(q);
    std::vector<Vector> motions = slender::neutral_motions(system, q);
    motions.insert(motions.end(), others.begin(), others.end());
    set_neutral(motions);
    make_group(q);
    group->setStepSize(sign * options.first_step * scale);
    // Along the mode, at a constant parameter.
    const auto along = Teuchos::rcp_dynamic_cast<ExtendedVector>(
      group->getX().clone(NOX::ShapeCopy), true);
    *along->getXVec()   = NoxVector(system.layout(), mode);
    along->getScalar(0) = 0.;
    set_tangent(*along, sign);
    set_base();
  }

  void
  ContinuationStep::set_base()
  {
    base      = Teuchos::rcp_dynamic_cast<Strategy>(group->clone(), true);
    direction = Teuchos::rcp_dynamic_cast<ExtendedVector>(
      group->getPredictorTangent()[0].clone(NOX::DeepCopy), true);
  }

  void
  ContinuationStep::mark()
  {
    marked = Teuchos::rcp_dynamic_cast<Strategy>(group->clone(), true);
  }

  double
  ContinuationStep::turn()
  {
    group->copy(*marked);
    group->setPrevX(base->getX());
    const Location there = location();
    set_parameter(there.parameter);
    next_neutral = slender::neutral_motions(system, there.q);
    tangent->set_neutral_motions(next_neutral);
    compute_tangent();
    tangent->set_neutral_motions(neutral);
    next_direction = Teuchos::rcp_dynamic_cast<ExtendedVector>(
      group->getPredictorTangent()[0].clone(NOX::DeepCopy), true);
    constexpr auto two_norm = NOX::Abstract::Vector::TwoNorm;
    return direction->innerProduct(*next_direction) /
           (direction->norm(two_norm) * next_direction->norm(two_norm));
  }

  void
  ContinuationStep::advance(const bool directions_have_changed)
  {
    group->copy(*marked);
    group->setPrevX(base->getX());
    const Location here = location();
    if (directions_have_changed)
      {
        set_parameter(here.parameter);
        next_neutral = slender::neutral_motions(system, here.q);
      }
    set_neutral(next_neutral);
    if (directions_have_changed)
      compute_tangent();
    else
      set_tangent(*next_direction, 1.);

    const double scale_before = scale;
    const auto   along        = Teuchos::rcp_dynamic_cast<ExtendedVector>(
      group->getPredictorTangent()[0].clone(NOX::DeepCopy), true);
    measure_steps(here.q);
    if (scale != scale_before)
      {
        // The same direction in the new unit of the parameter.
        set_parameter(here.parameter);
        make_group(here.q);
        along->getScalar(0) *= scale / scale_before;
        set_tangent(*along, 1.);
      }
    set_base();
  }

  ContinuationStep::Distance
  ContinuationStep::between(const Location &from, const Location &to) const
  {
    const auto way = Teuchos::rcp_dynamic_cast<ExtendedVector>(
      base->getX().clone(NOX::ShapeCopy), true);
    *way->getXVec()         = NoxVector(system.layout(), to.q - from.q);
    way->getScalar(0)       = (to.parameter - from.parameter) / range() * scale;
    constexpr auto two_norm = NOX::Abstract::Vector::TwoNorm;
    return {way->innerProduct(*direction) / direction->norm(two_norm) / scale,
            way->norm(two_norm) / scale};
  }

  std::optional<ContinuationStep::Rates>
  ContinuationStep::rates() const
  {
    // What part of a step the parameter makes at least, lest dq/dp be large.
    constexpr double smallest_part = 0.1;
    const auto       rate          = [&](const ExtendedVector &tangent_vector) {
      return Vector(petsc::local_values(
                      NoxVector::cast(*tangent_vector.getXVec()).handle()) /
                    (tangent_vector.getScalar(0) / scale * range()));
    };
    const auto part = [](const ExtendedVector &tangent_vector) {
      return tangent_vector.getScalar(0) /
             tangent_vector.norm(NOX::Abstract::Vector::TwoNorm);
    };
    const double before = part(*direction), after = part(*next_direction);
    if (before * after < 0. ||
        std::min(std::abs(before), std::abs(after)) < smallest_part)
      return {};
    return Rates{rate(*direction), rate(*next_direction)};
  }

  ContinuationStep::Location
  ContinuationStep::base_location() const
  {
    const auto &x = dynamic_cast<const ExtendedVector &>(base->getX());
    return {petsc::local_values(NoxVector::cast(*x.getXVec()).handle()),
            options.minimum + x.getScalar(0) / scale * range()};
  }

  void
  ContinuationStep::compute_tangent()
  {
    // Otherwise LOCA would keep the last one; and the matrix may hold the
    // Hessian of another state that was looked at meanwhile.
    group->postProcessContinuationStep(LOCA::Abstract::Iterator::Successful);
    const auto secant = Teuchos::rcp_dynamic_cast<ExtendedVector>(
      group->getX().clone(NOX::DeepCopy), true);
    secant->update(-1., group->getPrevX(), 1.);
    // A failure may be one of the moment.
    for (int attempt = 0; attempt < 3; ++attempt)
      try
        {
          group->setX(*group->getX().clone(NOX::DeepCopy));
          group->computeF();
          group->computeJacobian();
          const auto status = group->computePredictor();
          const auto along  = Teuchos::rcp_dynamic_cast<ExtendedVector>(
            group->getPredictorTangent()[0].clone(NOX::DeepCopy), true);
          const double towards = along->innerProduct(*secant);
          if (status == NOX::Abstract::Group::Ok && std::isfinite(towards) &&
              towards != 0.)
            return set_tangent(*along, towards < 0. ? -1. : 1.);
          group->postProcessContinuationStep(
            LOCA::Abstract::Iterator::Successful);
        }
      catch (const char *)
        {}
      catch (const std::logic_error &)
        {}
    set_tangent(*secant, 1.); // which is good enough where the branch is smooth
  }

  void
  ContinuationStep::set_tangent(ExtendedVector &along, const double sign)
  {
    along.scale(sign / (options.method == ContinuationMethod::natural
                          ? std::abs(along.getScalar(0))
                          : along.norm(NOX::Abstract::Vector::TwoNorm)));
    group->setPredictorTangentDirection(along, 0);
    group->scaleTangent();
  }

  ContinuationStep::Location
  ContinuationStep::location() const
  {
    const auto &x = dynamic_cast<const ExtendedVector &>(group->getX());
    return {petsc::local_values(NoxVector::cast(*x.getXVec()).handle()),
            options.minimum + x.getScalar(0) / scale * range()};
  }

  bool
  ContinuationStep::is_passable(const Vector &from, const Vector &to)
  {
    system.survey(from);
    const bool result = system.longest_step(from, to - from) >= 1.;
    system.survey(to);
    return result;
  }

  std::optional<ContinuationStep::Location>
  ContinuationStep::at_distance(const double distance)
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
                               stopping_rule(newton),
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
    last_correction = predicted->norm(NOX::Abstract::Vector::TwoNorm) / length;
    const Location there = location();
    if (!is_passable(base_location().q, there.q))
      return {};
    return there;
  }
} // namespace slender

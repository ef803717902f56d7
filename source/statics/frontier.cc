// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/bordered_solver.h>
#include <slender/statics/frontier.h>
#include <slender/statics/model_group.h>
#include <slender/statics/stopping_rule.h>

#include <deal.II/base/parameter_handler.h>

#include <LOCA_GlobalData.H>
#include <LOCA_Parameter_SublistParser.H>
#include <LOCA_Pitchfork_MooreSpence_ExtendedGroup.H>
#include <NOX_Solver_Factory.H>
#include <NOX_Solver_Generic.H>

#include <cmath>
#include <optional>
#include <stdexcept>

namespace slender
{
  void
  FrontierOptions::declare(dealii::ParameterHandler &prm)
  {
    using namespace dealii::Patterns;
    prm.enter_subsection("Frontier tracking");
    prm.add_parameter("First step",
                      first_step,
                      "First step along the frontier [1: the sides of the box "
                      "have length one].",
                      Double(1e-12, 1.));
    prm.add_parameter("Largest step",
                      largest_step,
                      "Largest step along the frontier [1, as the first step].",
                      Double(1e-12, 1.));
    prm.add_parameter("Smallest step",
                      smallest_step,
                      "A step that fails is halved until it is below this [1, "
                      "as the first step]; then the frontier ends.",
                      Double(1e-15, 1.));
    prm.add_parameter("Maximum points",
                      max_points,
                      "The frontier ends after this many points [1].",
                      Integer(1, 10000000));
    prm.add_parameter("Tolerance",
                      tolerance,
                      "A point is accepted when the root mean square of the "
                      "last Newton step is below this [dimensionless].",
                      Double(1e-14, 1e-2));
    prm.leave_subsection();
  }

  const char *
  to_string(const FrontierEnd end)
  {
    switch (end)
      {
        case FrontierEnd::left_box:
          return "the edge of the box was reached";
        case FrontierEnd::enough_points:
          return "the maximum number of points was reached";
        case FrontierEnd::stopped:
          return "it was stopped";
        case FrontierEnd::step_failed:
          return "the smallest step did not converge";
        case FrontierEnd::no_bifurcation:
          break;
      }
    return "there is no bifurcation near the start";
  }

  namespace
  {
    using ExtendedGroup  = LOCA::Pitchfork::MooreSpence::ExtendedGroup;
    using ExtendedVector = LOCA::Pitchfork::MooreSpence::ExtendedVector;
    using Plane          = Eigen::Vector2d;

    /// The controls in units of the box.
    Controls
    unit_controls(Controls &controls, const FrontierOptions &options)
    {
      const auto          minimum = options.minimum;
      const auto          maximum = options.maximum;
      std::vector<double> unit(2);
      for (int i = 0; i < 2; ++i)
        unit[i] =
          (controls.values()[i] - minimum[i]) / (maximum[i] - minimum[i]);
      return Controls(
        controls.model(),
        controls.names(),
        unit,
        {1., 1.},
        [&controls, minimum, maximum](Model &, const std::vector<double> &u) {
          controls.set({minimum[0] + u[0] * (maximum[0] - minimum[0]),
                        minimum[1] + u[1] * (maximum[1] - minimum[1])});
        });
    }
  } // namespace

  struct FrontierTracker::Implementation
  {
    Implementation(Controls              &the_controls,
                   const NewtonOptions   &the_newton,
                   const FrontierOptions &the_options)
      : outer_controls(the_controls)
      , controls(unit_controls(the_controls, the_options))
      , model(controls.model())
      , newton(the_newton)
      , options(the_options)
      , equilibrium(model, newton)
      , list(Teuchos::rcp(new Teuchos::ParameterList))
    {
      newton.step_tolerance = options.tolerance;
      list->sublist("LOCA");
      silence(list->sublist("NOX"));
      global_data =
        LOCA::createGlobalData(list, Teuchos::rcp(new StrategyFactory));
      tangent = Teuchos::rcp(
        make_tangent(model, model.initial_state(), newton.solver()).release());
    }

    ~Implementation()
    {
      LOCA::destroyGlobalData(global_data);
    }

    /// A point of the extended system, in units of the box.
    struct State
    {
      Vector q, phi;
      Plane  u;
      double slack      = 0.;
      int    iterations = 0;
    };

    /// The system at a point, with one control fixed. `mode` is the
    /// antisymmetric vector and fixes the length of the null vector.
    Teuchos::RCP<ExtendedGroup>
    make_group(const State &at, std::size_t fixed);

    std::optional<State>
    solve(const State                 &guess,
          std::size_t                  fixed,
          const std::optional<Vector> &previous_state);

    /// Brings a guess to an equilibrium at its controls, and its mode to the
    /// nearest eigenvector there: both are cheap and robust, and leave only a
    /// small change of the controls to the large system.
    bool
    approach(State &guess, const std::optional<Vector> &previous_state);

    /// The derivative of a point with respect to the fixed control.
    std::optional<State>
    rate(const State &at, std::size_t fixed);

    /// Commits a state. Renewed reference frames are another gauge, in which
    /// the null vector looks different.
    bool
    commit_changes_mode(const State &state);

    FrontierPoint
    report(const State &state) const;

    Controls                            &outer_controls;
    Controls                             controls; ///< in units of the box
    Model                               &model;
    NewtonOptions                        newton;
    FrontierOptions                      options;
    EquilibriumSolver                    equilibrium;
    Teuchos::RCP<Teuchos::ParameterList> list;
    Teuchos::RCP<LOCA::GlobalData>       global_data;
    Teuchos::RCP<Tangent>                tangent;
  };

  Teuchos::RCP<ExtendedGroup>
  FrontierTracker::Implementation::make_group(const State      &at,
                                              const std::size_t fixed)
  {
    controls.set({at.u[0], at.u[1]});
    const auto underlying = Teuchos::rcp(new ModelGroup(
      global_data, controls, tangent, at.q, ModelGroup::Jacobian::hessian));
    const auto parser =
      Teuchos::rcp(new LOCA::Parameter::SublistParser(global_data));
    parser->parseSublists(list);

    const auto mode = Teuchos::rcp(new NoxVector(model.layout(), at.phi));
    // LOCA measures null vectors by their root mean square.
    mode->scale(std::sqrt(static_cast<double>(mode->length())) /
                mode->norm(NOX::Abstract::Vector::TwoNorm));
    const Teuchos::RCP<NOX::Abstract::Vector> vector = mode;
    const auto pitchfork = Teuchos::rcp(new Teuchos::ParameterList);
    pitchfork->set("Bifurcation Parameter", controls.names()[1 - fixed]);
    pitchfork->set("Length Normalization Vector", vector);
    pitchfork->set("Initial Null Vector", vector);
    pitchfork->set("Antisymmetric Vector", vector);
    pitchfork->set("Solver Method", "Phipps Bordering");
    pitchfork->set("Bordered Solver Method", MixedBlockElimination::name);
    const auto group = Teuchos::rcp(
      new ExtendedGroup(global_data, parser, pitchfork, underlying));
    // The constructor starts from the underlying state, null vector and
    // control; the slack is zero.
    return group;
  }

  bool
  FrontierTracker::Implementation::approach(
    State                       &guess,
    const std::optional<Vector> &previous_state)
  {
    controls.set({guess.u[0], guess.u[1]});
    const Equilibrium found = equilibrium.solve(guess.q, previous_state);
    if (!found.converged())
      return false;
    guess.q          = found.q;
    guess.iterations = found.iterations;

    tangent->clear();
    model.hessian(guess.q, *tangent);
    tangent->finish();
    NoxVector mode(model.layout(), guess.phi), image(mode, NOX::ShapeCopy);
    for (int i = 0; i < 2; ++i)
      if (tangent->solve(mode.handle(), image.handle()))
        {
          const double sign = image.innerProduct(mode) < 0. ? -1. : 1.;
          mode              = image;
          mode.scale(sign / mode.norm(NOX::Abstract::Vector::TwoNorm));
        }
    guess.phi = petsc::local_values(mode.handle());
    return true;
  }

  std::optional<FrontierTracker::Implementation::State>
  FrontierTracker::Implementation::solve(
    const State                 &guess,
    const std::size_t            fixed,
    const std::optional<Vector> &previous_state)
  {
    State near = guess;
    if (!approach(near, previous_state))
      return {};
    const auto nox = Teuchos::rcp(new Teuchos::ParameterList);
    set_up_newton(*nox, "Full Step");
    NewtonOptions limits  = newton;
    limits.max_iterations = std::min(limits.max_iterations, 15);
    const auto solver     = NOX::Solver::buildSolver(make_group(near, fixed),
                                                 stopping_rule(limits),
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
    catch (const std::logic_error &)
      {
        return {}; // so LOCA says that a border is singular
      }
    const auto &x =
      dynamic_cast<const ExtendedVector &>(solver->getSolutionGroup().getX());
    State result;
    result.q   = petsc::local_values(NoxVector::cast(*x.getXVec()).handle());
    result.phi = petsc::local_values(NoxVector::cast(*x.getNullVec()).handle());
    result.u   = guess.u;
    result.u[1 - fixed] = x.getBifParam();
    result.slack        = x.getSlack();
    result.iterations   = near.iterations + solver->getNumIterations();
    return result;
  }

  std::optional<FrontierTracker::Implementation::State>
  FrontierTracker::Implementation::rate(const State      &at,
                                        const std::size_t fixed)
  {
    const auto group = make_group(at, fixed);
    group->computeF();
    group->computeJacobian();
    const auto derivative = group->getX().createMultiVector(2, NOX::ShapeCopy);
    const auto tangents   = group->getX().createMultiVector(1, NOX::ShapeCopy);
    group->computeDfDpMulti({static_cast<int>(fixed)}, *derivative, false);
    const auto             rhs = derivative->subView(std::vector<int>{1});
    Teuchos::ParameterList solver_list;
    try
      {
        if (group->applyJacobianInverseMultiVector(
              solver_list, *rhs, *tangents) != NOX::Abstract::Group::Ok)
          return {};
      }
    catch (const char *)
      {
        return {};
      }
    catch (const std::logic_error &)
      {
        return {};
      }
    const auto &t = dynamic_cast<const ExtendedVector &>((*tangents)[0]);
    State       result;
    result.q = -petsc::local_values(NoxVector::cast(*t.getXVec()).handle());
    result.phi =
      -petsc::local_values(NoxVector::cast(*t.getNullVec()).handle());
    result.u[fixed]     = 1.;
    result.u[1 - fixed] = -t.getBifParam();
    return result;
  }

  bool
  FrontierTracker::Implementation::commit_changes_mode(const State &state)
  {
    NoxVector before(model.layout()), after(model.layout());
    petsc::set_and_accumulate(before.handle(),
                              model.hessian_times(state.q, state.phi));
    model.commit(state.q);
    petsc::set_and_accumulate(after.handle(),
                              model.hessian_times(state.q, state.phi));
    before.update(-1., after, 1.);
    return before.norm(NOX::Abstract::Vector::MaxNorm) > 0.;
  }

  FrontierPoint
  FrontierTracker::Implementation::report(const State &state) const
  {
    FrontierPoint point;
    for (int i = 0; i < 2; ++i)
      point.controls[i] =
        options.minimum[i] +
        state.u[i] * (options.maximum[i] - options.minimum[i]);
    point.q           = state.q;
    point.null_vector = state.phi;
    point.slack       = state.slack;
    point.iterations  = state.iterations;
    return point;
  }

  FrontierTracker::FrontierTracker(Controls              &controls,
                                   const NewtonOptions   &newton,
                                   const FrontierOptions &options)
    : implementation(
        std::make_unique<Implementation>(controls, newton, options))
  {}

  FrontierTracker::~FrontierTracker() = default;

  FrontierEnd
  FrontierTracker::track(const Vector   &start,
                         const Vector   &mode,
                         std::size_t     fixed,
                         const int       direction,
                         const Observer &observer)
  {
    using State = Implementation::State;

    Implementation        &self    = *implementation;
    const FrontierOptions &options = self.options;
    // They may have been moved since.
    self.controls = unit_controls(self.outer_controls, options);
    State guess;
    guess.q   = start;
    guess.phi = mode;
    guess.u   = {self.controls.values()[0], self.controls.values()[1]};
    std::optional<State> present = self.solve(guess, fixed, {});
    if (!present)
      return FrontierEnd::no_bifurcation;
    if (!observer(self.report(*present)))
      return FrontierEnd::stopped;

    Plane heading  = Plane::Zero(); // of the last step
    heading[fixed] = direction;
    double step    = options.first_step;
    for (int n = 1; n < options.max_points; ++n)
      {
        // Fix the control that changes faster.
        std::optional<State> rate = self.rate(*present, fixed);
        if (!rate || std::abs(rate->u[1 - fixed]) > 1.5)
          {
            const std::optional<State> other = self.rate(*present, 1 - fixed);
            if (other && (!rate || std::abs(other->u[fixed]) < 1.))
              {
                fixed = 1 - fixed;
                rate  = other;
              }
          }
        if (!rate)
          return FrontierEnd::step_failed;
        const double sign   = rate->u.dot(heading) < 0. ? -1. : 1.;
        const double length = rate->u.norm();
        heading             = sign / length * rate->u;

        self.controls.set({present->u[0], present->u[1]});
        const Vector previous_state = self.model.full_state(present->q);

        const auto at_distance = [&](const double ds) {
          const double change = sign * ds / length; // of the fixed control
          State        next;
          next.q   = present->q + change * rate->q;
          next.phi = present->phi + change * rate->phi;
          next.u   = present->u + change * rate->u;
          return self.solve(next, fixed, previous_state);
        };
        std::optional<State> next;
        while (!(next = at_distance(step)))
          {
            step /= 2.;
            if (step < options.smallest_step)
              return FrontierEnd::step_failed;
          }

        // The last point is on the edge of the box.
        for (std::size_t i = 0; i < 2; ++i)
          for (const double edge : {0., 1.})
            if ((next->u[i] - edge) * (present->u[i] - edge) < 0.)
              {
                const double t =
                  (edge - present->u[i]) / (next->u[i] - present->u[i]);
                State last;
                last.q    = present->q + t * (next->q - present->q);
                last.phi  = present->phi + t * (next->phi - present->phi);
                last.u    = present->u + t * (next->u - present->u);
                last.u[i] = edge;
                if (const auto found = self.solve(last, i, previous_state))
                  observer(self.report(*found));
                return FrontierEnd::left_box;
              }

        self.controls.set({next->u[0], next->u[1]});
        if (self.commit_changes_mode(*next))
          {
            const int spent = next->iterations;
            next = self.solve(*next, fixed, self.model.full_state(next->q));
            if (!next)
              return FrontierEnd::step_failed;
            next->iterations = spent;
          }
        present = next;
        if (!observer(self.report(*present)))
          return FrontierEnd::stopped;
        step = std::min(options.largest_step,
                        step * (next->iterations <= 10   ? 1.5
                                : next->iterations <= 14 ? 1.
                                                         : 0.5));
      }
    return FrontierEnd::enough_points;
  }
} // namespace slender

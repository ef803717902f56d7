// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/frontier.h>
#include <slender/statics/frontier_system.h>

#include <deal.II/base/parameter_handler.h>

#include <cmath>
#include <optional>

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
    prm.declare_entry("Method",
                      "Moore-Spence",
                      Selection("Moore-Spence|minimally augmented"),
                      "Equations for the singular Hessian: of its null vector "
                      "('Moore-Spence') or one scalar ('minimally augmented', "
                      "slower, as a cross-check).");
    prm.add_action("Method", [this](const std::string &name) {
      method = name == "Moore-Spence" ? FrontierMethod::moore_spence
                                      : FrontierMethod::minimally_augmented;
    });
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
    using Plane = Eigen::Vector2d;

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

  namespace
  {
    /// How a point changes with the fixed control, from the last two points:
    /// where the tangent cannot be had.
    std::optional<FrontierState>
    secant(const FrontierState &from,
           const FrontierState &to,
           const std::size_t    fixed)
    {
      const double change = to.u[fixed] - from.u[fixed];
      if (change == 0.)
        return {};
      FrontierState rate;
      rate.q   = (to.q - from.q) / change;
      rate.phi = 0. * to.phi;
      rate.u   = (to.u - from.u) / change;
      return rate;
    }

    /// Where a step leaves the box.
    struct Edge
    {
      std::size_t   control;
      bool          is_reached; ///< the step began there
      FrontierState guess;      ///< of the point on the edge
    };

    std::optional<Edge>
    edge_between(const FrontierState &from, const FrontierState &to)
    {
      for (std::size_t i = 0; i < 2; ++i)
        if (to.u[i] < 0. || to.u[i] > 1.)
          {
            const double  edge = to.u[i] < 0. ? 0. : 1.;
            const double  t    = (edge - from.u[i]) / (to.u[i] - from.u[i]);
            FrontierState guess;
            guess.q    = from.q + t * (to.q - from.q);
            guess.phi  = from.phi + t * (to.phi - from.phi);
            guess.u    = from.u + t * (to.u - from.u);
            guess.u[i] = edge;
            return Edge{i, std::abs(edge - from.u[i]) < 1e-12, guess};
          }
      return {};
    }
  } // namespace

  struct FrontierTracker::Implementation
  {
    Implementation(Controls              &the_controls,
                   const NewtonOptions   &newton,
                   const FrontierOptions &the_options)
      : outer_controls(the_controls)
      , controls(unit_controls(the_controls, the_options))
      , model(controls.model())
      , options(the_options)
      , system(controls, newton, options)
    {}

    FrontierPoint
    report(const FrontierState &state) const;

    /// Accepts a point; its mode may have to be found anew.
    bool
    commit(FrontierState &state, std::size_t fixed);

    Controls       &outer_controls;
    Controls        controls; ///< in units of the box
    Model          &model;
    FrontierOptions options;
    FrontierSystem  system;
  };

  bool
  FrontierTracker::Implementation::commit(FrontierState    &state,
                                          const std::size_t fixed)
  {
    controls.set({state.u[0], state.u[1]});
    if (!model.commit(state.q))
      return true;
    const auto renewed = system.solve(state, fixed, model.full_state(state.q));
    if (!renewed)
      return false;
    const int spent = state.iterations;
    state           = *renewed;
    state.iterations += spent;
    return true;
  }

  FrontierPoint
  FrontierTracker::Implementation::report(const FrontierState &state) const
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
    using State = FrontierState;

    Implementation        &self    = *implementation;
    const FrontierOptions &options = self.options;
    // They may have been moved since.
    self.controls = unit_controls(self.outer_controls, options);
    State guess;
    guess.q   = start;
    guess.phi = mode;
    guess.u   = {self.controls.values()[0], self.controls.values()[1]};
    self.system.set_symmetric_state(start);
    std::optional<State> present = self.system.solve(guess, fixed, {});
    if (!present) // a failure of the moment is not the lack of a bifurcation
      present = self.system.solve(guess, fixed, {});
    constexpr double margin = 1e-9;
    if (!present || present->u.minCoeff() < -margin ||
        present->u.maxCoeff() > 1. + margin || !self.commit(*present, fixed))
      return FrontierEnd::no_bifurcation;
    if (!observer(self.report(*present)))
      return FrontierEnd::stopped;

    std::optional<State> previous;
    Plane                heading = Plane::Zero(); // of the last step
    heading[fixed]               = direction;
    double step                  = options.first_step;
    for (int n = 1; n < options.max_points; ++n)
      {
        // Fix the control that changes faster.
        std::optional<State> rate = self.system.rate(*present, fixed);
        if (!rate || std::abs(rate->u[1 - fixed]) > 1.5)
          {
            const std::optional<State> other =
              self.system.rate(*present, 1 - fixed);
            if (other && (!rate || std::abs(other->u[fixed]) < 1.))
              {
                fixed = 1 - fixed;
                rate  = other;
              }
          }
        if (!rate && previous)
          rate = secant(*previous, *present, fixed);
        if (!rate)
          return FrontierEnd::step_failed;
        const double sign   = rate->u.dot(heading) < 0. ? -1. : 1.;
        const double length = rate->u.norm();
        heading             = sign / length * rate->u;

        self.controls.set({present->u[0], present->u[1]});
        const Vector previous_state = self.model.full_state(present->q);

        const auto at_distance = [&](const double ds) {
          // Of the fixed control; to two digits, so that round-off, which
          // differs between numbers of ranks, does not move the points.
          const double change = sign * ds * std::round(100. / length) / 100.;
          State        next;
          next.q   = present->q + change * rate->q;
          next.phi = present->phi + change * rate->phi;
          next.u   = present->u + change * rate->u;
          return self.system.solve(next, fixed, previous_state);
        };
        std::optional<State> next;
        while (!(next = at_distance(step)))
          {
            step /= 2.;
            if (step < options.smallest_step)
              return FrontierEnd::step_failed;
          }

        // The last point is on the edge of the box.
        if (const auto edge = edge_between(*present, *next))
          {
            if (edge->is_reached)
              return FrontierEnd::left_box;
            if (const auto last =
                  self.system.solve(edge->guess, edge->control, previous_state))
              {
                observer(self.report(*last));
                return FrontierEnd::left_box;
              }
            step /= 2.; // nearer to it, the guess will be better
            if (step < options.smallest_step)
              return FrontierEnd::step_failed;
            continue;
          }

        if (!self.commit(*next, fixed))
          return FrontierEnd::step_failed;
        previous = present;
        present  = next;
        self.system.set_symmetric_state(present->q);
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

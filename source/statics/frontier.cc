// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/frontier.h>
#include <slender/statics/frontier_equations.h>

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
        case FrontierEnd::interrupted:
          return "it was interrupted";
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

    void
    measure_in_box(Controls &controls, const FrontierOptions &options)
    {
      for (std::size_t i = 0; i < 2; ++i)
        controls.measure_in(i,
                            options.minimum[i],
                            options.maximum[i] - options.minimum[i],
                            1.);
    }

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

  namespace
  {
    /// A cursor at work.
    struct Way
    {
      FrontierState                present;
      std::optional<FrontierState> previous;
      Vector                       symmetric_state;
      Plane                        heading  = Plane::Zero(); // of the last step
      std::size_t                  fixed    = 0;
      double                       step     = 0.;
      int                          n_points = 1;
    };

    FrontierCursor
    to_cursor(const Way &way)
    {
      FrontierCursor cursor;
      cursor.present = {way.present.q, {{way.present.u[0], way.present.u[1]}}};
      cursor.null_vector  = way.present.phi;
      cursor.has_previous = way.previous.has_value();
      if (way.previous)
        cursor.previous = {way.previous->q,
                           {{way.previous->u[0], way.previous->u[1]}}};
      cursor.symmetric_state = way.symmetric_state;
      cursor.heading         = {{way.heading[0], way.heading[1]}};
      cursor.fixed           = way.fixed;
      cursor.step            = way.step;
      cursor.n_points        = way.n_points;
      return cursor;
    }

    Way
    to_way(const FrontierCursor &cursor)
    {
      Way way;
      way.present.q   = cursor.present.q;
      way.present.u   = {cursor.present.u[0], cursor.present.u[1]};
      way.present.phi = cursor.null_vector;
      if (cursor.has_previous)
        {
          way.previous.emplace();
          way.previous->q = cursor.previous.q;
          way.previous->u = {cursor.previous.u[0], cursor.previous.u[1]};
        }
      way.symmetric_state = cursor.symmetric_state;
      way.heading         = {cursor.heading[0], cursor.heading[1]};
      way.fixed           = cursor.fixed;
      way.step            = cursor.step;
      way.n_points        = cursor.n_points;
      return way;
    }
  } // namespace

  struct FrontierTracker::Implementation
  {
    Implementation(Controls              &the_controls,
                   const NewtonOptions   &newton,
                   const FrontierOptions &the_options)
      : controls(the_controls)
      , system(controls.system())
      , options(the_options)
      , equations(controls, newton, options)
    {}

    /// From a point that was reported, step by step.
    FrontierEnd
    walk(Way way, const Observer &observer);

    FrontierPoint
    report(const FrontierState &state) const;

    /// Accepts a point; its mode may have to be found anew.
    bool
    commit(FrontierState &state, std::size_t fixed);

    Controls         &controls; ///< in units of the box
    System           &system;
    FrontierOptions   options;
    FrontierEquations equations;
    Watcher           watcher;
  };

  bool
  FrontierTracker::Implementation::commit(FrontierState    &state,
                                          const std::size_t fixed)
  {
    controls.set_unit_values({state.u[0], state.u[1]});
    if (!system.commit(state.q))
      return true;
    const auto renewed =
      equations.solve(state, fixed, system.full_state(state.q));
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
  FrontierTracker::track(const Vector     &start,
                         const Vector     &mode,
                         const std::size_t fixed,
                         const int         direction,
                         const Observer   &observer)
  {
    Implementation        &self    = *implementation;
    const FrontierOptions &options = self.options;
    measure_in_box(self.controls, options);
    FrontierState guess;
    guess.q   = start;
    guess.phi = mode;
    guess.u = {self.controls.unit_values()[0], self.controls.unit_values()[1]};
    self.equations.set_symmetric_state(start);
    std::optional<FrontierState> present =
      self.equations.solve(guess, fixed, {});
    if (!present) // a failure of the moment is not the lack of a bifurcation
      present = self.equations.solve(guess, fixed, {});
    constexpr double margin = 1e-9;
    if (!present || present->u.minCoeff() < -margin ||
        present->u.maxCoeff() > 1. + margin || !self.commit(*present, fixed))
      return FrontierEnd::no_bifurcation;
    if (!observer(self.report(*present)))
      return FrontierEnd::stopped;

    Way way;
    way.present         = *present;
    way.symmetric_state = start;
    way.heading[fixed]  = direction;
    way.fixed           = fixed;
    way.step            = options.first_step;
    return self.walk(way, observer);
  }

  void
  FrontierTracker::set_watcher(Watcher watcher)
  {
    implementation->watcher = std::move(watcher);
  }

  FrontierEnd
  FrontierTracker::resume(const FrontierCursor &cursor,
                          const Observer       &observer)
  {
    Implementation &self = *implementation;
    measure_in_box(self.controls, self.options);
    self.equations.set_symmetric_state(cursor.symmetric_state);
    return self.walk(to_way(cursor), observer);
  }

  FrontierEnd
  FrontierTracker::Implementation::walk(Way way, const Observer &observer)
  {
    using Point        = FrontierState;
    std::size_t &fixed = way.fixed;
    double      &step  = way.step;
    for (; way.n_points < options.max_points; ++way.n_points)
      {
        if (watcher && !watcher(to_cursor(way)))
          return FrontierEnd::interrupted;
        const Point &present = way.present;
        // Fix the control that changes faster.
        std::optional<Point> rate = equations.rate(present, fixed);
        if (!rate || std::abs(rate->u[1 - fixed]) > 1.5)
          {
            const std::optional<Point> other =
              equations.rate(present, 1 - fixed);
            if (other && (!rate || std::abs(other->u[fixed]) < 1.))
              {
                fixed = 1 - fixed;
                rate  = other;
              }
          }
        if (!rate && way.previous)
          rate = secant(*way.previous, present, fixed);
        if (!rate)
          return FrontierEnd::step_failed;
        const double sign   = rate->u.dot(way.heading) < 0. ? -1. : 1.;
        const double length = rate->u.norm();
        way.heading         = sign / length * rate->u;

        controls.set_unit_values({present.u[0], present.u[1]});
        const Vector previous_state = system.full_state(present.q);

        const auto at_distance = [&](const double ds) {
          // Of the fixed control; to two digits, so that round-off, which
          // differs between numbers of ranks, does not move the points.
          const double change = sign * ds * std::round(100. / length) / 100.;
          Point        next;
          next.q   = present.q + change * rate->q;
          next.phi = present.phi + change * rate->phi;
          next.u   = present.u + change * rate->u;
          return equations.solve(next, fixed, previous_state);
        };
        std::optional<Point> next;
        while (!(next = at_distance(step)))
          {
            step /= 2.;
            if (step < options.smallest_step)
              return FrontierEnd::step_failed;
          }

        // The last point is on the edge of the box.
        if (const auto edge = edge_between(present, *next))
          {
            if (edge->is_reached)
              return FrontierEnd::left_box;
            if (const auto last =
                  equations.solve(edge->guess, edge->control, previous_state))
              {
                observer(report(*last));
                return FrontierEnd::left_box;
              }
            step /= 2.; // nearer to it, the guess will be better
            if (step < options.smallest_step)
              return FrontierEnd::step_failed;
            continue;
          }

        if (!commit(*next, fixed))
          return FrontierEnd::step_failed;
        way.previous        = present;
        way.present         = *next;
        way.symmetric_state = next->q;
        equations.set_symmetric_state(next->q);
        if (!observer(report(way.present)))
          return FrontierEnd::stopped;
        step = std::min(options.largest_step,
                        step * (next->iterations <= 10   ? 1.5
                                : next->iterations <= 14 ? 1.
                                                         : 0.5));
      }
    return FrontierEnd::enough_points;
  }
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/frontier.h>
#include <slender/statics/frontier_equations.h>
#include <slender/statics/frontier_events.h>
#include <slender/statics/frontier_way.h>

#include <cmath>
#include <optional>

namespace slender
{
  namespace
  {
    using Plane = Eigen::Vector2d;

    /// A point that the tangent had not expected, or where the frontier has
    /// turned far, may be on another frontier: the distance from where it was
    /// expected, over the length of the step, and the cosine of the angle.
    constexpr double largest_correction = 0.3;
    constexpr double least_cosine       = 0.7;

    /// Points nearer to each other than this, in units of the box, are one.
    constexpr double same_point = 1e-6;

    /// A force along the mode of a pitchfork, on a vector of unit length, that
    /// is not round-off: the states are no equilibria.
    constexpr double largest_slack = 1e-6;

    void
    measure_in_box(Controls &controls, const FrontierOptions &options)
    {
      for (std::size_t i = 0; i < 2; ++i)
        controls.measure_in(i,
                            options.minimum[i],
                            options.maximum[i] - options.minimum[i],
                            1.);
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
      , equations(make_frontier_equations(controls, newton, options))
      , events(controls, *equations, options)
    {}

    /// From a point that was reported, step by step.
    FrontierEnd
    walk(FrontierWay way, const Observer &observer);

    /// Whether a point is one: no force is needed to keep its symmetry.
    bool
    is_symmetric(const FrontierState &state) const
    {
      return options.kind == FrontierKind::fold ||
             std::abs(state.slack) < largest_slack;
    }

    /// Whether a step led from one point to another on the same frontier.
    bool
    is_next(const FrontierState &from, const FrontierState &to) const
    {
      // Else it has jumped over a cusp.
      const bool has_jumped = options.kind == FrontierKind::fold &&
                              from.outlook.cubic * to.outlook.cubic < 0.;
      return is_symmetric(to) && !has_jumped &&
             system.longest_step(from.q, to.q - from.q) >= 1.;
    }

    /// The point at a distance ahead.
    std::optional<FrontierState>
    point_ahead(const FrontierWay &way, double distance);

    /// Has a look at a point with other modes to watch; false if it then is not
    /// the same one.
    bool
    replace(FrontierState &state, const FrontierState &seen);

    /// Looks for the modes that are said to be unstable at a point.
    void
    verify(FrontierState &state);

    /// What is between the present point and the next one, if that is where it
    /// seems to be. Either may get another mode to watch.
    FrontierEvents::Crossing
    crossing_before(FrontierWay &way, FrontierState &next);

    /// How far ahead a cusp of folds seems to be.
    std::optional<double>
    distance_to_cusp(const FrontierWay &way) const
    {
      const auto passed = way.last_passed();
      if (options.kind != FrontierKind::fold || !passed)
        return {};
      return FrontierEvents::distance_to_cusp(way.present.outlook.cubic,
                                              passed->cubic,
                                              passed->distance);
    }

    bool
    is_near_cusp(const FrontierWay &way) const
    {
      const auto distance = distance_to_cusp(way);
      return distance && *distance < 0.1 * options.largest_step;
    }

    /// A cusp that the next step would come to; the way then goes on along the
    /// other fold.
    std::optional<FrontierEvents::Cusp>
    find_cusp(const FrontierWay &way);

    /// Tells of a point that the way does not stop at.
    bool
    tell(const Observer      &observer,
         const FrontierState &state,
         FrontierEvent        event) const;

    FrontierPoint
    report(const FrontierState &state) const;

    /// Accepts a point; its mode and its rate may have to be found anew.
    void
    commit(FrontierState &state);

    Controls                          &controls; ///< in units of the box
    System                            &system;
    FrontierOptions                    options;
    std::unique_ptr<FrontierEquations> equations;
    FrontierEvents                     events;
    Watcher                            watcher;
  };

  std::optional<FrontierState>
  FrontierTracker::Implementation::point_ahead(const FrontierWay &way,
                                               const double       distance)
  {
    const FrontierState &present = way.present;
    controls.set_unit_values({present.u[0], present.u[1]});
    const Vector previous = system.full_state(present.q);
    return equations->solve(way.predict(distance), present.rate.u, previous);
  }

  FrontierEvents::Crossing
  FrontierTracker::Implementation::crossing_before(FrontierWay   &way,
                                                   FrontierState &next)
  {
    // Halved as often because of a turn that a shorter step would explain.
    const double shortest_turn = options.largest_step / 256.;
    if (way.step > shortest_turn &&
        (std::abs(way.present.rate.u.dot(next.rate.u)) < least_cosine ||
         (next.u - way.predict(way.step).u).norm() >
           largest_correction * way.step))
      return {FrontierEvent::none, {}, true};
    const auto changes_sign = [&] {
      return way.present.outlook.second_eigenvalue *
               next.outlook.second_eigenvalue <
             0.;
    };
    // Another mode than the one that was watched may have become unstable, or
    // stable again.
    const Index before = way.present.outlook.n_unstable,
                after  = next.outlook.n_unstable;
    if (before >= 0 && after >= 0 && before != after && !changes_sign())
      {
        // Where it is unstable it is known by that.
        FrontierState &at    = before < after ? next : way.present;
        FrontierState &other = before < after ? way.present : next;
        verify(at);
        if (at.outlook.n_unstable == other.outlook.n_unstable)
          return {}; // the sign of a pivot was round-off
        FrontierState seen  = other;
        const Index   count = other.outlook.n_unstable;
        // What is unstable here is critical there: they are not the same.
        if (!equations->watch(seen, at.modes.rightCols(1)) ||
            !replace(other, seen))
          return {FrontierEvent::none, {}, true};
        other.outlook.n_unstable = count;
        equations->set_symmetric_state(way.present.q);
      }
    const auto ahead = [&](const double ds) { return point_ahead(way, ds); };
    return events.find_crossing(way.present, next, way.step, ahead);
  }

  bool
  FrontierTracker::Implementation::replace(FrontierState       &state,
                                           const FrontierState &seen)
  {
    equations->set_symmetric_state(state.q);
    const auto found = equations->solve(seen, seen.rate.u, {});
    if (!found || (found->u - state.u).norm() > same_point)
      return false;
    state.modes         = found->modes;
    state.antisymmetric = found->antisymmetric;
    state.n_held        = found->n_held;
    state.outlook       = found->outlook;
    return true;
  }

  void
  FrontierTracker::Implementation::verify(FrontierState &state)
  {
    if (state.outlook.n_unstable <= 0)
      return;
    FrontierState seen = state;
    if (!equations->watch_softest(seen))
      return;
    if (seen.outlook.n_unstable > 0)
      replace(state, seen);
    state.outlook.n_unstable = seen.outlook.n_unstable;
  }

  std::optional<FrontierEvents::Cusp>
  FrontierTracker::Implementation::find_cusp(const FrontierWay &way)
  {
    const auto distance = distance_to_cusp(way);
    if (!distance || *distance > 1.5 * way.step)
      return {};
    return events.find_cusp(way.present, *distance);
  }

  bool
  FrontierTracker::Implementation::tell(const Observer      &observer,
                                        const FrontierState &state,
                                        const FrontierEvent  event) const
  {
    controls.set_unit_values({state.u[0], state.u[1]});
    FrontierPoint point = report(state);
    point.event         = event;
    return observer(point);
  }

  void
  FrontierTracker::Implementation::commit(FrontierState &state)
  {
    controls.set_unit_values({state.u[0], state.u[1]});
    if (!system.commit(state.q))
      return;
    equations->set_symmetric_state(state.q);
    state.antisymmetric.resize(0, 0);
    // If they cannot be had here, where the Hessian is as singular as can be,
    // the old ones will do as guesses for the next point.
    if (auto renewed = equations->solve(state, state.rate.u, {}))
      {
        renewed->iterations += state.iterations;
        if (renewed->rate.u.dot(state.rate.u) < 0.)
          reverse(*renewed);
        state = *renewed;
      }
    else
      state.antisymmetric = state.modes;
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
    point.null_vector = state.modes.col(0);
    point.slack       = state.slack;
    point.doubt       = state.doubt;
    point.iterations  = state.iterations;
    point.outlook     = state.outlook;
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
    Implementation &self = *implementation;
    measure_in_box(self.controls, self.options);
    FrontierState guess;
    guess.q     = start;
    guess.modes = mode;
    guess.u = {self.controls.unit_values()[0], self.controls.unit_values()[1]};
    self.equations->set_symmetric_state(start);
    const Plane across = Plane::Unit(static_cast<Index>(fixed));
    std::optional<FrontierState> present =
      self.equations->solve(guess, across, {});
    if (!present) // a failure of the moment is not the lack of a bifurcation
      present = self.equations->solve(guess, across, {});
    constexpr double margin = 1e-9;
    if (!present || present->u.minCoeff() < -margin ||
        present->u.maxCoeff() > 1. + margin)
      return FrontierEnd::no_bifurcation;
    if (!self.is_symmetric(*present))
      return FrontierEnd::no_symmetry;
    if (present->rate.u[static_cast<Index>(fixed)] * direction < 0.)
      reverse(*present);
    self.commit(*present);
    self.verify(*present);
    if (!observer(self.report(*present)))
      return FrontierEnd::stopped;

    return self.walk(FrontierWay(*present, self.options.first_step), observer);
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
    measure_in_box(implementation->controls, implementation->options);
    return implementation->walk(FrontierWay(cursor), observer);
  }

  FrontierEnd
  FrontierTracker::Implementation::walk(FrontierWay     way,
                                        const Observer &observer)
  {
    double &step = way.step;
    for (; way.n_points < options.max_points; ++way.n_points)
      {
        if (watcher && !watcher(way.cursor()))
          return FrontierEnd::interrupted;
        const FrontierState &present = way.present;
        equations->set_symmetric_state(present.q);
        controls.set_unit_values({present.u[0], present.u[1]});
        const Vector previous = system.full_state(present.q);
        if (const auto cusp = find_cusp(way))
          {
            if (!tell(observer, cusp->state, FrontierEvent::cusp))
              return FrontierEnd::stopped;
            way.restart(cusp->beyond);
            commit(way.present);
            if (!observer(report(way.present)))
              return FrontierEnd::stopped;
            continue;
          }

        bool       lacks_symmetry = false;
        const auto first_ahead    = [&]() -> std::optional<FrontierState> {
          for (; step >= options.smallest_step; step /= 2.)
            {
              auto found = point_ahead(way, step);
              if (found && is_next(present, *found))
                return found;
              lacks_symmetry = found.has_value();
            }
          return {};
        };
        std::optional<FrontierState> next = first_ahead();
        if (!next)
          return lacks_symmetry      ? FrontierEnd::no_symmetry
                 : is_near_cusp(way) ? FrontierEnd::cusp
                                     : FrontierEnd::step_failed;

        if (next->rate.u.dot(next->u - present.u) < 0.)
          reverse(*next);
        // What crosses before the next point. A step that may have led to
        // another frontier is taken again, shorter.
        const auto crossing = crossing_before(way, *next);
        if (crossing.has_jumped)
          {
            step /= 2.;
            if (step < options.smallest_step)
              return FrontierEnd::step_failed;
            continue;
          }
        const auto tell_crossing = [&] {
          return !crossing.state ||
                 tell(observer, *crossing.state, crossing.kind);
        };

        // The last point is on the edge of the box.
        if (const auto edge = edge_between(present, *next))
          {
            if (edge->is_reached)
              return FrontierEnd::left_box;
            if (const auto last = equations->solve(
                  edge->guess,
                  Plane::Unit(static_cast<Index>(edge->control)),
                  previous);
                last && is_symmetric(*last))
              {
                if (tell_crossing())
                  tell(observer, *last, FrontierEvent::none);
                return FrontierEnd::left_box;
              }
            step /= 2.; // nearer to it, the guess will be better
            if (step < options.smallest_step)
              return FrontierEnd::step_failed;
            continue;
          }

        if (!tell_crossing())
          return FrontierEnd::stopped;
        way.advance(*next, [&](FrontierState &state) { commit(state); });
        if (!observer(report(way.present)))
          return FrontierEnd::stopped;
        step = std::min(options.largest_step,
                        step * (way.present.iterations <= 10   ? 1.5
                                : way.present.iterations <= 14 ? 1.
                                                               : 0.5));
      }
    return FrontierEnd::enough_points;
  }
} // namespace slender

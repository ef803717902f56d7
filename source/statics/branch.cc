// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/branch.h>
#include <slender/statics/branch_requests.h>
#include <slender/statics/continuation_step.h>
#include <slender/statics/event_search.h>
#include <slender/systems/kinematics.h>

#include <algorithm>
#include <cmath>

namespace slender
{
  namespace
  {
    using Location = ContinuationStep::Location;

    /// How far a point may be from where the tangent predicts it, and how far
    /// it should be, over the length of the step.
    constexpr double largest_correction = 0.5;
    constexpr double target_correction  = 0.1;

    /// The least cosine of the angle by which the tangent may turn in a step.
    constexpr double least_cosine = 0.7;

    /// How often a step is repeated at half its length because of something
    /// that a shorter one would explain.
    constexpr int most_repetitions = 8;

    /// A branch passes through a point if it comes this close to it, over the
    /// length of the step.
    constexpr double closeness = 0.02;

    /// A pseudo-random number from -sqrt(3) to sqrt(3), of unit variance, that
    /// belongs to a place in the state.
    double
    weight(std::int64_t place, const int k)
    {
      auto x = static_cast<std::uint64_t>(place) * 0x9e3779b97f4a7c15u +
               static_cast<std::uint64_t>(k + 1) * 0xbf58476d1ce4e5b9u;
      x ^= x >> 31;
      x *= 0x94d049bb133111ebu;
      x ^= x >> 29;
      x *= 0xbf58476d1ce4e5b9u;
      x ^= x >> 32;
      return std::sqrt(3.) *
             (2. * static_cast<double>(x >> 11) / 9007199254740992. - 1.);
    }
  } // namespace

  struct BranchFollower::Implementation
  {
    Implementation(Controls            &the_controls,
                   std::size_t          the_control,
                   const NewtonOptions &newton,
                   const BranchOptions &the_options)
      : controls(the_controls)
      , control(the_control)
      , system(controls.system())
      , options(the_options)
      , step(controls, control, newton, options)
      , events(system, newton, options, step)
      , requests(options, step, events)
    {}

    /// From the start of a branch, where the step stands ...
    BranchEnd
    begin(const Observer &observer, BranchCursor at);

    /// ... step by step.
    BranchEnd
    walk(BranchCursor at, const Observer &observer);

    /// What a watcher sees.
    BranchCursor
    complete(BranchCursor at) const;

    /// One step ahead, as long as it can be trusted; none if that is shorter
    /// than the smallest step.
    std::optional<BranchPoint>
    next_point(BranchCursor &at);

    /// Whether the motions that cost no energy became more or fewer in the
    /// step.
    bool
    symmetry_has_changed(const BranchCursor &at) const;

    /// Whether a branch passes through a location within a step, and at which
    /// distance.
    std::optional<double>
    passes(const Location &location, double length);

    /// A point by a few numbers that tell it from others.
    std::vector<double>
    trace(const BranchPoint &point) const;

    /// The observer finds the system at the point's parameter.
    bool
    tell(const Observer &observer, const BranchPoint &point)
    {
      step.set_parameter(point.parameter);
      return observer(point);
    }

    Controls                &controls;
    std::size_t              control;
    System                  &system;
    BranchOptions            options;
    ContinuationStep         step;
    EventSearch              events;
    BranchRequests           requests;
    Watcher                  watcher;
    std::vector<BranchPoint> landmarks;
    Meeting                  met;
    Trails                   trails;
    int                      retraced        = 0;
    double                   base_arc_length = 0.;
    std::vector<double>      lost; ///< requested, but not reached
  };

  std::vector<double>
  BranchFollower::Implementation::trace(const BranchPoint &point) const
  {
    constexpr int       n_projections = 6;
    const Layout       &layout        = system.layout();
    const Places        places        = system.unknown_places();
    std::vector<double> result        = {point.parameter /
                                         (options.maximum - options.minimum)};
    const double        unit =
      displacement_scale(system) * std::sqrt(static_cast<double>(layout.size));
    for (int k = 0; k < n_projections; ++k)
      {
        double sum = 0.;
        for (std::size_t i = 0; i < places.places.size(); ++i)
          if (places.numbers[i] < layout.n_owned())
            sum += weight(places.places[i], k) * point.q(places.numbers[i]);
        result.push_back(sum_over_ranks(layout, sum) / unit);
      }
    return result;
  }

  std::optional<double>
  BranchFollower::Implementation::passes(const Location &location,
                                         const double    length)
  {
    const auto [along, whole] = step.between(step.base_location(), location);
    if (options.method == ContinuationMethod::natural || along < 0. ||
        along > length || whole * whole - along * along > 0.1 * length * length)
      return {};
    const auto there = step.at_distance(along);
    if (!there || step.between(*there, location).whole > closeness * length)
      return {};
    return along;
  }

  BranchEnd
  BranchFollower::Implementation::begin(const Observer &observer,
                                        BranchCursor    at)
  {
    at.last.kind       = PointKind::start;
    at.length          = options.first_step;
    at.start           = at.last.q;
    at.start_parameter = at.last.parameter;
    trails.begin_branch();
    trails.add(trace(at.last));
    if (!tell(observer, at.last))
      return BranchEnd::stopped;
    return walk(at, observer);
  }

  BranchCursor
  BranchFollower::Implementation::complete(BranchCursor at) const
  {
    const ContinuationStep::Base base = step.base_point();
    at.direction                      = base.direction;
    at.direction_of_parameter         = base.direction_of_parameter;
    at.unit_parameter                 = base.unit_parameter;
    at.neutral                        = base.neutral;
    at.lost                           = requests.lost;
    at.n_lost_zeros                   = requests.n_lost_zeros;
    at.trails                         = trails;
    return at;
  }

  bool
  BranchFollower::Implementation::symmetry_has_changed(
    const BranchCursor &at) const
  {
    return !at.starts_at_bifurcation &&
           step.neutral_motions_ahead().size() != step.neutral_motions().size();
  }

  std::optional<BranchPoint>
  BranchFollower::Implementation::next_point(BranchCursor &at)
  {
    step.take_iterations();
    int n_turns = 0;
    for (; at.length >= options.smallest_step; at.length /= 2.)
      {
        // A large correction, or a tangent that has turned far, may mean that
        // it has led to another branch.
        const auto next = step.at_distance(at.length);
        if (!next || step.correction() > largest_correction)
          continue;
        const double deviation = step.correction();
        step.mark();
        const double cosine = step.turn();
        if (!at.starts_at_bifurcation && n_turns < most_repetitions &&
            (cosine < least_cosine || symmetry_has_changed(at)))
          {
            ++n_turns;
            continue;
          }
        BranchPoint point = make_point(*next, at.last.arc_length + at.length);
        point.iterations  = step.take_iterations();
        at.deviation      = deviation;
        // The matrix still is the one of the tangent.
        const Inertia inertia = step.matrix().inertia();
        point.n_negative =
          inertia.zero < system.layout().size && !events.counts_quotients()
            ? std::max<Index>(0,
                              inertia.negative - system.n_multipliers() -
                                at.n_doubtful)
            : events.count_negative(point.q, point.parameter);
        return point;
      }
    return {};
  }

  BranchEnd
  BranchFollower::Implementation::walk(BranchCursor    at,
                                       const Observer &observer)
  {
    BranchPoint &last   = at.last;
    double      &length = at.length;
    for (; at.n_steps < options.max_points; ++at.n_steps)
      {
        if (watcher && !watcher(complete(at)))
          return BranchEnd::interrupted;
        requests.set_base(last.arc_length);
        events.set_doubtful(at.n_doubtful);
        const auto ahead = next_point(at);
        if (!ahead)
          return BranchEnd::step_failed;
        if (symmetry_has_changed(at))
          return BranchEnd::new_symmetry;
        BranchPoint  point     = *ahead;
        const int    effort    = point.iterations;
        const double deviation = at.deviation;
        // Pivots that were doubtful at the last point are so here.
        point.is_undecided = at.n_doubtful > 0 || events.counts_quotients();

        // What lies between the two points, in the order of arc length.
        std::vector<BranchPoint> special;
        if (point.n_negative != last.n_negative && !at.starts_at_bifurcation)
          {
            special = events.find(last, point);
            // A search that failed may succeed with another step.
            if (special.empty() && at.n_repeated < 2)
              {
                ++at.n_repeated;
                length /= 2.;
                continue;
              }
            // The signs of pivots may be round-off.
            if (special.empty())
              {
                const Index          count = point.n_negative + at.n_doubtful;
                const StabilityCount certain =
                  events.verified(point.q, point.parameter, count);
                point.n_negative   = certain.n_negative;
                point.is_undecided = certain.is_undecided;
                at.n_doubtful      = count - certain.n_negative;
                if (certain.n_negative != last.n_negative)
                  point.lost_since = last.parameter;
              }
          }
        at.n_repeated            = 0;
        at.starts_at_bifurcation = false;
        // Between folds the parameter moves one way.
        std::vector<BranchPoint> corners = {last}, hits;
        for (const BranchPoint &event : special)
          if (event.kind == PointKind::fold)
            corners.push_back(event);
        corners.push_back(point);
        for (std::size_t i = 0; i + 1 < corners.size(); ++i)
          for (const BranchPoint &hit :
               requests.find_values(corners[i], corners[i + 1]))
            hits.push_back(hit);
        special.insert(special.end(), hits.begin(), hits.end());
        const std::vector<BranchPoint> zeros = requests.find_zeros(last, point);
        special.insert(special.end(), zeros.begin(), zeros.end());
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
              last_point = requests.at_parameter(corners[corners.size() - 2],
                                                 point,
                                                 bound);
            if (last_point)
              {
                last_point->kind       = PointKind::end;
                last_point->lost_since = point.lost_since;
              }
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

        for (std::size_t i = 0; i < landmarks.size(); ++i)
          if (met && passes({landmarks[i].q, landmarks[i].parameter}, length))
            met(i);
        if (at.n_steps >= 3)
          if (const auto distance =
                passes({at.start, at.start_parameter}, length))
            {
              BranchPoint end  = make_point({at.start, at.start_parameter},
                                           last.arc_length + *distance);
              end.kind         = PointKind::end;
              end.n_negative   = last.n_negative;
              end.is_undecided = last.is_undecided;
              tell(observer, end);
              return BranchEnd::closed;
            }

        step.set_parameter(point.parameter);
        const bool directions_have_changed = system.commit(point.q);
        if (!tell(observer, point))
          return BranchEnd::stopped;
        trails.add(trace(point));
        if (const auto branch = trails.retraced())
          {
            retraced = *branch;
            return retraced == trails.present_branch() ? BranchEnd::closed
                                                       : BranchEnd::retraced;
          }
        last = point;

        step.advance(directions_have_changed);
        // The deviation from the tangent grows with the step. In eighths, so
        // that round-off, which differs between numbers of ranks, does not move
        // the points.
        const double ideal = target_correction / (deviation + 1e-12);
        const double factor =
          std::round(8. * std::min(2., std::max(0.5, ideal))) / 8.;
        length =
          std::min(options.largest_step, length * (effort > 12 ? 0.5 : factor));
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
    ContinuationStep &step   = implementation->step;
    EventSearch      &events = implementation->events;
    step.begin(start, direction);
    BranchCursor at;
    at.last = make_point(step.base_location(), 0.);
    events.set_doubtful(0);
    events.examine(at.last.q, at.last.parameter);
    const Index count = events.count_negative(at.last.q, at.last.parameter);
    const StabilityCount certain =
      events.verified(at.last.q, at.last.parameter, count);
    at.last.n_negative   = certain.n_negative;
    at.last.is_undecided = certain.is_undecided;
    at.n_doubtful        = count - certain.n_negative;
    return implementation->begin(observer, at);
  }

  void
  BranchFollower::set_watcher(Watcher watcher)
  {
    implementation->watcher = std::move(watcher);
  }

  void
  BranchFollower::set_functions(std::vector<StateFunction> functions)
  {
    implementation->requests.functions = std::move(functions);
  }

  int
  BranchFollower::n_lost_zeros() const
  {
    return implementation->requests.n_lost_zeros;
  }

  void
  BranchFollower::set_landmarks(std::vector<BranchPoint> bifurcations,
                                Meeting                  met)
  {
    implementation->landmarks = std::move(bifurcations);
    implementation->met       = std::move(met);
  }

  int
  BranchFollower::retraced_branch() const
  {
    return implementation->retraced;
  }

  BranchEnd
  BranchFollower::resume(const BranchCursor &cursor, const Observer &observer)
  {
    implementation->requests.lost         = cursor.lost;
    implementation->requests.n_lost_zeros = cursor.n_lost_zeros;
    implementation->trails                = cursor.trails;
    implementation->step.resume({cursor.last.q,
                                 cursor.unit_parameter,
                                 cursor.direction,
                                 cursor.direction_of_parameter,
                                 cursor.neutral});
    return implementation->walk(cursor, observer);
  }

  const std::vector<double> &
  BranchFollower::lost_requests() const
  {
    return implementation->requests.lost;
  }

  BranchEnd
  BranchFollower::switch_branch(const BranchPoint &bifurcation,
                                const int          side,
                                const Observer    &observer)
  {
    Controls           &controls = implementation->controls;
    std::vector<double> values   = controls.values();

    values[implementation->control] = bifurcation.parameter;
    controls.set(values);
    ContinuationStep &step = implementation->step;
    step.begin(bifurcation.q,
               side,
               bifurcation.null_vector,
               bifurcation.companions);
    BranchCursor at;
    at.last                  = make_point(step.base_location(), 0.);
    at.starts_at_bifurcation = true;
    // What vanishes is not counted, whatever sign round-off gives it.
    std::vector<Vector> kept_out = step.neutral_motions();
    kept_out.push_back(bifurcation.null_vector);
    step.matrix().set_neutral_motions(kept_out);
    implementation->events.set_doubtful(0);
    at.last.n_negative =
      implementation->events.count_negative(at.last.q, at.last.parameter);
    step.matrix().set_neutral_motions(step.neutral_motions());
    return implementation->begin(observer, at);
  }
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/branch.h>
#include <slender/statics/continuation_step.h>
#include <slender/statics/soft_modes.h>
#include <slender/statics/stability.h>

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

    /// How many modes are looked at besides those that change stability: a
    /// body may have some that are soft without becoming unstable.
    constexpr int n_other_modes = 3;

    /// Eigenvalues that are smaller than this part of their neighbours are of
    /// a neutral motion, which costs no energy.
    constexpr double round_off = 1e-7;

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
      , equilibrium(system, newton)
    {}

    /// From the start of a branch, where the step stands ...
    BranchEnd
    begin(const Observer &observer, bool starts_at_bifurcation);

    /// ... step by step.
    BranchEnd
    walk(BranchCursor at, const Observer &observer);

    /// What a watcher sees.
    BranchCursor
    complete(BranchCursor at) const;

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

    /// As the step's at_distance(), but if that fails, slightly further on: at
    /// a distance that is then changed.
    std::optional<Location>
    look(double &distance, double shift);

    /// The one in a short interval; none if the inertia was mistaken.
    std::optional<BranchPoint>
    find_event(const BranchPoint &base, const Interval &interval);

    /// Whether the parameter moves one way before an interval and the other
    /// way after it: there is a fold within. None if the branch cannot be
    /// looked at there.
    std::optional<bool>
    turns_back(const Interval &interval);

    /// Whether two directions are rather parallel than orthogonal.
    bool
    are_parallel(const Vector &a, const Vector &b) const;

    /// The parameter values that were asked for, between two points.
    std::vector<BranchPoint>
    find_requested(const BranchPoint &from, const BranchPoint &to);

    /// The equilibrium at a parameter value between two points of the branch.
    std::optional<BranchPoint>
    between(const BranchPoint &from, const BranchPoint &to, double value);

    Index
    count_negative(const Vector &q, double parameter);

    BranchPoint
    make_point(const Location &location, double arc_length);

    /// The observer finds the system at the point's parameter.
    bool
    tell(const Observer &observer, const BranchPoint &point)
    {
      step.set_parameter(point.parameter);
      return observer(point);
    }

    Controls           &controls;
    std::size_t         control;
    System             &system;
    BranchOptions       options;
    ContinuationStep    step;
    EquilibriumSolver   equilibrium;
    Watcher             watcher;
    double              base_arc_length = 0.;
    std::vector<double> lost; ///< requested, but not reached
  };

  std::optional<Vector>
  BranchFollower::Implementation::at_parameter(const Vector &guess,
                                               const double  value)
  {
    step.set_parameter(value);
    const Equilibrium found = equilibrium.solve(guess);
    if (!found.converged())
      return {};
    return found.q;
  }

  Index
  BranchFollower::Implementation::count_negative(const Vector &q,
                                                 const double  parameter)
  {
    step.set_parameter(parameter);
    Inertia inertia;
    // A second time if it cannot be: a matrix of zeros, or of no numbers.
    for (int attempt = 0; attempt < 2; ++attempt)
      {
        step.matrix().hold_hessian(q);
        inertia = step.matrix().inertia();
        if (inertia.negative + inertia.positive == system.layout().size)
          break;
      }
    return inertia.negative - system.n_multipliers();
  }

  std::optional<Location>
  BranchFollower::Implementation::look(double &distance, const double shift)
  {
    for (int attempt = 0; attempt < 6; ++attempt, distance += shift)
      if (const auto found = step.at_distance(distance))
        return found;
    return {};
  }

  std::vector<BranchPoint>
  BranchFollower::Implementation::find_events(const BranchPoint &first,
                                              const BranchPoint &second)
  {
    std::vector<BranchPoint> events;
    const double             whole = second.arc_length - first.arc_length;
    double                   begin = 0.;
    Index                    count = first.n_negative;
    while (count != second.n_negative)
      {
        // Bisection until only one change is in sight and the secant is safe.
        Interval interval{begin, whole, count, second.n_negative};
        for (int i = 0; i < 5; ++i)
          {
            double     middle = 0.5 * (interval.low + interval.high);
            const auto located =
              look(middle, 0.01 * (interval.high - interval.low));
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
    double       low = interval.low, high = interval.high;
    const double shift         = 0.01 * (high - low);
    const double scale_of_step = 32. * (high - low);

    const auto start = look(low, -shift);
    if (!start)
      return {};
    SoftModes modes(system,
                    step.matrix(),
                    static_cast<int>(
                      std::abs(interval.n_high - interval.n_low)) +
                      n_other_modes);
    step.set_parameter(start->parameter);
    modes.refine(start->q, 8);
    const SoftModes before = modes;
    const auto      end    = look(high, shift);
    if (!end)
      return {};
    step.set_parameter(end->parameter);
    modes.refine(end->q, 4);

    // The mode whose eigenvalue changes its sign. Close to a bifurcation the
    // inertia may be wrong by round-off; then there is none.
    std::optional<std::size_t> critical;
    double                     s0 = low, s1 = high, mu0 = 0.;
    const double               noise =
      round_off *
      std::abs(*std::max_element(modes.values().begin(), modes.values().end()));
    for (std::size_t i = 0; i < modes.values().size(); ++i)
      {
        const double earlier =
          before.values()[before.nearest_to(modes.vectors()[i])];
        if (earlier * modes.values()[i] < 0. &&
            std::abs(earlier) + std::abs(modes.values()[i]) > noise &&
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
    // (If it cannot be seen: a branch passes through a fold along the mode.)
    const bool is_fold = turns_back(interval).value_or(
      are_parallel(end->q - start->q, petsc::local_values(mode.handle())));
    const auto locate = [&](double &s) -> std::optional<Location> {
      if (is_fold)
        return look(s, 1e-3 * shift);
      const double t = (s - low) / (high - low);
      const double p =
        start->parameter + t * (end->parameter - start->parameter);
      step.set_parameter(p);
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
        step.set_parameter(where->parameter);
        modes.refine(where->q, 2);
        const std::size_t nearest = modes.nearest_to(mode);
        mu1                       = modes.values()[nearest];
        mode                      = modes.vectors()[nearest];
      }

    BranchPoint point = make_point(*where, first.arc_length + s1);
    point.n_negative  = std::min(interval.n_low, interval.n_high);
    point.null_vector = petsc::local_values(mode.handle());
    point.null_vector *= orientation(system, point.null_vector);
    point.kind = is_fold ? PointKind::fold : PointKind::bifurcation;
    return point;
  }

  std::optional<bool>
  BranchFollower::Implementation::turns_back(const Interval &interval)
  {
    const double length = (interval.high - interval.low) / 4.;
    const auto   rise   = [&](double from, double to) -> std::optional<double> {
      const auto first  = look(from, -0.01 * length);
      const auto second = look(to, 0.01 * length);
      if (!first || !second)
        return {};
      return second->parameter - first->parameter;
    };
    const auto before = rise(interval.low - length, interval.low);
    const auto after  = rise(interval.high, interval.high + length);
    if (!before || !after)
      return {};
    return *before * *after < 0.;
  }

  bool
  BranchFollower::Implementation::are_parallel(const Vector &a,
                                               const Vector &b) const
  {
    const Layout &layout = system.layout();
    const Index   n      = layout.n_owned();
    const double  ab     = sum_over_ranks(layout, a.head(n).dot(b.head(n)));
    const double  aa     = sum_over_ranks(layout, a.head(n).squaredNorm());
    const double  bb     = sum_over_ranks(layout, b.head(n).squaredNorm());
    return ab * ab > 0.5 * aa * bb;
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
        const auto nearer = step.at_distance(s - origin);
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
  BranchFollower::Implementation::begin(const Observer &observer,
                                        const bool      starts_at_bifurcation)
  {
    BranchCursor at;
    at.last                  = make_point(step.location(), 0.);
    at.last.kind             = PointKind::start;
    at.last.n_negative       = count_negative(at.last.q, at.last.parameter);
    at.length                = options.first_step;
    at.starts_at_bifurcation = starts_at_bifurcation;
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
    at.lost                           = lost;
    return at;
  }

  BranchEnd
  BranchFollower::Implementation::walk(BranchCursor    at,
                                       const Observer &observer)
  {
    BranchPoint &last       = at.last;
    double      &length     = at.length;
    bool        &is_doubt   = at.is_doubt;
    int         &n_repeated = at.n_repeated;
    for (; at.n_steps < options.max_points; ++at.n_steps)
      {
        if (watcher && !watcher(complete(at)))
          return BranchEnd::interrupted;
        base_arc_length = last.arc_length;
        step.take_iterations();
        std::optional<Location> next;
        // A large correction may have led to another branch.
        while (!(next = step.at_distance(length)) ||
               step.correction() > largest_correction)
          {
            length /= 2.;
            if (length < options.smallest_step)
              return BranchEnd::step_failed;
          }
        const int    effort    = step.take_iterations();
        const double deviation = step.correction();
        BranchPoint  point     = make_point(*next, last.arc_length + length);
        point.iterations       = effort;
        point.n_negative       = count_negative(point.q, point.parameter);
        step.mark();

        // What lies between the two points, in the order of arc length.
        std::vector<BranchPoint> special;
        if (point.n_negative != last.n_negative && !at.starts_at_bifurcation)
          {
            special = find_events(last, point);
            // A search that failed may succeed with another step.
            if (special.empty() && n_repeated < 2)
              {
                ++n_repeated;
                length /= 2.;
                continue;
              }
            // Close to a bifurcation the inertia may be wrong by round-off; but
            // not twice.
            is_doubt = special.empty() && !is_doubt;
            if (is_doubt)
              point.n_negative = last.n_negative;
          }
        else
          is_doubt = false;
        n_repeated               = 0;
        at.starts_at_bifurcation = false;
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

        system.commit(point.q);
        if (!tell(observer, point))
          return BranchEnd::stopped;
        last = point;

        step.advance();
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
    implementation->step.begin(start, direction, nullptr);
    return implementation->begin(observer, false);
  }

  void
  BranchFollower::set_watcher(Watcher watcher)
  {
    implementation->watcher = std::move(watcher);
  }

  BranchEnd
  BranchFollower::resume(const BranchCursor &cursor, const Observer &observer)
  {
    implementation->lost = cursor.lost;
    implementation->step.resume({cursor.last.q,
                                 cursor.unit_parameter,
                                 cursor.direction,
                                 cursor.direction_of_parameter});
    return implementation->walk(cursor, observer);
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
    Controls           &controls = implementation->controls;
    std::vector<double> values   = controls.values();

    values[implementation->control] = bifurcation.parameter;
    controls.set(values);
    implementation->step.begin(bifurcation.q, side, &bifurcation.null_vector);
    return implementation->begin(observer, true);
  }
} // namespace slender

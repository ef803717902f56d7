// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/event_search.h>
#include <slender/statics/post_buckling.h>
#include <slender/statics/stability.h>
#include <slender/statics/stability_count.h>

#include <algorithm>
#include <cmath>

namespace slender
{
  namespace
  {
    /// How many modes are looked at besides those that change stability: a
    /// body may have some that are soft without becoming unstable.
    constexpr int n_other_modes = 3;

    /// How many are watched where pivots say nothing.
    constexpr int n_watched_modes = 4;

    /// Of so many eigenvalues that change sign within a thirtieth of a step one
    /// is looked for, which stands for all.
    constexpr Index most_alike = 4;

    /// Eigenvalues that are smaller than this part of their neighbours are
    /// round-off.
    constexpr double round_off = 1e-7;

    /// How far two searches may be apart, over the interval in which they
    /// search.
    constexpr double confirmed = 0.1;

    /// Eigenvalues that vanish together differ by less than this part of their
    /// neighbours.
    constexpr double together = 1e-6;
  } // namespace

  EventSearch::EventSearch(System              &a_system,
                           const NewtonOptions &newton,
                           const BranchOptions &the_options,
                           ContinuationStep    &the_step)
    : system(a_system)
    , options(the_options)
    , step(the_step)
    , equilibrium(system, newton)
    , held(system, newton)
  {}

  std::optional<Vector>
  EventSearch::at_parameter(const Vector &guess, const double value)
  {
    step.set_parameter(value);
    equilibrium.set_neutral_motions(step.neutral_motions());
    const Equilibrium found = equilibrium.solve(guess);
    if (!found.converged())
      return {};
    return found.q;
  }

  void
  EventSearch::examine(const Vector &q, const double parameter)
  {
    step.set_parameter(parameter);
    step.matrix().hold_hessian(q);
    has_wrong_pivots = has_wrong_signs(system, step.matrix(), q);
    watched.reset();
  }

  Index
  EventSearch::count_negative(const Vector &q, const double parameter)
  {
    step.set_parameter(parameter);
    if (has_wrong_pivots)
      {
        const int iterations = watched ? 3 : 8;
        if (!watched)
          watched.emplace(system, step.matrix(), n_watched_modes);
        watched->refine(q, iterations);
        double largest = 0.;
        for (const double value : watched->values())
          largest = std::max(largest, std::abs(value));
        return static_cast<Index>(std::count_if(watched->values().begin(),
                                                watched->values().end(),
                                                [&](const double value) {
                                                  return value <
                                                         -round_off * largest;
                                                }));
      }
    Inertia inertia;
    // A second time if it cannot be: a matrix of zeros, or of no numbers.
    for (int attempt = 0; attempt < 2; ++attempt)
      {
        step.matrix().hold_hessian(q);
        inertia = step.matrix().inertia();
        if (inertia.zero < system.layout().size)
          break;
      }
    const Index count = inertia.negative - system.n_multipliers();
    return n_doubtful > 0 ? std::max<Index>(0, count - n_doubtful) : count;
  }

  StabilityCount
  EventSearch::verified(const Vector &q,
                        const double  parameter,
                        const Index   count)
  {
    if (has_wrong_pivots)
      return {count, true};
    step.set_parameter(parameter);
    return verified_count(system, step.matrix(), q, count);
  }

  double
  EventSearch::Span::parameter(const double distance) const
  {
    return from.parameter + distance / length * (to.parameter - from.parameter);
  }

  Vector
  EventSearch::Span::guess(const double distance) const
  {
    // Hermite's polynomials.
    const double t = distance / length, u = 1. - t;
    const double rise = to.parameter - from.parameter;
    return u * u * (1. + 2. * t) * from.q + t * t * (1. + 2. * u) * to.q +
           rise * t * u * (u * rates.at_base - t * rates.ahead);
  }

  std::optional<EventSearch::Span>
  EventSearch::make_span(const BranchPoint &first, const BranchPoint &second)
  {
    const auto rates = step.rates();
    if (!rates || options.method == ContinuationMethod::natural)
      return {};
    Span result{{first.q, first.parameter},
                {second.q, second.parameter},
                second.arc_length - first.arc_length,
                *rates,
                {}};
    // Of the modes at the point ahead those with the sign that is new, the
    // nearest to zero first.
    const Index change = second.n_negative - first.n_negative;
    const auto  n =
      static_cast<std::size_t>(std::min(most_alike, std::abs(change)));
    SoftModes modes(system, step.matrix(), static_cast<int>(n) + n_other_modes);
    step.set_parameter(second.parameter);
    modes.refine(second.q, 8);
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < modes.values().size(); ++i)
      if (modes.values()[i] * static_cast<double>(change) < 0.)
        order.push_back(i);
    std::sort(order.begin(), order.end(), [&](const auto a, const auto b) {
      return std::abs(modes.values()[a]) < std::abs(modes.values()[b]);
    });
    order.resize(std::min(order.size(), n));
    for (const std::size_t i : order)
      result.kept_out.push_back(
        petsc::local_values(modes.vectors()[i].handle()));
    return result;
  }

  std::optional<EventSearch::Location>
  EventSearch::look(double &distance, const double shift)
  {
    if (span)
      {
        const double parameter = span->parameter(distance);
        step.set_parameter(parameter);
        const Equilibrium found = search(span->guess(distance), span->kept_out);
        if (found.converged())
          return Location{found.q, parameter};
      }
    for (int attempt = 0; attempt < 6; ++attempt, distance += shift)
      if (const auto found = step.at_distance(distance))
        return found;
    return {};
  }

  std::vector<BranchPoint>
  EventSearch::find(const BranchPoint &first, const BranchPoint &second)
  {
    std::vector<BranchPoint> events;
    const double             whole = second.arc_length - first.arc_length;
    double                   begin = 0.;
    Index                    count = first.n_negative;
    span                           = make_span(first, second);
    while (count != second.n_negative)
      {
        // Bisection until only one change is in sight and the secant is safe.
        Interval interval{begin, whole, count, second.n_negative};
        for (int i = 0; i < 5; ++i)
          {
            double     middle = 0.5 * (interval.low + interval.high);
            const auto located =
              look(middle, 0.01 * (interval.high - interval.low));
            // Closer to a bifurcation the arc length is no help; what follows
            // does without it.
            if (!located)
              break;
            const Index n = count_negative(located->q, located->parameter);
            if (n == count)
              interval.low = middle;
            else
              {
                interval.high   = middle;
                interval.n_high = n;
              }
          }
        begin            = interval.high;
        count            = interval.n_high;
        const auto event = find_one(first, interval);
        if (!event)
          continue;
        events.push_back(*event);
        // Others may hide in the same interval.
        const Index here    = interval.n_high - interval.n_low;
        const Index n_zeros = static_cast<Index>(event->companions.size()) + 1;
        if (std::abs(here) <= n_zeros)
          continue;
        double beyond = event->arc_length - first.arc_length;
        beyond += 0.05 * (interval.high - beyond);
        const auto  located = look(beyond, 0.01 * (interval.high - beyond));
        const Index n_beyond =
          located ? count_negative(located->q, located->parameter) : count;
        if (std::abs(here) <= most_alike && beyond < interval.high &&
            n_beyond - interval.n_low == (here > 0 ? n_zeros : -n_zeros))
          {
            begin = beyond;
            count = n_beyond;
          }
        else
          events.back().n_critical = std::abs(here);
      }
    return events;
  }

  std::optional<BranchPoint>
  EventSearch::find_one(const BranchPoint &first, const Interval &interval)
  {
    double       low = interval.low, high = interval.high;
    const double shift = 0.01 * (high - low);

    const auto start = look(low, -shift);
    if (!start)
      return {};
    SoftModes modes(system,
                    step.matrix(),
                    static_cast<int>(std::min(
                      most_alike, std::abs(interval.n_high - interval.n_low))) +
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
    Bracket                    bracket{low, high, *start, *end, 0., 0.};
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
            critical          = i;
            bracket.value_low = earlier;
          }
      }
    if (!critical)
      return {};
    bracket.value_high = modes.values()[*critical];
    const NoxVector mode(modes.vectors()[*critical]);

    // At a fold the arc length keeps the equations regular. At a bifurcation
    // it does not, and the mode is kept out of them.
    // (If it cannot be seen: a branch passes through a fold along the mode.)
    const bool is_fold = turns_back(interval).value_or(
      are_parallel(end->q - start->q, petsc::local_values(mode.handle())));
    // Twice at least, the second time from elsewhere and with other modes to
    // begin with; a third time if these do not agree. The two that leave the
    // least of the eigenvalue count.
    std::vector<Zero> zeros;
    if (const auto zero = locate(bracket, is_fold, modes, mode))
      zeros.push_back(*zero);
    const auto distance = [&] {
      return zeros.size() < 2 ? std::abs(end->parameter - start->parameter)
                              : std::abs(zeros[0].location.parameter -
                                         zeros[1].location.parameter);
    };
    for (const auto &[before_it, behind_it] :
         {std::pair{0.3, 0.2}, std::pair{0.11, 0.47}})
      {
        if (distance() < 1e-6 * std::abs(end->parameter - start->parameter))
          break;
        Bracket other          = bracket;
        other.low              = low - before_it * (high - low);
        other.high             = high + behind_it * (high - low);
        const auto other_start = look(other.low, -shift);
        const auto other_end   = look(other.high, shift);
        if (!other_start || !other_end)
          continue;
        other.start = *other_start;
        other.end   = *other_end;
        SoftModes again(system,
                        step.matrix(),
                        static_cast<int>(modes.values().size()) + 1);
        step.set_parameter(other.start.parameter);
        again.refine(other.start.q, 8);
        other.value_low = again.values()[again.nearest_to(mode)];
        step.set_parameter(other.end.parameter);
        again.refine(other.end.q, 4);
        const std::size_t nearest = again.nearest_to(mode);
        other.value_high          = again.values()[nearest];
        if (const auto zero =
              locate(other, is_fold, again, again.vectors()[nearest]))
          zeros.push_back(*zero);
        std::stable_sort(zeros.begin(),
                         zeros.end(),
                         [](const Zero &a, const Zero &b) {
                           return std::abs(a.eigenvalue) <
                                  std::abs(b.eigenvalue);
                         });
      }
    if (zeros.empty())
      return {};
    // In a large body round-off makes a zero of anything, somewhere: one that
    // no other search confirms is none.
    if (has_many_unknowns(system) &&
        distance() > confirmed * std::abs(end->parameter - start->parameter))
      return {};
    const Zero *zero = &zeros.front();

    BranchPoint point;
    point.q           = zero->location.q;
    point.parameter   = zero->location.parameter;
    point.arc_length  = first.arc_length + zero->distance;
    point.n_negative  = std::min(interval.n_low, interval.n_high);
    point.kind        = is_fold ? PointKind::fold : PointKind::bifurcation;
    point.eigenvalue  = zero->eigenvalue;
    point.companions  = arranged(system, zero->modes);
    point.n_critical  = static_cast<Index>(point.companions.size());
    point.null_vector = point.companions.front();
    point.companions.erase(point.companions.begin());

    point.uncertainty = distance();
    // One that stands for others that are close.
    if (std::abs(interval.n_high - interval.n_low) > point.n_critical)
      point.uncertainty = std::max(point.uncertainty, zero->spread);

    if (!is_fold && zero->rate != 0.)
      {
        std::vector<Vector> kept_out = point.companions;
        kept_out.push_back(point.null_vector);
        point.post_buckling =
          post_buckling(system,
                        point,
                        zero->rate,
                        [&](const double parameter, const Vector &guess) {
                          step.set_parameter(parameter);
                          return search(guess, kept_out);
                        });
      }
    return point;
  }

  Equilibrium
  EventSearch::search(const Vector &guess, std::vector<Vector> kept_out)
  {
    const std::vector<Vector> &neutral = step.neutral_motions();
    kept_out.insert(kept_out.end(), neutral.begin(), neutral.end());
    held.tangent().set_neutral_motions(std::move(kept_out));
    return held.search(guess);
  }

  std::optional<EventSearch::Zero>
  EventSearch::locate(const Bracket &bracket,
                      const bool     is_fold,
                      SoftModes     &modes,
                      NoxVector      mode)
  {
    const auto [low, high, start, end, value_low, value_high] = bracket;
    const double shift         = 1e-5 * (high - low);
    const double scale_of_step = 32. * (high - low);
    // Of the block: all that are as soft as the mode is within the interval, or
    // whose eigenvalues vanish with it.
    const double soft =
      2. * std::max(std::abs(value_low), std::abs(value_high));
    const auto softer_than = [&](const double bound) {
      const std::size_t   own    = modes.nearest_to(mode);
      std::vector<Vector> result = {petsc::local_values(mode.handle())};
      for (const std::size_t i : modes.below(bound))
        if (i != own)
          result.push_back(petsc::local_values(modes.vectors()[i].handle()));
      return result;
    };
    const auto at = [&](double &s) -> std::optional<Location> {
      if (is_fold)
        return look(s, shift);
      const double t = (s - low) / (high - low);
      const double p = start.parameter + t * (end.parameter - start.parameter);
      step.set_parameter(p);
      const Vector      guess = start.q + t * (end.q - start.q);
      const Equilibrium found = search(guess, softer_than(soft));
      // Else the chord between two near points has to do.
      return Location{found.converged() ? found.q : guess, p};
    };

    double   s0 = low, s1 = high, mu0 = value_low, mu1 = value_high;
    Location where = end;
    Zero     best{s1, where, mu1, 0., softer_than(0.)};
    int      n_in_vain = 0;
    for (int i = 0; i < 30 && n_in_vain < 3; ++i)
      {
        if (std::abs(s1 - s0) < options.event_tolerance * scale_of_step ||
            mu1 == mu0)
          break;
        const double next = s1 - mu1 * (s1 - s0) / (mu1 - mu0);
        s0                = s1;
        mu0               = mu1;
        // A wild extrapolation goes no further than the interval.
        s1               = std::min(std::max(next, low), high);
        const auto found = at(s1);
        if (!found)
          return {};
        where = *found;
        step.set_parameter(where.parameter);
        std::vector<std::size_t> critical = modes.below(soft);
        if (const std::size_t own = modes.nearest_to(mode);
            std::find(critical.begin(), critical.end(), own) == critical.end())
          critical.push_back(own);
        modes.correct(where.q, critical, 2);
        const std::size_t nearest = modes.nearest_to(mode);
        mu1                       = modes.values()[nearest];
        mode                      = modes.vectors()[nearest];
        // Within the interval it is not larger than at its ends.
        if (!(std::abs(mu1) < 5. * soft))
          return {};
        // At the floor of round-off it does not fall any more.
        if (std::abs(mu1) < std::abs(best.eigenvalue))
          {
            double largest = 0.;
            for (const double value : modes.values())
              largest = std::max(largest, std::abs(value));
            best      = {s1, where, mu1, 0., softer_than(together * largest)};
            n_in_vain = 0;
            for (const std::size_t k : modes.below(soft))
              best.spread = std::max(best.spread, std::abs(modes.values()[k]));
          }
        else
          ++n_in_vain;
      }
    if (end.parameter != start.parameter)
      best.rate = (value_high - value_low) / (end.parameter - start.parameter);
    best.spread = best.rate != 0. ? best.spread / std::abs(best.rate) : 0.;
    return best;
  }

  std::optional<bool>
  EventSearch::turns_back(const Interval &interval)
  {
    if (span)
      return false;
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
  EventSearch::are_parallel(const Vector &a, const Vector &b) const
  {
    const Layout &layout = system.layout();
    const Index   n      = layout.n_owned();
    const double  ab     = sum_over_ranks(layout, a.head(n).dot(b.head(n)));
    const double  aa     = sum_over_ranks(layout, a.head(n).squaredNorm());
    const double  bb     = sum_over_ranks(layout, b.head(n).squaredNorm());
    return ab * ab > 0.5 * aa * bb;
  }
} // namespace slender

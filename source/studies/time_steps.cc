// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/studies/time_steps.h>

#include <algorithm>
#include <cmath>

namespace slender
{
  namespace
  {
    /// Whether a time has come, but for round-off of sums of steps.
    bool
    has_come(const double time, const double when, const double step)
    {
      return time >= when - 1e-6 * step;
    }

    /// Between two shapes; as many as rows, unless it is said.
    double
    shapes_every(const TimeParameters &time)
    {
      return time.shapes_every > 0. ? time.shapes_every : time.rows_every;
    }

    /// Zero stands for every step.
    bool
    is_due(const double now,
           const double length,
           const long   count,
           const double every)
    {
      return every <= 0. || has_come(now, count * every, length);
    }
  } // namespace

  TimeSteps::TimeSteps(const TimeParameters &the_time, const int the_order)
    : time(the_time)
    , order(the_order)
    , next(the_time.step)
  {}

  bool
  TimeSteps::has_ended(const double now) const
  {
    return has_come(now, time.end, time.step);
  }

  double
  TimeSteps::length_from(const double now) const
  {
    double horizon = time.end - now;
    if (time.is_adaptive)
      for (const auto &[count, every] :
           {std::make_pair(n_rows, time.rows_every),
            std::make_pair(n_shapes, shapes_every(time))})
        if (every > 0. && count * every > now)
          horizon = std::min(horizon, count * every - now);
    // No splinter is left over at the end.
    if (next > horizon * (1. - 1e-6))
      return horizon;
    return time.is_adaptive && next > 0.6 * horizon ? 0.5 * horizon : next;
  }

  bool
  TimeSteps::is_too_coarse(const double length, const double error) const
  {
    return time.is_adaptive && error > 2. * time.tolerance &&
           length > 1.01 * time.smallest_step;
  }

  /// The factor by which a step could be longer, with a margin.
  double
  TimeSteps::proposed(const double error) const
  {
    return 0.9 * std::pow(time.tolerance / error, 1. / (order + 1));
  }

  void
  TimeSteps::shorten(const double length, const double error)
  {
    next = std::max(length * std::clamp(proposed(error), 0.2, 0.9),
                    time.smallest_step);
  }

  bool
  TimeSteps::is_shortest(const double length) const
  {
    return length <= 1.0001 * time.smallest_step;
  }

  bool
  TimeSteps::halve(const double length)
  {
    next = std::max(0.5 * length, time.smallest_step);
    return !is_shortest(length);
  }

  void
  TimeSteps::accept(const double length, const double error)
  {
    ++n_steps;
    if (time.is_adaptive)
      {
        const double longer = error > 0. ? proposed(error) : 2.;
        // A little longer is not worth other matrices.
        constexpr double worthwhile = 1.2;
        const double     factor =
          longer > 1. && longer < worthwhile ? 1. : std::clamp(longer, 0.3, 2.);
        next = std::clamp(std::max(length, next) * factor,
                          time.smallest_step,
                          time.largest_step);
      }
    else
      next = std::min(time.step, 2. * next);
  }

  bool
  TimeSteps::row_is_due(const double now,
                        const double length,
                        const bool   is_last) const
  {
    return is_last || is_due(now, length, n_rows, time.rows_every);
  }

  bool
  TimeSteps::shape_is_due(const double now,
                          const double length,
                          const bool   is_last) const
  {
    return is_last || is_due(now, length, n_shapes, shapes_every(time));
  }

  std::vector<double>
  TimeSteps::numbers() const
  {
    return {next,
            static_cast<double>(n_steps),
            static_cast<double>(n_rows),
            static_cast<double>(n_shapes)};
  }

  void
  TimeSteps::set(const std::vector<double> &numbers)
  {
    next     = numbers[0];
    n_steps  = std::lround(numbers[1]);
    n_rows   = std::lround(numbers[2]);
    n_shapes = std::lround(numbers[3]);
  }
} // namespace slender

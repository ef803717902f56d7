// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/branch_requests.h>

#include <cmath>

namespace slender
{
  BranchPoint
  make_point(const ContinuationStep::Location &location,
             const double                      arc_length)
  {
    BranchPoint point;
    point.q          = location.q;
    point.parameter  = location.parameter;
    point.arc_length = arc_length;
    return point;
  }

  BranchRequests::BranchRequests(const BranchOptions &the_options,
                                 ContinuationStep    &the_step,
                                 EventSearch         &the_events)
    : options(the_options)
    , step(the_step)
    , events(the_events)
  {}

  double
  BranchRequests::evaluate(const BranchFollower::StateFunction &function,
                           const Location                      &at)
  {
    step.set_parameter(at.parameter);
    return function(at.q);
  }

  std::optional<BranchPoint>
  BranchRequests::at_parameter(const BranchPoint &from,
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
        if (const auto q =
              events.at_parameter(low.q + t * (high.q - low.q), value))
          {
            BranchPoint hit  = make_point({*q, value}, s);
            hit.n_negative   = events.count_negative(hit.q, value);
            hit.is_undecided = from.is_undecided || to.is_undecided;
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
  BranchRequests::find_values(const BranchPoint &from, const BranchPoint &to)
  {
    std::vector<BranchPoint> hits;
    for (const double value : options.requested)
      if ((value - from.parameter) * (value - to.parameter) <= 0. &&
          value != from.parameter)
        {
          if (auto hit = at_parameter(from, to, value))
            {
              hit->kind = PointKind::requested;
              hits.push_back(*hit);
            }
          else
            lost.push_back(value);
        }
    return hits;
  }

  std::optional<BranchPoint>
  BranchRequests::find_zero(const BranchFollower::StateFunction &function,
                            const BranchPoint                   &from,
                            const BranchPoint                   &to,
                            const double                         value_from,
                            const double                         value_to)
  {
    // Regula falsi in arc length, the value of an end that stays being halved
    // (Illinois).
    double       low = 0., high = to.arc_length - from.arc_length;
    double       f_low = value_from, f_high = value_to;
    const double scale = std::abs(f_low) + std::abs(f_high), whole = high;
    std::optional<Location> best;
    double                  s_best = 0., smallest = scale;
    int                     kept = 0;
    for (int i = 0; i < 60 && high - low > 1e-15 * whole; ++i)
      {
        const double s     = low - f_low * (high - low) / (f_high - f_low);
        const auto   found = step.at_distance(s);
        if (!found)
          break;
        const double f = evaluate(function, *found);
        if (!std::isfinite(f))
          break;
        if (!best || std::abs(f) < smallest)
          {
            best     = found;
            s_best   = s;
            smallest = std::abs(f);
          }
        if (std::abs(f) < 1e-13 * scale)
          break;
        const int stays = f * f_low > 0. ? 1 : -1;
        if (stays > 0)
          {
            low   = s;
            f_low = f;
            f_high *= kept == stays ? 0.5 : 1.;
          }
        else
          {
            high   = s;
            f_high = f;
            f_low *= kept == stays ? 0.5 : 1.;
          }
        kept = stays;
      }
    // A jump from one sign to the other is no zero.
    if (!best || smallest > 1e-6 * scale)
      return {};
    BranchPoint zero  = make_point(*best, from.arc_length + s_best);
    zero.n_negative   = events.count_negative(zero.q, zero.parameter);
    zero.is_undecided = from.is_undecided || to.is_undecided;
    return zero;
  }

  std::vector<BranchPoint>
  BranchRequests::find_zeros(const BranchPoint &from, const BranchPoint &to)
  {
    std::vector<BranchPoint> zeros;
    for (std::size_t i = 0; i < functions.size(); ++i)
      {
        const double before = evaluate(functions[i], {from.q, from.parameter});
        const double after  = evaluate(functions[i], {to.q, to.parameter});
        if (before == 0. || !(before * after <= 0.))
          continue;
        if (auto zero = find_zero(functions[i], from, to, before, after))
          {
            zero->kind     = PointKind::requested;
            zero->function = static_cast<int>(i);
            zeros.push_back(*zero);
          }
        else
          ++n_lost_zeros;
      }
    return zeros;
  }
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/frontier_events.h>

#include <algorithm>
#include <cmath>

namespace slender
{
  namespace
  {
    /// Eigenvalues below this, in units of that of a body which an energy of
    /// one deforms by its own size, vanish by a symmetry: their signs are
    /// round-off.
    constexpr double no_eigenvalue = 1e-6;

    /// Where a crossing is, in units of the step.
    constexpr double crossing_tolerance = 1e-6;

    /// Where a cusp is, in units of the box.
    constexpr double cusp_tolerance = 1e-7;

    /// Which part of the way to a cusp is gone at once; c falls by the square
    /// root of what is left, or there is no cusp.
    constexpr double part = 0.9, least_fall = 0.1, largest_fall = 0.6;

    bool
    is_in_box(const Eigen::Vector2d &u)
    {
      return u.minCoeff() >= 0. && u.maxCoeff() <= 1.;
    }
  } // namespace

  FrontierEvents::FrontierEvents(Controls              &the_controls,
                                 FrontierEquations     &the_equations,
                                 const FrontierOptions &options)
    : controls(the_controls)
    , system(controls.system())
    , equations(the_equations)
    , kind(options.kind)
  {}

  std::optional<FrontierEvents::Crossing>
  FrontierEvents::find_crossing(const FrontierState &present,
                                const FrontierState &next,
                                const double         distance,
                                const PointAhead    &ahead) const
  {
    double       low = 0., high = distance;
    double       f_low   = present.outlook.second_eigenvalue;
    double       f_high  = next.outlook.second_eigenvalue;
    const double nothing = no_eigenvalue / system.layout().size;
    if (!(f_low * f_high < 0.) ||
        std::min(std::abs(f_low), std::abs(f_high)) < nothing)
      return {};
    // Regula falsi, with the value of an end that stays halved (Illinois). A
    // point that cannot be had is where both are singular, as near as can be.
    FrontierState nearest = std::abs(f_low) < std::abs(f_high) ? present : next;
    double        smallest = std::min(std::abs(f_low), std::abs(f_high));
    int           kept     = 0;
    for (int i = 0; i < 12 && high - low > crossing_tolerance * distance; ++i)
      {
        const double s     = low - f_low * (high - low) / (f_high - f_low);
        const auto   found = ahead(s);
        if (!found)
          break;
        const double f = found->outlook.second_eigenvalue;
        if (std::abs(f) < smallest)
          {
            smallest = std::abs(f);
            nearest  = *found;
          }
        if (smallest < nothing)
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
    if (!is_in_box(nearest.u))
      return {};
    const bool breaks =
      kind == FrontierKind::pitchfork && next.outlook.second_breaks_symmetry;
    return Crossing{breaks ? FrontierEvent::double_pitchfork
                           : FrontierEvent::hilltop,
                    nearest};
  }

  std::optional<double>
  FrontierEvents::distance_to_cusp(const double cubic,
                                   const double cubic_before,
                                   const double distance_back)
  {
    const double fall = cubic_before * cubic_before - cubic * cubic;
    if (!(fall > 0.) || !(cubic * cubic_before > 0.))
      return {};
    return distance_back * cubic * cubic / fall;
  }

  std::optional<FrontierState>
  FrontierEvents::nearer(const FrontierState &present,
                         const double         distance) const
  {
    FrontierState guess = present;
    guess.u += part * distance * present.rate.u;
    guess.q += 2. * distance * (1. - std::sqrt(1. - part)) * present.rate.q;
    controls.set_unit_values({present.u[0], present.u[1]});
    auto found =
      equations.solve(guess, present.rate.u, system.full_state(present.q));
    if (found && found->rate.u.dot(present.rate.u) < 0.)
      {
        found->rate.u *= -1.;
        found->rate.q *= -1.;
      }
    return found;
  }

  std::optional<FrontierState>
  FrontierEvents::across_cusp(const FrontierState &present,
                              const double         distance) const
  {
    FrontierState guess = present;
    guess.q += 4. * distance * present.rate.q;
    auto found = equations.solve(guess, present.rate.u, {});
    if (!found || !(found->outlook.cubic * present.outlook.cubic < 0.))
      return {};
    // Away from the cusp.
    if (found->rate.u.dot(present.rate.u) > 0.)
      {
        found->rate.u *= -1.;
        found->rate.q *= -1.;
      }
    return found;
  }

  std::optional<FrontierEvents::Cusp>
  FrontierEvents::find_cusp(const FrontierState &present, double distance) const
  {
    std::vector<FrontierState> way   = {present};
    Eigen::Vector2d            where = present.u + distance * present.rate.u;
    for (int i = 0; i < 8; ++i)
      {
        const FrontierState last  = way.back();
        const auto          found = nearer(last, distance);
        const double        fall =
          found ? found->outlook.cubic / last.outlook.cubic : 0.;
        if (!(fall > least_fall && fall < largest_fall))
          {
            if (i == 0)
              return {};
            break;
          }
        distance = *distance_to_cusp(found->outlook.cubic,
                                     last.outlook.cubic,
                                     (found->u - last.u).norm());
        way.push_back(*found);
        const Eigen::Vector2d before = where;
        where                        = found->u + distance * found->rate.u;
        if ((where - before).norm() < cusp_tolerance)
          break;
      }
    if (!is_in_box(where))
      return {};
    FrontierState state = way.back();
    state.q += 2. * distance * state.rate.q;
    state.u             = where;
    state.outlook.cubic = 0.;
    // From afar the two folds are not taken for each other, nearer the other
    // one is guessed better.
    for (const FrontierState &from : way)
      if (auto beyond = across_cusp(from, (where - from.u).norm()))
        return Cusp{state, std::move(beyond)};
    return Cusp{state, {}};
  }
} // namespace slender

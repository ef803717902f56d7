// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/ghosts.h>
#include <slender/statics/frontier_events.h>
#include <slender/statics/frontier_modes.h>

#include <algorithm>
#include <cmath>

namespace slender
{
  namespace
  {
    /// Where a crossing is, in units of the step.
    constexpr double crossing_tolerance = 1e-6;

    /// What is left there of the second eigenvalue, in units of that at the
    /// ends of the step.
    constexpr double crossing_rest = 1e-3;

    /// What is left of D^3 E(v, v, v) at a cusp, in units of that where it was
    /// noticed; the distance from it is of the order of the square. And what is
    /// too much.
    constexpr double cusp_tolerance = 1e-5, cusp_rest = 1e-2;

    /// Of the way along the mode to a cusp; likewise.
    constexpr double located = 1e-4;

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

  FrontierEvents::Crossing
  FrontierEvents::find_crossing(const FrontierState &present,
                                const FrontierState &next,
                                const double         distance,
                                const PointAhead    &ahead) const
  {
    double       low = 0., high = distance;
    double       f_low   = present.outlook.second_eigenvalue;
    double       f_high  = next.outlook.second_eigenvalue;
    const double nothing = same_eigenvalue / system.layout().size;
    const double largest = std::max(std::abs(f_low), std::abs(f_high));
    if (!(f_low * f_high < 0.) ||
        std::min(std::abs(f_low), std::abs(f_high)) < nothing)
      return {};
    // Regula falsi, with the value of an end that stays halved (Illinois). A
    // point that cannot be had is where both are singular, as near as can be.
    FrontierState nearest = std::abs(f_low) < std::abs(f_high) ? present : next;
    double        smallest = std::min(std::abs(f_low), std::abs(f_high));
    int           kept     = 0;
    bool          is_lost  = false;
    for (int i = 0; i < 12 && high - low > crossing_tolerance * distance; ++i)
      {
        const double s     = low - f_low * (high - low) / (f_high - f_low);
        const auto   found = ahead(s);
        is_lost            = !found;
        if (is_lost)
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
    // Where two frontiers cross the eigenvalue passes through zero; where they
    // avoid each other it leaps from one side of it to the other.
    if (!is_lost && smallest > std::max(nothing, crossing_rest * largest))
      return {FrontierEvent::none, {}, true};
    if (!is_in_box(nearest.u))
      return {};
    const bool breaks =
      kind == FrontierKind::pitchfork && next.outlook.second_breaks_symmetry;
    return {breaks ? FrontierEvent::double_pitchfork : FrontierEvent::hilltop,
            nearest,
            false};
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
  FrontierEvents::along_mode(const FrontierState &present,
                             const double         distance,
                             const double         part) const
  {
    // t is (1 - part) times that of the present point.
    // What follows the controls goes as far as these, the mode goes on.
    FrontierState  guess = present;
    const Exchange exchange(system.layout());
    const double along = exchange.product(present.modes.col(0), present.rate.q);
    const double in_plane = distance * part * (2. - part);
    guess.u += in_plane * present.rate.u;
    guess.q += in_plane * present.rate.q +
               distance * part * part * along * present.modes.col(0);
    controls.set_unit_values({present.u[0], present.u[1]});
    return equations.solve(guess,
                           FrontierEquations::held_amplitude(),
                           system.full_state(present.q));
  }

  std::optional<FrontierEvents::Cusp>
  FrontierEvents::find_cusp(const FrontierState &present,
                            const double         distance) const
  {
    // A point on the other fold.
    const double                 c   = present.outlook.cubic;
    double                       low = 0., high = 0.;
    std::optional<FrontierState> beyond;
    for (const double part : {2., 1.5, 3.})
      {
        beyond = along_mode(present, distance, part);
        if (beyond && beyond->outlook.cubic * c < 0.)
          {
            high = part;
            break;
          }
      }
    if (high == 0.)
      return {};
    // c falls linearly along the mode. Regula falsi (Illinois); a point that
    // cannot be had is where nothing is left of c.
    FrontierState state =
      std::abs(beyond->outlook.cubic) < std::abs(c) ? *beyond : present;
    double c_low = c, c_high = beyond->outlook.cubic;
    int    kept = 0;
    for (int i = 0;
         i < 30 && high - low > located &&
         std::abs(state.outlook.cubic) > cusp_tolerance * std::abs(c);
         ++i)
      {
        const double part  = low - c_low * (high - low) / (c_high - c_low);
        const auto   found = along_mode(present, distance, part);
        if (!found)
          break;
        const double here = found->outlook.cubic;
        if (std::abs(here) < std::abs(state.outlook.cubic))
          state = *found;
        const int stays = here * c_low > 0. ? 1 : -1;
        if (stays > 0)
          {
            low   = part;
            c_low = here;
            c_high *= kept == stays ? 0.5 : 1.;
          }
        else
          {
            high   = part;
            c_high = here;
            c_low *= kept == stays ? 0.5 : 1.;
          }
        kept = stays;
      }
    // c is no smooth function of the amplitude: it has leapt to another fold.
    if (std::abs(state.outlook.cubic) > cusp_rest * std::abs(c) ||
        !is_in_box(state.u))
      return {};
    state.outlook.cubic = 0.;
    // Away from the cusp.
    if (beyond->rate.u.dot(beyond->u - state.u) < 0.)
      {
        beyond->rate.u *= -1.;
        beyond->rate.q *= -1.;
      }
    return Cusp{state, *beyond};
  }
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_statics_frontier_events_h
#define slender_statics_frontier_events_h

#include <slender/statics/frontier_equations.h>

#include <functional>
#include <optional>

namespace slender
{
  /**
   * Finds points of codimension two along a frontier.
   *
   * Where the eigenvalue of a second mode changes its sign, another frontier
   * crosses: a double pitchfork if that mode breaks the symmetry as well, a
   * hilltop if it is the one of a fold.
   *
   * At a cusp of folds D^3 E(v, v, v) =: c vanishes, and with t = c as a
   * parameter of the curve
   *
   *   q = q_c + p t + ...,  u = u_c + A t^2 + B t^3 + ...
   *
   * So c^2 falls linearly with the distance D from the cusp in the plane, and
   * the cusp is 2 D q' away along the mode. There the curve is smooth if it is
   * measured by the amplitude along the mode: with that held and both controls
   * free, points on both sides of the cusp are regular.
   */
  class FrontierEvents
  {
  public:
    FrontierEvents(Controls              &controls,
                   FrontierEquations     &equations,
                   const FrontierOptions &options);

    /// The point at a distance ahead of the present one.
    using PointAhead =
      std::function<std::optional<FrontierState>(double distance)>;

    /// What lies between two points.
    struct Crossing
    {
      FrontierEvent                kind = FrontierEvent::none;
      std::optional<FrontierState> state;
      /// There is none, and yet the second mode has changed its sign: the
      /// points are on two frontiers that come close to each other.
      bool has_jumped = false;
    };

    /// Where another frontier crosses between the present point and one at a
    /// distance ahead.
    Crossing
    find_crossing(const FrontierState &present,
                  const FrontierState &next,
                  double               distance,
                  const PointAhead    &ahead) const;

    /// How far ahead a cusp may be, in the plane, if the curve had another
    /// value of c at a distance back; none if there is no sign of a cusp.
    static std::optional<double>
    distance_to_cusp(double cubic, double cubic_before, double distance_back);

    struct Cusp
    {
      FrontierState state;
      FrontierState beyond; ///< on the other fold; its rate leads away
    };

    /// The cusp that is that far ahead, if it is one and in the box.
    std::optional<Cusp>
    find_cusp(const FrontierState &present, double distance) const;

  private:
    /// The point at a given amplitude along the mode, as a part of the way to
    /// the cusp.
    std::optional<FrontierState>
    along_mode(const FrontierState &present,
               double               distance,
               double               part) const;

    Controls          &controls;
    System            &system;
    FrontierEquations &equations;
    FrontierKind       kind;
  };
} // namespace slender

#endif

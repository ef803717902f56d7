// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_rods_curvature_kernel_h
#define slender_models_rods_curvature_kernel_h

#include <slender/models/rods/quaternion.h>

#include <array>

/**
 * How a frame turns along a piece of rod whose strain varies linearly,
 *
 *   q' = 1/2 q kappa,   kappa(tau) = kappa_0 + tau (kappa_1 - kappa_0),
 *
 * with the strain as a quaternion without scalar part and tau in [0, 1]. The
 * solution is an entire function of tau; its Taylor coefficients follow from
 * one another (Casati and Bertails-Descoubes 2013),
 *
 *   (n + 1) q_{n+1} = 1/2 (q_n kappa_0 + q_{n-1} (kappa_1 - kappa_0)),
 *
 * and likewise, with one more term, where the strain is a quadratic function,
 * and there is no division by the strain, so that a straight piece is like any
 * other. Over a piece that turns by no more than largest_turn both the series
 * and the Gauss rule by which everything else is integrated are exact to
 * round-off: it does not show into how many pieces a rod is cut.
 */
namespace slender::curvature
{
  using quaternion::Matrix3;

  /// The most that |kappa| may be for one piece of length 1.
  constexpr double largest_turn = 1.;

  constexpr int n_points = 8;

  /// Columns of numbers, one for each point of the Gauss rule.
  template <int n>
  using AtPoints = Eigen::Matrix<double, n, n_points>;

  /// The Gauss rule on [0, 1].
  struct Rule
  {
    AtPoints<1> points;
    AtPoints<1> weights;

    /// Values at the points times this are the integrals of their interpolant
    /// from 0 to each of the points. Sums over the rule of products with such
    /// integrals are as exact as the rule itself.
    AtPoints<n_points> up_to_points;
  };

  const Rule &
  rule();

  /// The frames along one piece.
  struct Turning
  {
    std::array<Matrix3, n_points> frames;
    Vector4                       end;
  };

  /// The frames that follow from the one at the start of a piece and the
  /// strains at its two ends, times its length.
  Turning
  turn(const Vector4 &start,
       const Vector3 &strain_begin,
       const Vector3 &strain_end);

  /// The same where the strain is a quadratic function, given also by its value
  /// in the middle.
  Turning
  turn(const Vector4 &start,
       const Vector3 &strain_begin,
       const Vector3 &strain_middle,
       const Vector3 &strain_end);
} // namespace slender::curvature

#endif

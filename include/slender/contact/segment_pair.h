// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_contact_segment_pair_h
#define slender_contact_segment_pair_h

#include <slender/base/types.h>

namespace slender::contact
{
  /// The ends of two segments, x0 to x1 and x2 to x3.
  using FourPoints = Eigen::Matrix<double, 3, 4>;
  /// Derivatives by the twelve coordinates, in the same order.
  using Twelve         = Eigen::Matrix<double, 12, 1>;
  using TwelveByTwelve = Eigen::Matrix<double, 12, 12>;

  /// Derivatives by the six products, in the order of the struct.
  using Six      = Eigen::Matrix<double, 6, 1>;
  using SixBySix = Eigen::Matrix<double, 6, 6>;

  /**
   * The six products of the vectors e1 = x1 - x0, e2 = x3 - x2 and r = x2 - x0
   * (in the names of Lumelsky 1985). Everything that does not depend on where
   * two segments are in space is a function of them: so objectivity, and that
   * forces are in balance, need not be thought of any more.
   */
  struct Products
  {
    double D1, D2; ///< e1.e1, e2.e2
    double S1, S2; ///< e1.r, e2.r
    double R;      ///< e1.e2
    double C;      ///< r.r

    /// What vanishes where the segments are parallel, D1 D2 - R^2.
    double
    area() const
    {
      return D1 * D2 - R * R;
    }

    /// The squared distance between the points at t and u in [0, 1] of the two
    /// segments, |t e1 - u e2 - r|^2.
    double
    squared_distance(const double t, const double u) const
    {
      return t * (t * D1 - 2. * S1) + u * (u * D2 + 2. * S2) - 2. * t * u * R +
             C;
    }
  };

  inline Products
  products_of(const FourPoints &x)
  {
    const Vector3 e1 = x.col(1) - x.col(0), e2 = x.col(3) - x.col(2),
                  r = x.col(2) - x.col(0);
    return {e1.dot(e1), e2.dot(e2), e1.dot(r), e2.dot(r), e1.dot(e2), r.dot(r)};
  }

  /// From derivatives by the six products to those by the twelve coordinates.
  Twelve
  gradient_of(const FourPoints &x, const Six &slope);

  TwelveByTwelve
  hessian_of(const FourPoints &x, const Six &slope, const SixBySix &bend);
} // namespace slender::contact

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_contact_segment_pair_h
#define slender_contact_segment_pair_h

#include <slender/base/types.h>
#include <slender/contact/jet.h>

namespace slender::contact
{
  /// The ends of two segments, x0 to x1 and x2 to x3.
  using FourPoints = Eigen::Matrix<double, 3, 4>;
  /// Derivatives by the twelve coordinates, in the same order.
  using Twelve         = Eigen::Matrix<double, 12, 1>;
  using TwelveByTwelve = Eigen::Matrix<double, 12, 12>;

  /**
   * The six products of the vectors e1 = x1 - x0, e2 = x3 - x2 and r = x2 - x0
   * (in the names of Lumelsky 1985). Everything that does not depend on where
   * two segments are in space is a function of them: so objectivity, and that
   * forces are in balance, need not be thought of any more.
   */
  template <class Number>
  struct Products
  {
    Number D1, D2; ///< e1.e1, e2.e2
    Number S1, S2; ///< e1.r, e2.r
    Number R;      ///< e1.e2
    Number C;      ///< r.r

    /// What vanishes where the segments are parallel, D1 D2 - R^2.
    Number
    area() const
    {
      return D1 * D2 - R * R;
    }

    /// The squared distance between the points at t and u in [0, 1] of the two
    /// segments, |t e1 - u e2 - r|^2.
    Number
    squared_distance(const Number &t, const Number &u) const
    {
      return t * (t * D1 - 2. * S1) + u * (u * D2 + 2. * S2) -
             2. * (t * u * R) + C;
    }
  };

  Products<double>
  products_of(const FourPoints &x);

  /// The same as independent variables, in the order of the struct.
  template <int order>
  Products<Jet<order>>
  variables(const Products<double> &p)
  {
    const double         values[6] = {p.D1, p.D2, p.S1, p.S2, p.R, p.C};
    Products<Jet<order>> result;
    Jet<order>          *jets[6] = {
               &result.D1, &result.D2, &result.S1, &result.S2, &result.R, &result.C};
    for (int i = 0; i < 6; ++i)
      {
        jets[i]->value    = values[i];
        jets[i]->slope(i) = 1.;
      }
    return result;
  }

  /// From derivatives by the six products to those by the twelve coordinates.
  Twelve
  gradient_of(const FourPoints &x, const Six &slope);

  TwelveByTwelve
  hessian_of(const FourPoints &x, const Six &slope, const SixBySix &bend);
} // namespace slender::contact

#endif

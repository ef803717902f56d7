// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/rods/curvature_kernel.h>

#include <boost/math/quadrature/gauss.hpp>

namespace slender::curvature
{
  namespace
  {
    /// More terms than the series needs where it turns by largest_turn, even
    /// if the strain changes its sign.
    constexpr int n_terms = 28;

    /// The value at x of the polynomial that is 1 at point i and 0 at others.
    double
    lagrange(const AtPoints<1> &points, const int i, const double x)
    {
      double value = 1.;
      for (int j = 0; j < n_points; ++j)
        if (j != i)
          value *= (x - points(j)) / (points(i) - points(j));
      return value;
    }

    Rule
    make_rule()
    {
      using Gauss = boost::math::quadrature::gauss<double, n_points>;
      Rule          rule;
      constexpr int half = n_points / 2;
      for (int i = 0; i < half; ++i)
        {
          rule.points(half + i)      = 0.5 + 0.5 * Gauss::abscissa()[i];
          rule.points(half - 1 - i)  = 0.5 - 0.5 * Gauss::abscissa()[i];
          rule.weights(half + i)     = 0.5 * Gauss::weights()[i];
          rule.weights(half - 1 - i) = 0.5 * Gauss::weights()[i];
        }
      rule.up_to_points.setZero();
      for (int i = 0; i < n_points; ++i)
        for (int g = 0; g < n_points; ++g)
          for (int k = 0; k < n_points; ++k)
            rule.up_to_points(i, g) +=
              rule.points(g) * rule.weights(k) *
              lagrange(rule.points, i, rule.points(g) * rule.points(k));
      return rule;
    }

    /// Powers 0, 1, ... of the points (columns).
    using Powers = Eigen::Matrix<double, n_terms, n_points>;

    Powers
    make_powers()
    {
      Powers powers;
      powers.row(0).setOnes();
      for (int n = 1; n < n_terms; ++n)
        powers.row(n) = powers.row(n - 1).cwiseProduct(rule().points);
      return powers;
    }

    /// The product q (0, v).
    Vector4
    times_vector(const Vector4 &q, const Vector3 &v)
    {
      Vector4 result;
      result << -q.tail<3>().dot(v), q(0) * v + q.tail<3>().cross(v);
      return result;
    }
  } // namespace

  const Rule &
  rule()
  {
    static const Rule the_rule = make_rule();
    return the_rule;
  }

  Turning
  turn(const Vector4 &start,
       const Vector3 &strain_begin,
       const Vector3 &strain_end)
  {
    static const Powers powers = make_powers();

    const Vector3                      change = strain_end - strain_begin;
    Eigen::Matrix<double, 4, n_terms>  terms;
    Eigen::Matrix<double, 4, n_points> at_points;
    int                                n = 2;
    terms.col(0)                         = start;
    terms.col(1) = 0.5 * times_vector(start, strain_begin);
    // Each coefficient comes from the two before it: all that follow are
    // negligible when two are.
    constexpr double negligible = 1e-18;
    for (; n < n_terms; ++n)
      {
        terms.col(n) = (times_vector(terms.col(n - 1), strain_begin) +
                        times_vector(terms.col(n - 2), change)) /
                       (2. * n);
        if (terms.col(n).lpNorm<1>() + terms.col(n - 1).lpNorm<1>() <
            negligible)
          break;
      }
    at_points.noalias() = terms.leftCols(n).lazyProduct(powers.topRows(n));

    Turning result;
    for (int g = 0; g < n_points; ++g)
      result.frames[g] = quaternion::to_matrix(at_points.col(g));
    // From the small terms to the large ones, and back to unit length: rods of
    // many pieces keep orthonormal frames.
    result.end = terms.col(n - 1);
    for (int i = n - 2; i >= 0; --i)
      result.end += terms.col(i);
    result.end.normalize();
    return result;
  }
} // namespace slender::curvature

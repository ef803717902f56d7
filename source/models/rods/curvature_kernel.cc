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

    /// The frames along a piece of strain c0 + c1 tau + c2 tau^2; the last is
    /// passed over where there is none.
    Turning
    turn_by_series(const Vector4 &start,
                   const Vector3 &c0,
                   const Vector3 &c1,
                   const Vector3 *c2)
    {
      static const Powers powers = make_powers();

      Eigen::Matrix<double, 4, n_terms>  terms;
      Eigen::Matrix<double, 4, n_points> at_points;
      int                                n = 2;
      terms.col(0)                         = start;
      terms.col(1)                         = 0.5 * times_vector(start, c0);
      // Each coefficient comes from the two or three before it: all that follow
      // are negligible when those are.
      constexpr double negligible = 1e-18;
      double           before     = c2 ? 1. : 0.;
      for (; n < n_terms; ++n)
        {
          Vector4 sum = times_vector(terms.col(n - 1), c0) +
                        times_vector(terms.col(n - 2), c1);
          if (c2 && n >= 3)
            sum += times_vector(terms.col(n - 3), *c2);
          terms.col(n) = sum / (2. * n);
          const double last =
            terms.col(n).lpNorm<1>() + terms.col(n - 1).lpNorm<1>();
          if (last + before < negligible)
            break;
          if (c2)
            before = last;
        }
      at_points.noalias() = terms.leftCols(n).lazyProduct(powers.topRows(n));

      Turning result;
      for (int g = 0; g < n_points; ++g)
        result.frames[g] = quaternion::to_matrix(at_points.col(g));
      // From the small terms to the large ones, and back to unit length: rods
      // of many pieces keep orthonormal frames.
      result.end = terms.col(n - 1);
      for (int i = n - 2; i >= 0; --i)
        result.end += terms.col(i);
      result.end.normalize();
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
    return turn_by_series(start,
                          strain_begin,
                          strain_end - strain_begin,
                          nullptr);
  }

  Turning
  turn(const Vector4 &start,
       const Vector3 &strain_begin,
       const Vector3 &strain_middle,
       const Vector3 &strain_end)
  {
    const Vector3 linear = 4. * strain_middle - 3. * strain_begin - strain_end;
    const Vector3 quadratic =
      2. * (strain_begin + strain_end) - 4. * strain_middle;
    return turn_by_series(start, strain_begin, linear, &quadratic);
  }
} // namespace slender::curvature

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/shells/polynomial_patch.h>

#include <Eigen/Geometry>

namespace slender
{
  LagrangePolynomials::LagrangePolynomials(const int k, const double t)
    : values(k + 1, 1.)
    , slopes(k + 1, 0.)
  {
    for (int i = 0; i <= k; ++i)
      for (int j = 0; j <= k; ++j)
        if (j != i)
          {
            const double factor = (k * t - j) / (i - j);
            slopes[i]           = slopes[i] * factor + values[i] * k / (i - j);
            values[i] *= factor;
          }
  }

  namespace
  {
    Vector3
    sum(const PolynomialPatch     &patch,
        const std::vector<double> &along_u,
        const std::vector<double> &along_v)
    {
      const int k = patch.k;
      Vector3   x = Vector3::Zero();
      for (int j = 0; j <= k; ++j)
        for (int i = 0; i <= k; ++i)
          x += along_u[i] * along_v[j] * patch.nodes[i + (k + 1) * j];
      return x;
    }
  } // namespace

  Vector3
  PolynomialPatch::position(const double u, const double v) const
  {
    return sum(*this,
               LagrangePolynomials(k, u).values,
               LagrangePolynomials(k, v).values);
  }

  Eigen::Matrix<double, 3, 2>
  PolynomialPatch::tangents(const double u, const double v) const
  {
    const LagrangePolynomials   along_u(k, u), along_v(k, v);
    Eigen::Matrix<double, 3, 2> result;
    result.col(0) = sum(*this, along_u.slopes, along_v.values);
    result.col(1) = sum(*this, along_u.values, along_v.slopes);
    return result;
  }

  Vector3
  PolynomialPatch::normal(const double u, const double v) const
  {
    const auto t = tangents(u, v);
    return t.col(0).cross(t.col(1));
  }
} // namespace slender

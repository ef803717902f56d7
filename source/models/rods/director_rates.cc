// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/rods/director_rates.h>

namespace slender::quaternion
{
  namespace
  {
    /// |q|^2 R(q), column by column.
    Eigen::Matrix<double, 9, 1>
    scaled_directors(const Vector4 &q)
    {
      const double  w = q(0);
      const Vector3 v = q.tail<3>();
      const Matrix3 M = (w * w - v.squaredNorm()) * Matrix3::Identity() +
                        2. * v * v.transpose() + 2. * w * cross_matrix(v);
      return Eigen::Map<const Eigen::Matrix<double, 9, 1>>(M.data());
    }

    /// The symmetric matrices of these quadratic forms, by polarisation.
    std::array<Matrix4, 9>
    make_forms()
    {
      std::array<Matrix4, 9> forms;
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b)
          {
            const Vector4 ea = Vector4::Unit(a), eb = Vector4::Unit(b);
            const Eigen::Matrix<double, 9, 1> mixed =
              scaled_directors(ea + eb) - scaled_directors(ea) -
              scaled_directors(eb);
            for (int i = 0; i < 9; ++i)
              forms[i](a, b) = 0.5 * mixed(i);
          }
      return forms;
    }

    const std::array<Matrix4, 9> &
    forms()
    {
      static const std::array<Matrix4, 9> all = make_forms();
      return all;
    }
  } // namespace

  DirectorRates
  director_rates(const Vector4 &q)
  {
    const double  s = q.squaredNorm();
    DirectorRates result;
    for (int i = 0; i < 9; ++i)
      {
        const Vector4 Aq    = forms()[i] * q;
        result.directors(i) = q.dot(Aq) / s;
        result.rates.row(i) =
          2. / s * (Aq - result.directors(i) * q).transpose();
      }
    return result;
  }

  Matrix4
  director_curvature(const Vector4                     &q,
                     const Eigen::Matrix<double, 9, 1> &weights)
  {
    // (a/s)'' = a''/s - (a' s' + s' a')/s^2 - a s''/s^2 + 2 a s' s'/s^3
    // is linear in the form a.
    Matrix4 A = Matrix4::Zero();
    for (int i = 0; i < 9; ++i)
      A += weights(i) * forms()[i];
    const double  s  = q.squaredNorm();
    const Vector4 Aq = A * q;
    const double  R  = q.dot(Aq) / s;
    return 2. / s *
           (A - R * Matrix4::Identity() +
            2. / s *
              (2. * R * q * q.transpose() - Aq * q.transpose() -
               q * Aq.transpose()));
  }
} // namespace slender::quaternion

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_rods_director_rates_h
#define slender_models_rods_director_rates_h

#include <slender/models/rods/quaternion.h>

#include <array>

namespace slender::quaternion
{
  /**
   * The three columns of R(q/|q|), one below the other, with their first
   * derivatives: each entry is a quadratic form over |q|^2,
   *
   *   R_i = q.A_i q / |q|^2.
   */
  struct DirectorRates
  {
    Eigen::Matrix<double, 9, 1> directors;
    Eigen::Matrix<double, 9, 4> rates;
  };

  DirectorRates
  director_rates(const Vector4 &q);

  /// sum_i weights_i d2 R_i / dq2.
  Matrix4
  director_curvature(const Vector4                     &q,
                     const Eigen::Matrix<double, 9, 1> &weights);
} // namespace slender::quaternion

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_triangles_rest_frame_h
#define slender_models_triangles_rest_frame_h

#include <Eigen/Core>

#include <cmath>

namespace slender
{
  namespace triangles
  {
    /// Of the rest metric: a = T^T T, and the gradients of the barycentric
    /// coordinates in that frame.
    struct RestFrame
    {
      Eigen::Matrix2d             T, inverse;
      Eigen::Matrix<double, 3, 2> N;

      explicit RestFrame(const Eigen::Matrix2d &a)
      {
        const double s = std::sqrt(a(0, 0));
        T << s, a(0, 1) / s, 0.,
          std::sqrt(a(1, 1) - a(0, 1) * a(0, 1) / a(0, 0));
        inverse << 1. / T(0, 0), -T(0, 1) / (T(0, 0) * T(1, 1)), 0.,
          1. / T(1, 1);
        N.row(1) = inverse.row(0);
        N.row(2) = inverse.row(1);
        N.row(0) = -N.row(1) - N.row(2);
      }
    };
  } // namespace triangles
} // namespace slender

#endif

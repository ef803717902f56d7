// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_shells_polynomial_patch_h
#define slender_models_shells_polynomial_patch_h

#include <slender/base/types.h>

#include <vector>

namespace slender
{
  /// The polynomials of degree k that are one at one of 0, 1/k, ..., 1 and
  /// zero at the others; their values and slopes at t.
  struct LagrangePolynomials
  {
    std::vector<double> values, slopes;

    LagrangePolynomials(int k, double t);
  };

  /// A curved quadrilateral of degree k: the image of the unit square, where
  /// node i + (k + 1) j is the image of (i/k, j/k).
  struct PolynomialPatch
  {
    int                  k;
    std::vector<Vector3> nodes;

    Vector3
    position(double u, double v) const;

    /// X,u and X,v as columns.
    Eigen::Matrix<double, 3, 2>
    tangents(double u, double v) const;

    /// X,u x X,v.
    Vector3
    normal(double u, double v) const;
  };
} // namespace slender

#endif

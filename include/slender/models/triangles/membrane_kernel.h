// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_triangles_membrane_kernel_h
#define slender_models_triangles_membrane_kernel_h

#include <slender/base/types.h>

#include <Eigen/LU>

#include <cmath>

namespace slender
{
  namespace triangles
  {
    enum class MembraneKind
    {
      st_venant_kirchhoff,
      neo_hookean
    };

    /// (a_11, a_22, a_12) in an orthonormal frame of the rest metric: (1, 1, 0)
    /// where nothing is stretched.
    using Metric = Eigen::Vector3d;

    /// nu tr^2 M + (1 - nu) tr M^2 as a quadratic form of (M_11, M_22, M_12).
    inline Eigen::Matrix3d
    plane_stress(const double nu)
    {
      Eigen::Matrix3d C;
      C << 1., nu, 0., nu, 1., 0., 0., 0., 2. * (1. - nu);
      return C;
    }

    /**
     * Energy per rest area of a stretched triangle in units of the bending
     * stiffness, with its derivatives by the metric a:
     *
     *   St. Venant-Kirchhoff  3/2h^2 [nu tr^2 M + (1 - nu) tr M^2],  M = a - 1,
     *   neo-Hooke             3/h^2 [(1 - nu)(tr a - 2 - ln det a)
     *                                + nu/2 ln^2 det a].
     */
    struct MembraneEnergy
    {
      double          value;
      Eigen::Vector3d stress;
      Eigen::Matrix3d stiffness;

      MembraneEnergy(const MembraneKind kind,
                     const double       poisson,
                     const double       thickness,
                     const Metric      &a)
      {
        const double unit = 3. / (thickness * thickness);
        if (kind == MembraneKind::st_venant_kirchhoff)
          {
            stiffness = unit * plane_stress(poisson);
            const Eigen::Vector3d M(a(0) - 1., a(1) - 1., a(2));
            stress = stiffness * M;
            value  = 0.5 * M.dot(stress);
            return;
          }
        const double det = a(0) * a(1) - a(2) * a(2);
        const double J   = std::log(det); // NaN where it is turned inside out
        const Eigen::Vector3d d(a(1), a(0), -2. * a(2)); // d det
        Eigen::Matrix3d       dd;
        dd << 0., 1., 0., 1., 0., 0., 0., 0., -2.;
        value             = unit * ((1. - poisson) * (a(0) + a(1) - 2. - J) +
                        0.5 * poisson * J * J);
        const double of_J = -(1. - poisson) + poisson * J;
        stress            = unit * (of_J / det * d);
        stress(0) += unit * (1. - poisson);
        stress(1) += unit * (1. - poisson);
        stiffness = unit * ((poisson - of_J) / (det * det) * d * d.transpose() +
                            of_J / det * dd);
      }
    };
  } // namespace triangles
} // namespace slender

#endif

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
      neo_hookean,
      isometric ///< of projective dynamics
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

    /// S = E h in units of the bending stiffness.
    inline double
    isometric_stiffness(const double poisson, const double thickness)
    {
      return 12. * (1. - poisson * poisson) / (thickness * thickness);
    }

    /**
     * Energy per rest area of a stretched triangle in units of the bending
     * stiffness, with its derivatives by the metric a:
     *
     *   St. Venant-Kirchhoff  3/2h^2 [nu tr^2 M + (1 - nu) tr M^2],  M = a - 1,
     *   neo-Hooke             3/h^2 [(1 - nu)(tr a - 2 - ln det a)
     *                                + nu/2 ln^2 det a],
     *   isometric             S/2 [(s_1 - 1)^2 + (s_2 - 1)^2],  S = E h,
     *
     * with the stretches s_1, s_2 (eigenvalues of the square root of a): the
     * squared distance of the deformation gradient from the nearest isometry.
     * Of small strains it is the first one without Poisson's ratio.
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
        const double          det = a(0) * a(1) - a(2) * a(2);
        const Eigen::Vector3d d(a(1), a(0), -2. * a(2)); // d det
        Eigen::Matrix3d       dd;
        dd << 0., 1., 0., 1., 0., 0., 0., 0., -2.;
        if (kind == MembraneKind::isometric)
          {
            // s_1 + s_2 = r = sqrt(tr a + 2 j) with j = sqrt(det a).
            const double S = isometric_stiffness(poisson, thickness);
            const double j = std::sqrt(det),
                         r = std::sqrt(a(0) + a(1) + 2. * j);
            const Eigen::Vector3d trace(1., 1., 0.), dj = d / (2. * j);
            const Eigen::Vector3d dr = (trace + 2. * dj) / (2. * r);
            const Eigen::Matrix3d ddj =
              (dd - 2. * dj * dj.transpose()) / (2. * j);
            value     = S * (0.5 * (a(0) + a(1)) - r + 1.);
            stress    = S * (0.5 * trace - dr);
            stiffness = S / r * (dr * dr.transpose() - ddj);
            return;
          }
        const double J    = std::log(det); // NaN where it is turned inside out
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

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_rods_discrete_hinge_h
#define slender_models_rods_discrete_hinge_h

#include <slender/models/rods/discrete_kernel.h>

namespace slender::discrete_rod
{
  /**
   * The joint between the last edge of a discrete rod and a held frame that
   * may turn about an axis a fixed in space, and in no other way.
   *
   * With the held frame q0 and axes b, c that complete a, the rotation from
   * the held frame to the edge's frame F is y0 + y1 a + y2 b + y3 c,
   * y = (q0.F, (a q0).F, (b q0).F, (c q0).F). Split into a turn about a and
   * what is left before it, that rest has the strains
   *
   *   eps_b = 2 (y0 y2 + y1 y3) / (y0^2 + y1^2),
   *   eps_c = 2 (y0 y3 - y1 y2) / (y0^2 + y1^2),
   *
   * which no turn about a changes. The strain about a is free; its stiffness
   * is eliminated from the section's. An axis along the rod makes a clamp
   * whose rod may spin.
   */
  class Hinge
  {
  public:
    enum class Side
    {
      before_the_edge, ///< at the start of the rod
      behind_the_edge  ///< at its end
    };

    /// @param axis number of the coordinate axis
    /// @param joint stiffness and length of the half edge; its natural strain
    ///   is not used
    /// @param natural_rotation of the stress-free half edge, from its first
    ///   frame to its last
    Hinge(int            axis,
          const Vector4 &held_frame,
          const Joint   &joint,
          const Vector4 &natural_rotation,
          Side           side);

    double
    energy(const Vector4 &edge_frame) const;

    Vector4
    gradient(const Vector4 &edge_frame) const;

    Matrix4
    hessian(const Vector4 &edge_frame) const;

    /// The held frame, turned along with the edge; not normalised.
    Vector4
    frame(const Vector4 &edge_frame) const;

    /// Integrated (twist, curvature 1, curvature 2) beyond the natural ones.
    Vector3
    elastic_strain(const Vector4 &edge_frame) const;

  private:
    /// The two strains as functions of y.
    struct Strain;

    Matrix4                     to_axes;   ///< y = to_axes F
    Eigen::Matrix2d             stiffness; ///< of eps, over the length
    Eigen::Vector2d             natural;
    Eigen::Matrix<double, 3, 2> to_material; ///< from eps to material strains
  };
} // namespace slender::discrete_rod

#endif

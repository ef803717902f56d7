// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_rods_discrete_kernel_h
#define slender_models_rods_discrete_kernel_h

#include <slender/models/rods/quaternion.h>

/**
 * Bending and twisting of a discrete elastic rod (Bergou et al. 2008, 2010) at
 * the node between two edges.
 *
 * The material frame of an edge e is the frame of a fixed source edge, carried
 * to e by the smallest rotation and turned by theta about e. As a quaternion,
 *
 *   F(e, theta) = p(e) S (cos theta/2, sin theta/2, 0, 0),
 *   p(e) = (|e| + t.e, t x e),
 *
 * with the source's unit tangent t and frame S. Its length does not matter, so
 * p is as simple as it can be: linear in e but for |e|. The rotation from one
 * edge's frame to the next is Z = F0* F1, and in its components (z0, z1 along
 * the tangent, z2, z3) the strains of Bergou et al. (2010), the integrated
 * curvatures projected on the mean of the two directors and the twist, are
 *
 *   kappa_1 = 2 z0 z2 / (z0^2 + z1^2),  kappa_2 = 2 z0 z3 / (z0^2 + z1^2),
 *   twist   = 2 atan2(z1, z0).
 *
 * With the source frozen this is an ordinary function of the unknowns with a
 * symmetric Hessian, exact however far the rod is from the source.
 */
namespace slender::discrete_rod
{
  using quaternion::Matrix4;

  /// The edge from which a material frame is carried.
  struct Source
  {
    Vector3 tangent = Vector3::UnitX();
    Vector4 frame   = Vector4::UnitX();
  };

  /// An edge with its frame and the derivatives of the frame.
  struct EdgeFrame
  {
    Vector3 tangent, source_tangent;
    Vector4 frame;    ///< F
    Vector4 turned;   ///< S (cos theta/2, sin theta/2, ..)
    Matrix4 gradient; ///< dF/d(e, theta)

    Eigen::Matrix3d length_hessian;

    EdgeFrame(const Source &source, const Vector3 &edge, double theta);
  };

  /// The smallest rotation from the source to an edge, by an angle a, times
  /// 2|e| cos(a/2).
  inline Vector4
  carrier(const Source &source, const Vector3 &edge)
  {
    Vector4 p;
    p << edge.norm() + source.tangent.dot(edge), source.tangent.cross(edge);
    return p;
  }

  /// The material frame of an edge, not normalised.
  inline Vector4
  edge_frame(const Source &source, const Vector3 &edge, const double theta)
  {
    return quaternion::product(carrier(source, edge),
                               quaternion::product(source.frame,
                                                   Vector4(std::cos(theta / 2),
                                                           std::sin(theta / 2),
                                                           0.,
                                                           0.)));
  }

  /// The integrated strains (twist, curvature 1, curvature 2); the branch of
  /// the twist is the one nearest to `previous_twist`.
  Vector3
  strain_between(const Vector4 &frame_0,
                 const Vector4 &frame_1,
                 double         previous_twist);

  /// Data of the node between two edges; the strains are integrated over the
  /// node's length of rod.
  struct Joint
  {
    Vector3 stiffness      = Vector3::Ones(); ///< of twist, bending 1 and 2
    Vector3 natural        = Vector3::Zero(); ///< integrated
    double  length         = 1.;              ///< of the rod around the node
    double  previous_twist = 0.;
  };

  /// Unknowns of a joint: (e0, theta0, e1, theta1).
  using JointGradient = Eigen::Matrix<double, 8, 1>;
  using JointHessian  = Eigen::Matrix<double, 8, 8>;

  /// The second derivatives of an edge's frame with respect to (e, theta),
  /// contracted with the gradient of a function of the frame.
  Matrix4
  frame_curvature(const EdgeFrame &edge, const Vector4 &frame_gradient);

  double
  joint_energy(const Joint   &joint,
               const Vector4 &frame_0,
               const Vector4 &frame_1);

  /// Energy's gradient and, if asked for, its Hessian.
  JointGradient
  joint_gradient(const Joint     &joint,
                 const EdgeFrame &edge_0,
                 const EdgeFrame &edge_1,
                 JointHessian    *hessian = nullptr);
} // namespace slender::discrete_rod

#endif

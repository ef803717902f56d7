// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_rods_curvature_loads_h
#define slender_models_rods_curvature_loads_h

#include <slender/models/rods/curvature_shape.h>

/**
 * Work of loads on an inextensible rod as a function of its strains.
 *
 * A load does work on such a rod through its tangents alone: with the force
 * f(s) = F + (1 - s) w of all that acts beyond s it is int f.t ds, and that of
 * the moments at the end. A variation of the strain turns all that lies beyond
 * by d phi = R d kappa ds. The derivative of the work is therefore
 *
 *   int d kappa.R^T mu ds,   mu(s) = mu(1) + int_s^1 t x f ds
 *
 * with the moment mu of all that acts beyond s, and the second derivative with
 * respect to the strains at two points a < b is
 *
 *   R(a)^T S(b) R(b),   S(s) = S(1) + int_s^1 (t f^T - t.f I) ds.
 *
 * The second derivatives fill a matrix, but one of rank three on either side
 * of the diagonal, so that each entry costs three multiplications.
 */
namespace slender::curvature
{
  struct Loads
  {
    Vector3 weight     = Vector3::Zero(); ///< per length, w
    Vector3 end_force  = Vector3::Zero(); ///< F
    Vector3 end_moment = Vector3::Zero(); ///< mu(1)

    /// S(1): how mu(1) changes when the end turns.
    Matrix3 end_moment_change = Matrix3::Zero();

    /// Loads on the section at the end of a piece, in the order of pieces: a
    /// force, and sum d g^T for forces g on directions d of the section. Only
    /// work_hessian() heeds them.
    struct OnSection
    {
      std::size_t piece;
      Vector3     force;
      Matrix3     couple;
    };
    std::vector<OnSection> on_sections = {};
  };

  /// Sets the moment on the end, and how it changes, to that of a potential of
  /// the end's quaternion with the given derivatives.
  void
  turn_end(const Vector4                     &end_frame,
           const Vector4                     &gradient,
           const Eigen::Matrix<double, 4, 4> &hessian,
           Loads                             &loads);

  /// d q/d phi of a quaternion q that turns by a small rotation phi.
  Eigen::Matrix<double, 4, 3>
  turned(const Vector4 &q);

  /// int f.t ds, without the work of the end moment.
  double
  work(const Shape &shape, const Loads &loads);

  /// @param n_strains on which the shape depends
  Strains
  work_gradient(const Shape &shape, const Loads &loads, Index n_strains);

  /// With respect to the strains, numbered column by column.
  Eigen::MatrixXd
  work_hessian(const Shape &shape, const Loads &loads, Index n_strains);
} // namespace slender::curvature

#endif

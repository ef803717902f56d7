// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_shells_koiter_kernel_h
#define slender_models_shells_koiter_kernel_h

#include <slender/base/types.h>

#include <Eigen/Geometry>

#include <cmath>

/**
 * The energy of a Koiter shell at a point, from the first and second
 * derivatives of its position x in any coordinates:
 *
 *   a_ij = x,i . x,j         metric
 *   b_ij = x,ij . n          curvature, n = x,1 x x,2 / |x,1 x x,2|
 *   density = K/8 |a - a0|^2 + 1/2 |b - b0|^2,
 *   |m|^2   = nu (tr m)^2 + (1 - nu) m : m     in the rest metric,
 *
 * in units of the bending stiffness D = E h^3 / 12 (1 - nu^2); K = 12/h^2 is
 * the membrane stiffness in that unit. Coordinates are convected, and the
 * forms are tensors: any coordinates give the same density per rest area.
 *
 * With the dual basis a^i (a^i . x,j = 1 if i = j, else 0) and w = x,ij the
 * normal and its products vary as
 *
 *   dn      = -a^i (n . dx,i)
 *   d(w.n)  = n . dw - (w . a^i) (n . dx,i)
 *   d2(w.n) = -2 (dw . a^i)(n . dx,i) + 2 (w . a^i)(a^j . dx,i)(n . dx,j)
 *             - (w . n) a^ij (n . dx,i)(n . dx,j),
 *
 * and all derivatives below follow from these three lines.
 */
namespace slender::koiter
{
  /// Components 11, 22 and 12 of a symmetric tensor.
  using Form = Vector3;

  /// Columns x,1  x,2  x,11  x,22  x,12.
  using Jet = Eigen::Matrix<double, 3, 5>;

  constexpr int n_inputs = 15;
  using JetHessian       = Eigen::Matrix<double, n_inputs, n_inputs>;

  /**
   * The matrix C with m . C m = |m|^2 for the three components of m: the
   * off-diagonal one stands for two. C m is conjugate to those components.
   */
  inline Eigen::Matrix3d
  elasticity(const Form &inverse_metric, const double poisson)
  {
    const double p = inverse_metric(0), q = inverse_metric(1);
    const double r     = inverse_metric(2);
    const double cross = poisson * p * q + (1. - poisson) * r * r;
    const double shear = 2. * ((1. - poisson) * p * q + (1. + poisson) * r * r);
    Eigen::Matrix3d C;
    C << p * p, cross, 2. * p * r, //
      cross, q * q, 2. * q * r,    //
      2. * p * r, 2. * q * r, shear;
    return C;
  }

  inline Form
  metric(const Jet &z)
  {
    return {z.col(0).squaredNorm(),
            z.col(1).squaredNorm(),
            z.col(0).dot(z.col(1))};
  }

  inline Form
  inverse(const Form &a)
  {
    return Form(a(1), a(0), -a(2)) / (a(0) * a(1) - a(2) * a(2));
  }

  /// The surface at a point, as far as its derivatives tell.
  struct Surface
  {
    Vector3                     n;
    Eigen::Matrix<double, 3, 2> dual; ///< a^1, a^2
    Form                        inverse_metric;
    Form                        curvature;
    /// Row i: x,11 . a^i, x,22 . a^i, x,12 . a^i.
    Eigen::Matrix<double, 2, 3> christoffel;

    explicit Surface(const Jet &z)
    {
      n              = z.col(0).cross(z.col(1)).normalized();
      inverse_metric = inverse(metric(z));
      dual.col(0) = inverse_metric(0) * z.col(0) + inverse_metric(2) * z.col(1);
      dual.col(1) = inverse_metric(2) * z.col(0) + inverse_metric(1) * z.col(1);
      curvature   = z.rightCols<3>().transpose() * n;
      christoffel = dual.transpose() * z.rightCols<3>();
    }
  };

  // ---------------------------------------------------------------------
  // Membrane: only x,1 and x,2 count. `force` is K/4 C (a - a0), conjugate to
  // the components of a.
  // ---------------------------------------------------------------------

  /// What the metric's components change by.
  inline Form
  metric_change(const Jet &z, const Jet &dz)
  {
    return {2. * z.col(0).dot(dz.col(0)),
            2. * z.col(1).dot(dz.col(1)),
            z.col(0).dot(dz.col(1)) + z.col(1).dot(dz.col(0))};
  }

  /// The metric at z that the linearisation at z0 predicts.
  inline Form
  predicted_metric(const Jet &z, const Jet &z0)
  {
    return metric_change(z0, z) - metric(z0);
  }

  inline void
  add_membrane_gradient(const Jet &z, const Form &force, Jet &g)
  {
    g.col(0) += 2. * force(0) * z.col(0) + force(2) * z.col(1);
    g.col(1) += 2. * force(1) * z.col(1) + force(2) * z.col(0);
  }

  /// Geometric part, sum of force times the second derivative of the metric.
  template <class Matrix>
  void
  add_membrane_geometric(const Form &force, Matrix &H)
  {
    for (int c = 0; c < 3; ++c)
      {
        H(c, c) += 2. * force(0);
        H(3 + c, 3 + c) += 2. * force(1);
        H(c, 3 + c) += force(2);
        H(3 + c, c) += force(2);
      }
  }

  /// Material part B^T S B with S = K/4 C.
  template <class Matrix>
  void
  add_membrane_material(const Jet &z, const Eigen::Matrix3d &S, Matrix &H)
  {
    Eigen::Matrix<double, 3, 6> B;
    B << 2. * z.col(0).transpose(), Vector3::Zero().transpose(), //
      Vector3::Zero().transpose(), 2. * z.col(1).transpose(),    //
      z.col(1).transpose(), z.col(0).transpose();
    H.template topLeftCorner<6, 6>() += B.transpose() * (S * B);
  }

  // ---------------------------------------------------------------------
  // Bending. `moment` is C (b - b0), conjugate to the components of b; the
  // same derivatives serve any combination moment . b with fixed coefficients.
  // ---------------------------------------------------------------------

  inline Form
  curvature_change(const Surface &s, const Jet &dz)
  {
    const Eigen::Vector2d slope = dz.leftCols<2>().transpose() * s.n;
    return dz.rightCols<3>().transpose() * s.n -
           s.christoffel.transpose() * slope;
  }

  inline void
  add_bending_gradient(const Surface &s, const Form &moment, Jet &g)
  {
    g.rightCols<3>() += s.n * moment.transpose();
    g.leftCols<2>() -= s.n * (s.christoffel * moment).transpose();
  }

  /// Geometric part, moment . d2b.
  inline void
  add_bending_geometric(const Surface &s, const Form &moment, JetHessian &H)
  {
    const Eigen::Vector2d christoffel = s.christoffel * moment;
    const double          curvature   = moment.dot(s.curvature);
    const Eigen::Matrix3d nn          = s.n * s.n.transpose();
    const Eigen::Matrix3d an[2]       = {s.dual.col(0) * s.n.transpose(),
                                         s.dual.col(1) * s.n.transpose()};
    const double inverse[2][2] = {{s.inverse_metric(0), s.inverse_metric(2)},
                                  {s.inverse_metric(2), s.inverse_metric(1)}};
    for (int i = 0; i < 2; ++i)
      {
        for (int j = 0; j < 2; ++j)
          H.block<3, 3>(3 * i, 3 * j) += christoffel(i) * an[j] +
                                         christoffel(j) * an[i].transpose() -
                                         curvature * inverse[i][j] * nn;
        for (int w = 0; w < 3; ++w)
          {
            H.block<3, 3>(6 + 3 * w, 3 * i) -= moment(w) * an[i];
            H.block<3, 3>(3 * i, 6 + 3 * w) -= moment(w) * an[i].transpose();
          }
      }
  }

  /// The same times a direction.
  inline void
  add_bending_geometric_times(const Surface &s,
                              const Form    &moment,
                              const Jet     &dz,
                              Jet           &g)
  {
    const Eigen::Vector2d christoffel = s.christoffel * moment;
    const double          curvature   = moment.dot(s.curvature);
    const Eigen::Vector2d slope       = dz.leftCols<2>().transpose() * s.n;
    const Vector3         turn        = s.dual * slope; // -dn
    const Vector3         dw          = dz.rightCols<3>() * moment;
    Eigen::Matrix2d       inverse;
    inverse << s.inverse_metric(0), s.inverse_metric(2), s.inverse_metric(2),
      s.inverse_metric(1);
    // (w . a^j) (a^i . dx,j), with all moments.
    const Eigen::Vector2d stretch =
      s.dual.transpose() * (dz.leftCols<2>() * christoffel);
    const Eigen::Vector2d along_n =
      stretch - curvature * (inverse * slope) - s.dual.transpose() * dw;
    g.leftCols<2>() +=
      turn * christoffel.transpose() + s.n * along_n.transpose();
    g.rightCols<3>() -= turn * moment.transpose();
  }

  /// Material part B^T C B.
  inline void
  add_bending_material(const Surface         &s,
                       const Eigen::Matrix3d &C,
                       JetHessian            &H)
  {
    // B = beta n^T: every curvature changes along the normal only.
    Eigen::Matrix<double, 5, 3> beta;
    beta.topRows<2>() = -s.christoffel;
    beta.bottomRows<3>().setIdentity();
    const Eigen::Matrix<double, 5, 5> stiffness = beta * C * beta.transpose();
    const Eigen::Matrix3d             nn        = s.n * s.n.transpose();
    for (int j = 0; j < 5; ++j)
      for (int i = 0; i < 5; ++i)
        H.block<3, 3>(3 * i, 3 * j) += stiffness(i, j) * nn;
  }
} // namespace slender::koiter

#endif

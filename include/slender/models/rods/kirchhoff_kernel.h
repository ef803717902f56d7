// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_rods_kirchhoff_kernel_h
#define slender_models_rods_kirchhoff_kernel_h

#include <slender/models/rods/quaternion.h>

/**
 * Strains of a rod at a point, from an unnormalised quaternion q of the
 * material frame, its derivative q' along the rod and the derivative r' of the
 * centreline:
 *
 *   kappa = 2 vec(q* q') / |q|^2        (twist, curvature 1, curvature 2)
 *   gamma = R(q)^T r' - e1              (stretch, shear 1, shear 2)
 *
 * Both are unchanged by a rotation Q of space, (q, r) -> (Q q, Q r), which is
 * what makes a rod interpolated in q and r objective; and both have the form
 * f = N/|q|^2 with a polynomial N, so that
 *
 *   df  = (dN - f d|q|^2) / |q|^2
 *   d2f = (d2N - df (x) d|q|^2 - d|q|^2 (x) df - f d2|q|^2) / |q|^2.
 */
namespace slender::kirchhoff
{
  using quaternion::cross_matrix;
  using quaternion::Matrix34;
  using quaternion::Matrix4;

  /// Three strains and their gradients with respect to n numbers.
  template <int n>
  struct Strain
  {
    Vector3                     value;
    Eigen::Matrix<double, 3, n> gradient;
  };

  /// vec(q* p) = G(q) p.
  inline Matrix34
  conjugate_product_matrix(const Vector4 &q)
  {
    Matrix34 G;
    G.col(0) = -q.tail<3>();
    G.rightCols<3>() =
      q(0) * Eigen::Matrix3d::Identity() - cross_matrix(q.tail<3>());
    return G;
  }

  /// Bending and twisting strains of z = (q, q').
  struct Curvature
  {
    static constexpr int n_inputs = 8;
    using Input                   = Eigen::Matrix<double, n_inputs, 1>;

    static Vector3
    value(const Input &z)
    {
      const Vector4 q = z.head<4>();
      return conjugate_product_matrix(q) * z.tail<4>() * (2. / q.squaredNorm());
    }

    static Strain<n_inputs>
    strain(const Input &z)
    {
      const Vector4    q  = z.head<4>();
      const Vector4    dq = z.tail<4>();
      const double     n  = q.squaredNorm();
      const Matrix34   G  = conjugate_product_matrix(q);
      Strain<n_inputs> result;
      result.value = G * dq * (2. / n);
      result.gradient.leftCols<4>() =
        (conjugate_product_matrix(dq) + result.value * q.transpose()) *
        (-2. / n);
      result.gradient.rightCols<4>() = G * (2. / n);
      return result;
    }

    /// sum_i stress_i d2 strain_i.
    static Eigen::Matrix<double, n_inputs, n_inputs>
    curvature_of_strain(const Input            &z,
                        const Strain<n_inputs> &strain,
                        const Vector3          &stress)
    {
      const Vector4                            q = z.head<4>();
      const double                             n = q.squaredNorm();
      const Eigen::Matrix<double, n_inputs, 1> df =
        strain.gradient.transpose() * stress;

      // stress . vec(q* p) = q^T A p with a skew matrix A.
      Matrix4 A;
      A(0, 0)                     = 0.;
      A.block<1, 3>(0, 1)         = stress.transpose();
      A.block<3, 1>(1, 0)         = -stress;
      A.bottomRightCorner<3, 3>() = cross_matrix(stress);

      Eigen::Matrix<double, n_inputs, n_inputs> H;
      const Matrix4 mixed = q * df.head<4>().transpose();
      H.topLeftCorner<4, 4>() =
        (mixed + mixed.transpose() +
         stress.dot(strain.value) * Matrix4::Identity()) *
        (-2. / n);
      H.topRightCorner<4, 4>() = (A - q * df.tail<4>().transpose()) * (2. / n);
      H.bottomLeftCorner<4, 4>() = H.topRightCorner<4, 4>().transpose();
      H.bottomRightCorner<4, 4>().setZero();
      return H;
    }

    /// The same times a direction.
    static Input
    curvature_of_strain_times(const Input            &z,
                              const Strain<n_inputs> &strain,
                              const Vector3          &stress,
                              const Input            &dz)
    {
      const Vector4 q = z.head<4>(), x = dz.head<4>(), y = dz.tail<4>();
      const double  two_over_n = 2. / q.squaredNorm();
      const Input   df         = strain.gradient.transpose() * stress;
      // With the skew matrix A above.
      const auto A_times = [&stress](const Vector4 &p) {
        Vector4 result;
        result << stress.dot(p.tail<3>()),
          stress.cross(p.tail<3>()) - p(0) * stress;
        return result;
      };
      const double along = q.dot(x);
      Input        result;
      result.head<4>() = (A_times(y) - along * df.head<4>() -
                          stress.dot(strain.value) * x - df.dot(dz) * q) *
                         two_over_n;
      result.tail<4>() = (-A_times(x) - along * df.tail<4>()) * two_over_n;
      return result;
    }
  };

  /// Stretching and shearing strains of z = (q, r').
  struct Stretch
  {
    static constexpr int n_inputs = 7;
    using Input                   = Eigen::Matrix<double, n_inputs, 1>;

    /// |q|^2 R(q) v, a quadratic function of q.
    static Vector3
    scaled_rotation(const Vector4 &q, const Vector3 &v)
    {
      const Vector3 u = q.tail<3>();
      return (q(0) * q(0) - u.squaredNorm()) * v + 2. * u.dot(v) * u +
             2. * q(0) * u.cross(v);
    }

    /// d(|q|^2 R(q) v)/dq.
    static Matrix34
    scaled_rotation_gradient(const Vector4 &q, const Vector3 &v)
    {
      const double  a = q(0);
      const Vector3 u = q.tail<3>();
      Matrix34      D;
      D.col(0) = 2. * (a * v + u.cross(v));
      D.rightCols<3>() =
        2. * (u * v.transpose() - v * u.transpose() +
              u.dot(v) * Eigen::Matrix3d::Identity() - a * cross_matrix(v));
      return D;
    }

    static Vector3
    value(const Input &z)
    {
      const Vector4 q = z.head<4>();
      return scaled_rotation(quaternion::conjugate(q), z.tail<3>()) /
               q.squaredNorm() -
             Vector3::UnitX();
    }

    static Strain<n_inputs>
    strain(const Input &z)
    {
      // N = |q|^2 R(q)^T r', and f = N / |q|^2 is the strain, but for e1.
      const Vector4    q       = z.head<4>();
      const Vector4    turned  = quaternion::conjugate(q);
      const double     inverse = 1. / q.squaredNorm();
      const Vector3    f       = scaled_rotation(turned, z.tail<3>()) * inverse;
      Strain<n_inputs> result;
      result.value = f - Vector3::UnitX();
      Matrix34 dN  = scaled_rotation_gradient(turned, z.tail<3>());
      dN.rightCols<3>() *= -1.; // by q, not by its conjugate
      result.gradient.leftCols<4>() = (dN - 2. * f * q.transpose()) * inverse;
      const double  a               = q(0);
      const Vector3 u               = q.tail<3>();
      result.gradient.rightCols<3>() =
        ((a * a - u.squaredNorm()) * Eigen::Matrix3d::Identity() +
         2. * u * u.transpose() - 2. * a * cross_matrix(u)) *
        inverse;
      return result;
    }

    static Eigen::Matrix<double, n_inputs, n_inputs>
    curvature_of_strain(const Input            &z,
                        const Strain<n_inputs> &strain,
                        const Vector3          &stress)
    {
      const Vector4                            q  = z.head<4>();
      const Vector3                            dr = z.tail<3>();
      const double                             n  = q.squaredNorm();
      const Eigen::Matrix<double, n_inputs, 1> df =
        strain.gradient.transpose() * stress;
      const double f = stress.dot(strain.value) + stress(0);

      // stress . |q|^2 R(q)^T r' = q^T M q.
      Matrix4       M;
      const Vector3 moment = dr.cross(stress);
      M(0, 0)              = dr.dot(stress);
      M.block<1, 3>(0, 1)  = -moment.transpose();
      M.block<3, 1>(1, 0)  = -moment;
      M.bottomRightCorner<3, 3>() =
        dr * stress.transpose() + stress * dr.transpose() -
        dr.dot(stress) * Eigen::Matrix3d::Identity();

      Eigen::Matrix<double, n_inputs, n_inputs> H;
      const Matrix4 mixed = q * df.head<4>().transpose();
      H.topLeftCorner<4, 4>() =
        (M - mixed - mixed.transpose() - f * Matrix4::Identity()) * (2. / n);
      H.bottomLeftCorner<3, 4>() = (scaled_rotation_gradient(q, stress) -
                                    2. * df.tail<3>() * q.transpose()) /
                                   n;
      H.topRightCorner<4, 3>() = H.bottomLeftCorner<3, 4>().transpose();
      H.bottomRightCorner<3, 3>().setZero();
      return H;
    }

    /// The same times a direction.
    static Input
    curvature_of_strain_times(const Input            &z,
                              const Strain<n_inputs> &strain,
                              const Vector3          &stress,
                              const Input            &dz)
    {
      const Vector4  q = z.head<4>(), x = dz.head<4>();
      const Vector3  dr = z.tail<3>(), y = dz.tail<3>();
      const double   inverse = 1. / q.squaredNorm();
      const Input    df      = strain.gradient.transpose() * stress;
      const double   f       = stress.dot(strain.value) + stress(0);
      const Matrix34 D       = scaled_rotation_gradient(q, stress);
      // With the matrix M above.
      const Vector3 moment = dr.cross(stress);
      const double  work   = dr.dot(stress);
      Vector4       Mx;
      Mx << work * x(0) - moment.dot(x.tail<3>()),
        stress.dot(x.tail<3>()) * dr + dr.dot(x.tail<3>()) * stress -
          work * x.tail<3>() - x(0) * moment;
      const double along = q.dot(x);
      Input        result;
      result.head<4>() =
        (2. * (Mx - df.dot(dz) * q - along * df.head<4>() - f * x) +
         D.transpose() * y) *
        inverse;
      result.tail<3>() = (D * x - 2. * along * df.tail<3>()) * inverse;
      return result;
    }
  };

  template <class Law>
  double
  energy_density(const typename Law::Input &z,
                 const Vector3             &stiffness,
                 const Vector3             &natural)
  {
    const Vector3 elastic = Law::value(z) - natural;
    return 0.5 * elastic.dot(stiffness.cwiseProduct(elastic));
  }

  template <class Law>
  typename Law::Input
  energy_gradient(const typename Law::Input &z,
                  const Vector3             &stiffness,
                  const Vector3             &natural)
  {
    const auto strain = Law::strain(z);
    return strain.gradient.transpose() *
           stiffness.cwiseProduct(strain.value - natural);
  }

  /// The Hessian of the density with a given stress in its geometric part.
  template <class Law>
  Eigen::Matrix<double, Law::n_inputs, Law::n_inputs>
  energy_hessian(const typename Law::Input   &z,
                 const Strain<Law::n_inputs> &strain,
                 const Vector3               &stiffness,
                 const Vector3               &stress)
  {
    return strain.gradient.transpose() * stiffness.asDiagonal() *
             strain.gradient +
           Law::curvature_of_strain(z, strain, stress);
  }

  /// The same times a direction: the strain's change comes before its
  /// stiffness.
  template <class Law>
  typename Law::Input
  energy_hessian_times(const typename Law::Input &z,
                       const Vector3             &stiffness,
                       const Vector3             &natural,
                       const typename Law::Input &dz)
  {
    const auto    strain = Law::strain(z);
    const Vector3 stress = stiffness.cwiseProduct(strain.value - natural);
    return strain.gradient.transpose() *
             stiffness.cwiseProduct(strain.gradient * dz) +
           Law::curvature_of_strain_times(z, strain, stress, dz);
  }

  /// The stress at z that the linearisation at z0 predicts.
  template <class Law>
  Vector3
  predicted_stress(const typename Law::Input &z,
                   const typename Law::Input &z0,
                   const Vector3             &stiffness,
                   const Vector3             &natural)
  {
    const auto strain = Law::strain(z0);
    return stiffness.cwiseProduct(strain.value - natural +
                                  strain.gradient * (z - z0));
  }
} // namespace slender::kirchhoff

#endif

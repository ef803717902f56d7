// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/rods/discrete_kernel.h>

#include <boost/math/constants/constants.hpp>

namespace slender::discrete_rod
{
  namespace
  {
    using quaternion::conjugate;
    using quaternion::left_matrix;
    using quaternion::right_matrix;

    constexpr double pi = boost::math::constants::pi<double>();

    /// The strains as functions of Z = F0* F1, with their derivatives.
    struct StrainOfRotation
    {
      Vector3                     value;
      Eigen::Matrix<double, 3, 4> gradient;

      StrainOfRotation(const Vector4 &Z, const double previous_twist)
        : z(Z)
        , n(Z(0) * Z(0) + Z(1) * Z(1))
      {
        const double twist = 2. * std::atan2(z(1), z(0));
        // atan2 knows the twist up to two full turns.
        value(0) =
          twist + 4. * pi * std::round((previous_twist - twist) / (4. * pi));
        value(1) = 2. * z(0) * z(2) / n;
        value(2) = 2. * z(0) * z(3) / n;

        gradient.setZero();
        gradient(0, 0) = -2. * z(1) / n;
        gradient(0, 1) = 2. * z(0) / n;
        for (int k = 1; k < 3; ++k)
          {
            gradient(k, 0)     = 2. * (z(k + 1) - value(k) * z(0)) / n;
            gradient(k, 1)     = -2. * value(k) * z(1) / n;
            gradient(k, k + 1) = 2. * z(0) / n;
          }
      }

      /// sum_i stress_i d2 strain_i / dZ2.
      Matrix4
      curvature(const Vector3 &stress) const
      {
        Matrix4 H = Matrix4::Zero();

        const double n2 = n * n;
        const double a = z(0), b = z(1);
        H(0, 0) = stress(0) * 4. * a * b / n2;
        H(0, 1) = stress(0) * 2. * (b * b - a * a) / n2;
        H(1, 1) = -H(0, 0);

        // f = N/n with N = 2 z0 (stress . z).
        const double  f = stress(1) * value(1) + stress(2) * value(2);
        const Vector4 df =
          (stress.tail<2>().transpose() * gradient.bottomRows<2>()).transpose();
        H(0, 0) -= 2. * (2. * a * df(0) + f) / n;
        H(0, 1) -= 2. * (a * df(1) + b * df(0)) / n;
        H(1, 1) -= 2. * (2. * b * df(1) + f) / n;
        for (int k = 2; k < 4; ++k)
          {
            H(0, k) = 2. * (stress(k - 1) - a * df(k)) / n;
            H(1, k) = -2. * b * df(k) / n;
          }
        H.triangularView<Eigen::StrictlyLower>() = H.transpose();
        return H;
      }

    private:
      Vector4 z;
      double  n;
    };

  } // namespace

  Matrix4
  frame_curvature(const EdgeFrame &edge, const Vector4 &G)
  {
    static const Vector4 tangent_unit = Vector4::UnitY();

    Matrix4 H;
    // Of p(e) only the scalar part |e| + t.e has second derivatives.
    H.topLeftCorner<3, 3>() =
      edge.length_hessian * right_matrix(edge.turned).col(0).dot(G);
    const Vector4 turned_more =
      0.5 * quaternion::product(edge.turned, tangent_unit);
    H.topRightCorner<3, 1>() = edge.carrier_gradient.transpose() *
                               (right_matrix(turned_more).transpose() * G);
    H.bottomLeftCorner<1, 3>() = H.topRightCorner<3, 1>().transpose();
    H(3, 3)                    = -0.25 * edge.frame.dot(G);
    return H;
  }

  EdgeFrame::EdgeFrame(const Source  &source,
                       const Vector3 &edge,
                       const double   theta)
  {
    const double  length  = edge.norm();
    const Vector3 tangent = edge / length;

    turned = quaternion::product(
      source.frame, Vector4(std::cos(theta / 2), std::sin(theta / 2), 0., 0.));
    frame = quaternion::product(carrier(source, edge), turned);

    carrier_gradient.row(0)          = (tangent + source.tangent).transpose();
    carrier_gradient.bottomRows<3>() = quaternion::cross_matrix(source.tangent);

    gradient.leftCols<3>() = right_matrix(turned) * carrier_gradient;
    gradient.col(3)        = 0.5 * quaternion::product(frame, Vector4::UnitY());
    length_hessian =
      (Eigen::Matrix3d::Identity() - tangent * tangent.transpose()) / length;
  }

  Vector3
  strain_between(const Vector4 &frame_0,
                 const Vector4 &frame_1,
                 const double   previous_twist)
  {
    return StrainOfRotation(quaternion::product(conjugate(frame_0), frame_1),
                            previous_twist)
      .value;
  }

  double
  joint_energy(const Joint   &joint,
               const Vector4 &frame_0,
               const Vector4 &frame_1)
  {
    const Vector3 elastic =
      strain_between(frame_0, frame_1, joint.previous_twist) - joint.natural;
    return 0.5 * elastic.dot(joint.stiffness.cwiseProduct(elastic)) /
           joint.length;
  }

  JointGradient
  joint_gradient(const Joint     &joint,
                 const EdgeFrame &edge_0,
                 const EdgeFrame &edge_1,
                 JointHessian    *hessian)
  {
    const Vector4 Z = left_matrix(conjugate(edge_0.frame)) * edge_1.frame;
    const StrainOfRotation strain(Z, joint.previous_twist);
    const Vector3          stress =
      joint.stiffness.cwiseProduct(strain.value - joint.natural) / joint.length;
    const Vector4 g = strain.gradient.transpose() * stress; // dE/dZ

    // dZ = R(F1) dF0* + L(F0*) dF1.
    static const Vector4 conjugation(1., -1., -1., -1.);
    const Matrix4        Z_by_F0 =
      right_matrix(edge_1.frame) * conjugation.asDiagonal();
    const Matrix4               Z_by_F1 = left_matrix(conjugate(edge_0.frame));
    Eigen::Matrix<double, 4, 8> Z_gradient;
    Z_gradient.leftCols<4>()  = Z_by_F0 * edge_0.gradient;
    Z_gradient.rightCols<4>() = Z_by_F1 * edge_1.gradient;

    if (hessian)
      {
        JointHessian &H   = *hessian;
        const Matrix4 H_Z = strain.gradient.transpose() *
                              (joint.stiffness / joint.length).asDiagonal() *
                              strain.gradient +
                            strain.curvature(stress);
        H.noalias() = Z_gradient.transpose() * H_Z * Z_gradient;
        H.topLeftCorner<4, 4>() +=
          frame_curvature(edge_0, Z_by_F0.transpose() * g);
        H.bottomRightCorner<4, 4>() +=
          frame_curvature(edge_1, Z_by_F1.transpose() * g);
        // g . (dF0* dF1) is the only term that mixes the two edges: column b
        // of C is the gradient of g . (F0* e_b) with respect to F0.
        Matrix4 C;
        for (int b = 0; b < 4; ++b)
          C.col(b) = conjugation.asDiagonal() *
                     (right_matrix(Vector4::Unit(b)).transpose() * g);
        const Matrix4 mixed = edge_0.gradient.transpose() * C * edge_1.gradient;
        H.topRightCorner<4, 4>() += mixed;
        H.bottomLeftCorner<4, 4>() += mixed.transpose();
      }
    return Z_gradient.transpose() * g;
  }
} // namespace slender::discrete_rod

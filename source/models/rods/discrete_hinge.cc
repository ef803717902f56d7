// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/rods/discrete_hinge.h>

namespace slender::discrete_rod
{
  using Eigen::Vector2d;

  struct Hinge::Strain
  {
    Vector2d                    value;
    Eigen::Matrix<double, 2, 4> gradient;

    explicit Strain(const Vector4 &a_y)
      : y(a_y)
      , n(y(0) * y(0) + y(1) * y(1))
    {
      value << y(0) * y(2) + y(1) * y(3), y(0) * y(3) - y(1) * y(2);
      value *= 2. / n;
      gradient << y(2), y(3), y(0), y(1), //
        y(3), -y(2), -y(1), y(0);
      gradient.leftCols<2>() -= value * y.head<2>().transpose();
      gradient *= 2. / n;
    }

    /// sum_i stress_i d2 eps_i / dy2, of a quotient like those of
    /// kirchhoff_kernel.h.
    Matrix4
    curvature(const Vector2d &stress) const
    {
      const Vector4 df = gradient.transpose() * stress;
      Matrix4       H  = Matrix4::Zero();
      H(0, 2) = H(1, 3) = stress(0);
      H(0, 3)           = stress(1);
      H(1, 2)           = -stress(1);
      H.topRows<2>() -= y.head<2>() * df.transpose();
      H = (H + H.transpose()).eval();
      H.topLeftCorner<2, 2>() -=
        stress.dot(value) * Eigen::Matrix2d::Identity();
      return 2. / n * H;
    }

  private:
    Vector4 y;
    double  n;
  };

  Hinge::Hinge(const int      axis,
               const Vector4 &held_frame,
               const Joint   &joint,
               const Vector4 &natural_rotation,
               const Side     side)
  {
    Eigen::Matrix3d axes; // a, b, c
    for (int i = 0; i < 3; ++i)
      axes.col(i) = Vector3::Unit((axis + i) % 3);

    to_axes.row(0) = held_frame.transpose();
    for (int i = 0; i < 3; ++i)
      {
        Vector4 unit;
        unit << 0., axes.col(i);
        to_axes.row(i + 1) = quaternion::product(unit, held_frame).transpose();
      }

    // With no moment about a, the strain about a follows from the others.
    const Eigen::Matrix3d A =
      quaternion::to_matrix(held_frame).transpose() * axes;
    const Eigen::Matrix3d C = A.transpose() * joint.stiffness.asDiagonal() * A;
    const Eigen::RowVector2d follows = -C.block<1, 2>(0, 1) / C(0, 0);
    stiffness = (C.bottomRightCorner<2, 2>() + C.block<2, 1>(1, 0) * follows) /
                joint.length;
    to_material = A.rightCols<2>() + A.col(0) * follows;

    // Behind the edge, the rotation from the held frame to the edge's goes
    // against the rod.
    const bool before = side == Side::before_the_edge;
    if (!before)
      to_material = -to_material;
    natural =
      Strain(to_axes * quaternion::product(held_frame,
                                           before ? natural_rotation
                                                  : quaternion::conjugate(
                                                      natural_rotation)))
        .value;
  }

  double
  Hinge::energy(const Vector4 &edge_frame) const
  {
    const Vector2d elastic = Strain(to_axes * edge_frame).value - natural;
    return 0.5 * elastic.dot(stiffness * elastic);
  }

  Vector4
  Hinge::gradient(const Vector4 &edge_frame) const
  {
    const Strain strain(to_axes * edge_frame);
    return to_axes.transpose() * (strain.gradient.transpose() *
                                  (stiffness * (strain.value - natural)));
  }

  Matrix4
  Hinge::hessian(const Vector4 &edge_frame) const
  {
    const Strain  strain(to_axes * edge_frame);
    const Matrix4 H =
      strain.gradient.transpose() * stiffness * strain.gradient +
      strain.curvature(stiffness * (strain.value - natural));
    return to_axes.transpose() * H * to_axes;
  }

  Vector4
  Hinge::frame(const Vector4 &edge_frame) const
  {
    const auto turn = to_axes.topRows<2>();
    return turn.transpose() * (turn * edge_frame);
  }

  Vector3
  Hinge::elastic_strain(const Vector4 &edge_frame) const
  {
    return to_material * (Strain(to_axes * edge_frame).value - natural);
  }
} // namespace slender::discrete_rod

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_rods_quaternion_h
#define slender_models_rods_quaternion_h

#include <slender/base/direction.h>
#include <slender/base/types.h>

#include <Eigen/Geometry>

/**
 * Quaternions as plain vectors (scalar part first), so that they can be added,
 * interpolated and differentiated like any other unknown. A frame [t d1 d2] is
 * the rotation that takes e1, e2, e3 to t, d1, d2.
 */
namespace slender::quaternion
{
  using Matrix34 = Eigen::Matrix<double, 3, 4>;
  using Matrix4  = Eigen::Matrix4d;
  using Matrix3  = Eigen::Matrix3d;

  inline Matrix3
  cross_matrix(const Vector3 &v)
  {
    return (Matrix3() << 0.,
            -v.z(),
            v.y(),
            v.z(),
            0.,
            -v.x(),
            -v.y(),
            v.x(),
            0.)
      .finished();
  }

  inline Vector4
  conjugate(const Vector4 &q)
  {
    return {q(0), -q(1), -q(2), -q(3)};
  }

  /// L(p) with p q = L(p) q.
  inline Matrix4
  left_matrix(const Vector4 &p)
  {
    return (Matrix4() << p(0),
            -p(1),
            -p(2),
            -p(3), //
            p(1),
            p(0),
            -p(3),
            p(2), //
            p(2),
            p(3),
            p(0),
            -p(1), //
            p(3),
            -p(2),
            p(1),
            p(0))
      .finished();
  }

  /// R(q) with p q = R(q) p.
  inline Matrix4
  right_matrix(const Vector4 &q)
  {
    return (Matrix4() << q(0),
            -q(1),
            -q(2),
            -q(3), //
            q(1),
            q(0),
            q(3),
            -q(2), //
            q(2),
            -q(3),
            q(0),
            q(1), //
            q(3),
            q(2),
            -q(1),
            q(0))
      .finished();
  }

  inline Vector4
  product(const Vector4 &p, const Vector4 &q)
  {
    return left_matrix(p) * q;
  }

  inline Vector4
  from_axis_angle(const Vector3 &axis, const double angle)
  {
    Vector4 q;
    q << std::cos(angle / 2), std::sin(angle / 2) * direction_of(axis);
    return q;
  }

  /// The rotation by |v| about v.
  inline Vector4
  from_rotation_vector(const Vector3 &v)
  {
    const double angle = v.norm();
    // sin(x/2)/x stays exact to round-off in this form near zero.
    const double factor =
      angle > 1e-8 ? std::sin(angle / 2) / angle : 0.5 - angle * angle / 48;
    Vector4 q;
    q << std::cos(angle / 2), factor * v;
    return q;
  }

  inline Vector4
  from_matrix(const Matrix3 &rotation)
  {
    const Eigen::Quaterniond q(rotation);
    return {q.w(), q.x(), q.y(), q.z()};
  }

  /// The rotation matrix of q/|q|.
  inline Matrix3
  to_matrix(const Vector4 &q)
  {
    return Eigen::Quaterniond(q(0), q(1), q(2), q(3))
      .normalized()
      .toRotationMatrix();
  }

  inline Vector3
  rotate(const Vector4 &q, const Vector3 &v)
  {
    return to_matrix(q) * v;
  }
} // namespace slender::quaternion

#endif

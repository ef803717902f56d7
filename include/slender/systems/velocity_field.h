// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_systems_velocity_field_h
#define slender_systems_velocity_field_h

#include <slender/base/types.h>

#include <Eigen/Geometry>

#include <functional>

namespace slender
{
  /// Velocities v(x) in space, in the user's units, and their gradient
  /// L_ij = dv_i/dx_j.
  struct VelocityField
  {
    std::function<Vector3(const Vector3 &x)>         velocity;
    std::function<Eigen::Matrix3d(const Vector3 &x)> gradient;

    /// v + w x x.
    static VelocityField
    rigid(const Vector3 &velocity, const Vector3 &angular_velocity)
    {
      Eigen::Matrix3d L;
      for (int c = 0; c < 3; ++c)
        L.col(c) = angular_velocity.cross(Vector3::Unit(c));
      return {[=](const Vector3 &x) -> Vector3 {
                return velocity + angular_velocity.cross(x);
              },
              [=](const Vector3 &) { return L; }};
    }

    /// How fast a section at x turns whose tangent is t: across t with the
    /// material line along t, about t as its surroundings do on average.
    Vector3
    spin(const Vector3 &x, const Vector3 &t) const
    {
      const Eigen::Matrix3d L = gradient(x);
      const Vector3         curl(L(2, 1) - L(1, 2),
                         L(0, 2) - L(2, 0),
                         L(1, 0) - L(0, 1));
      return t.cross(Vector3(L * t)) + 0.5 * t.dot(curl) * t;
    }
  };
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_rods_end_loads_h
#define slender_models_rods_end_loads_h

#include <slender/base/types.h>

/**
 * Loads on the end of a rod that have no potential, as functions of the end's
 * frame, a quaternion q of any length.
 */
namespace slender::end_loads
{
  /// A force that turns with the end, F = R(q) f, and dF/dq.
  struct FollowingForce
  {
    Vector3                     force;
    Eigen::Matrix<double, 3, 4> rate;
  };

  FollowingForce
  following_force(const Vector3 &in_frame, const Vector4 &q);

  /**
   * A moment that is fixed in space. A change of q spins the end by
   * 2 vec(dq q*) / |q|^2, on which the moment does the work
   *
   *   Q.dq,   Q = 2 (0, moment) q / |q|^2.
   *
   * dQ/dq is not symmetric.
   */
  struct FixedMoment
  {
    Vector4         force; ///< Q
    Eigen::Matrix4d rate;
  };

  FixedMoment
  fixed_moment(const Vector3 &moment, const Vector4 &q);
} // namespace slender::end_loads

#endif

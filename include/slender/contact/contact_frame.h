// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_contact_contact_frame_h
#define slender_contact_contact_frame_h

#include <slender/base/types.h>

#include <Eigen/Geometry>

namespace slender
{
  /// Two directions that make a frame with the normal (its first column).
  inline Eigen::Matrix3d
  contact_frame(const Vector3 &normal)
  {
    Index smallest = 0;
    normal.cwiseAbs().minCoeff(&smallest);
    Eigen::Matrix3d frame;
    frame.col(0) = normal;
    frame.col(1) = normal.cross(Vector3::Unit(smallest)).normalized();
    frame.col(2) = normal.cross(frame.col(1));
    return frame;
  }
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_rods_held_end_h
#define slender_models_rods_held_end_h

#include <slender/models/rods/rod_body.h>

#include <array>
#include <optional>

namespace slender
{
  /// The coordinate axis about which an end may turn, if it is such an end.
  std::optional<int>
  hinge_axis(RodEnd::Rotation rotation);

  /// Which of the four components of the rotation from the held frame to the
  /// rod's are prescribed at an end. A rotation about a coordinate axis leaves
  /// the scalar part and that axis's part free.
  std::array<bool, 4>
  prescribed_quaternion_components(RodEnd::Rotation rotation);
} // namespace slender

#endif

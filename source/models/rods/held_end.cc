// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/rods/held_end.h>

namespace slender
{
  std::optional<int>
  hinge_axis(const RodEnd::Rotation rotation)
  {
    switch (rotation)
      {
        case RodEnd::Rotation::about_x:
          return 0;
        case RodEnd::Rotation::about_y:
          return 1;
        case RodEnd::Rotation::about_z:
          return 2;
        case RodEnd::Rotation::free:
        case RodEnd::Rotation::fixed:
          break;
      }
    return {};
  }

  std::array<bool, 4>
  prescribed_quaternion_components(const RodEnd::Rotation rotation)
  {
    std::array<bool, 4> prescribed;
    prescribed.fill(rotation != RodEnd::Rotation::free);
    if (const std::optional<int> axis = hinge_axis(rotation))
      prescribed[0] = prescribed[1 + *axis] = false;
    return prescribed;
  }
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/systems/kinematics.h>

#include <algorithm>

namespace slender
{
  std::vector<Vector>
  free_motions(const System &system, const Vector &q)
  {
    const auto *kinematics = dynamic_cast<const Kinematics *>(&system);
    return kinematics ? kinematics->free_motions(q) : std::vector<Vector>();
  }

  double
  displacement_scale(const System &system)
  {
    const auto *kinematics = dynamic_cast<const Kinematics *>(&system);
    return kinematics ? std::min(1., kinematics->displacement_scale()) : 1.;
  }
} // namespace slender

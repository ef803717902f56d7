// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/systems/kinematics.h>
#include <slender/systems/touching_points.h>

#include <algorithm>

namespace slender
{
  std::unique_ptr<TouchingPoints>
  Kinematics::touching_points() const
  {
    return nullptr;
  }

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

  std::unique_ptr<TouchingPoints>
  touching_points(const System &system)
  {
    const auto *kinematics = dynamic_cast<const Kinematics *>(&system);
    auto        points = kinematics ? kinematics->touching_points() : nullptr;
    if (!points)
      throw InputError("this body has no points that could touch an obstacle",
                       "Obstacles");
    return points;
  }
} // namespace slender

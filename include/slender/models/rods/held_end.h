// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_rods_held_end_h
#define slender_models_rods_held_end_h

#include <slender/models/rods/rod_model.h>

namespace slender
{
  /// Which of the four components of a quaternion are prescribed at an end. A
  /// rotation about a coordinate axis leaves the scalar part and that axis's
  /// part free.
  std::array<bool, 4>
  prescribed_quaternion_components(RodEnd::Rotation rotation);

  /// The stations of all ranks, in the order of arc length, on every rank.
  std::vector<RodStation>
  gather_stations(MPI_Comm communicator, const std::vector<RodStation> &mine);
} // namespace slender

#endif

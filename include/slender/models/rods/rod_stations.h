// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_rods_rod_stations_h
#define slender_models_rods_rod_stations_h

#include <slender/base/types.h>

#include <mpi.h>

#include <optional>
#include <vector>

namespace slender
{
  /// What a rod is like at one of its points, in the user's units.
  struct RodStation
  {
    double  arc_length;
    Vector3 position;
    Vector4 frame;  ///< quaternion of [t d1 d2]
    Vector3 strain; ///< twist, curvature 1, curvature 2
    double  stretch;
    double  energy_density; ///< elastic energy per length
  };

  /// What a rank has to know of the stations of others, so that its own become
  /// a part of the whole: the ends of the rod, and those next to its own.
  struct StationsAround
  {
    RodStation                first, last;
    std::optional<RodStation> before, behind;
  };

  /// Ranks have consecutive pieces of the rod, some of them perhaps none;
  /// collective.
  StationsAround
  stations_around(MPI_Comm communicator, const std::vector<RodStation> &mine);

  /// The stations of all ranks, in the order of arc length, on every rank.
  std::vector<RodStation>
  gather_stations(MPI_Comm communicator, const std::vector<RodStation> &mine);
} // namespace slender

#endif

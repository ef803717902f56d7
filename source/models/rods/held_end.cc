// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/rods/held_end.h>

#include <type_traits>

namespace slender
{
  std::array<bool, 4>
  prescribed_quaternion_components(const RodEnd::Rotation rotation)
  {
    switch (rotation)
      {
        case RodEnd::Rotation::free:
          return {{false, false, false, false}};
        case RodEnd::Rotation::about_x:
          return {{false, false, true, true}};
        case RodEnd::Rotation::about_y:
          return {{false, true, false, true}};
        case RodEnd::Rotation::about_z:
          return {{false, true, true, false}};
        case RodEnd::Rotation::fixed:
          break;
      }
    return {{true, true, true, true}};
  }

  std::vector<RodStation>
  gather_stations(MPI_Comm communicator, const std::vector<RodStation> &mine)
  {
    static_assert(std::is_trivially_destructible_v<RodStation>);

    int n_ranks;
    MPI_Comm_size(communicator, &n_ranks);
    if (n_ranks == 1)
      return mine;

    const int n_bytes = static_cast<int>(mine.size() * sizeof(RodStation));
    std::vector<int> counts(n_ranks), offsets(n_ranks + 1, 0);
    MPI_Allgather(
      &n_bytes, 1, MPI_INT, counts.data(), 1, MPI_INT, communicator);
    for (int r = 0; r < n_ranks; ++r)
      offsets[r + 1] = offsets[r] + counts[r];
    std::vector<RodStation> all(offsets.back() / sizeof(RodStation));
    MPI_Allgatherv(mine.data(),
                   n_bytes,
                   MPI_BYTE,
                   all.data(),
                   counts.data(),
                   offsets.data(),
                   MPI_BYTE,
                   communicator);
    std::sort(all.begin(),
              all.end(),
              [](const RodStation &a, const RodStation &b) {
                return a.arc_length < b.arc_length;
              });
    return all;
  }
} // namespace slender

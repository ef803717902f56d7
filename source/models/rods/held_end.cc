// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/rods/held_end.h>

#include <type_traits>

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

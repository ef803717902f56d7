// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/rods/rod_stations.h>

#include <type_traits>

namespace slender
{
  // Stations travel as bytes.
  static_assert(std::is_trivially_destructible_v<RodStation>);

  StationsAround
  stations_around(MPI_Comm communicator, const std::vector<RodStation> &mine)
  {
    struct Ends
    {
      bool       exist = false;
      RodStation first, last;
    };

    int rank, n_ranks;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &n_ranks);
    Ends my_ends;
    if (!mine.empty())
      my_ends = {true, mine.front(), mine.back()};
    std::vector<Ends> all(n_ranks);
    MPI_Allgather(&my_ends,
                  sizeof(Ends),
                  MPI_BYTE,
                  all.data(),
                  sizeof(Ends),
                  MPI_BYTE,
                  communicator);

    StationsAround result;
    bool           is_first = true;
    for (int r = 0; r < n_ranks; ++r)
      if (all[r].exist)
        {
          if (is_first)
            result.first = all[r].first;
          is_first    = false;
          result.last = all[r].last;
          if (r < rank)
            result.before = all[r].last;
          else if (r > rank && !result.behind)
            result.behind = all[r].first;
        }
    return result;
  }

  std::vector<RodStation>
  gather_stations(MPI_Comm communicator, const std::vector<RodStation> &mine)
  {
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
    return all;
  }
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/base/groups.h>

namespace slender
{
  Groups::Groups(MPI_Comm world, const int ranks_per_group)
    : all(world)
  {
    MPI_Comm_rank(all, &rank);
    MPI_Comm_size(all, &number_of_ranks);
    if (number_of_ranks % ranks_per_group != 0)
      throw InputError("'Ranks per sample' is " +
                         std::to_string(ranks_per_group) +
                         ", which does not divide the " +
                         std::to_string(number_of_ranks) + " ranks of this run",
                       "Ranks per sample");
    number_of_groups = number_of_ranks / ranks_per_group;
    index            = rank / ranks_per_group;
    MPI_Comm_split(all, index, rank, &mine);
    MPI_Comm_rank(mine, &rank_in_group);
  }

  Groups::~Groups()
  {
    MPI_Comm_free(&mine);
  }
} // namespace slender

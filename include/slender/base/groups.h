// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_base_groups_h
#define slender_base_groups_h

#include <mpi.h>

namespace slender
{
  /**
   * Two levels of parallelism: the ranks are split into groups of equal size;
   * samples of a sweep go to groups, a body is distributed over the ranks of
   * its group.
   */
  class Groups
  {
  public:
    /// Throws InputError unless the ranks can be split evenly.
    Groups(MPI_Comm world, int ranks_per_group);
    ~Groups();

    Groups(const Groups &) = delete;
    Groups &
    operator=(const Groups &) = delete;

    MPI_Comm
    world() const
    {
      return all;
    }

    /// The communicator of this rank's group.
    MPI_Comm
    group() const
    {
      return mine;
    }

    int
    n_groups() const
    {
      return number_of_groups;
    }

    /// Which of the groups this rank belongs to.
    int
    group_index() const
    {
      return index;
    }

    /// The first rank of all, which writes the results.
    bool
    is_first_rank() const
    {
      return rank == 0;
    }

    /// Whether this rank speaks for its group.
    bool
    is_first_in_group() const
    {
      return rank_in_group == 0;
    }

    int
    n_ranks() const
    {
      return number_of_ranks;
    }

  private:
    MPI_Comm all;
    MPI_Comm mine             = MPI_COMM_NULL;
    int      rank             = 0;
    int      rank_in_group    = 0;
    int      number_of_ranks  = 1;
    int      number_of_groups = 1;
    int      index            = 0;
  };
} // namespace slender

#endif

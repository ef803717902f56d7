// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_base_layout_h
#define slender_base_layout_h

#include <slender/base/places.h>
#include <slender/base/types.h>

#include <mpi.h>

#include <vector>

namespace slender
{
  /**
   * Which unknowns a rank owns and which others it reads.
   *
   * A rank's Vector holds the unknowns it owns, [begin, end) of the global
   * numbering, followed by its ghosts: copies of unknowns of other ranks that
   * its elements touch. PETSc's ghosted vectors have the same shape, so that
   * no copy is needed between a model and the solvers. "Local number" means a
   * position in that Vector.
   */
  struct Layout
  {
    MPI_Comm           communicator = MPI_COMM_SELF;
    Index              size         = 0; ///< unknowns on all ranks together
    Index              begin        = 0;
    Index              end          = 0;
    std::vector<Index> ghosts; ///< global numbers, ascending

    Index
    n_owned() const
    {
      return end - begin;
    }

    Index
    n_local() const
    {
      return n_owned() + static_cast<Index>(ghosts.size());
    }
  };

  double
  sum_over_ranks(const Layout &layout, double value);

  /// Over all unknowns, each counted on the rank that owns it.
  double
  root_mean_square(const Layout &layout, const Vector &share);

  /// All unknowns in the order of their global numbers, on every rank.
  Vector
  gather(const Layout &layout, const Vector &share);

  /// The inverse of gather(): this rank's share, with its ghosts.
  Vector
  share_of(const Layout &layout, const Vector &all);

  /// The whole of values that each rank has its places for, on every rank;
  /// zero at places that nobody names. Collective.
  Vector
  gather(MPI_Comm communicator, const Places &places, const Vector &values);

  /// The inverse: a rank's own `n_values` values; zero where it has no place.
  Vector
  share_of(const Places &places, const Vector &all, Index n_values);
} // namespace slender

#endif

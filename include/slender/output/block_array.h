// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_output_block_array_h
#define slender_output_block_array_h

#include <slender/base/places.h>

#include <mpi.h>

#include <cstdint>
#include <string>

namespace slender
{
  /**
   * How an array lies in a file: cut into contiguous blocks of equal size, one
   * per rank in the order of the ranks. Numbers travel between the ranks that
   * use them and those that hold their blocks in runs of consecutive places,
   * so that a share in consecutive places costs little more than its numbers.
   */
  struct Block
  {
    std::int64_t begin = 0;
    std::int64_t end   = 0;
  };

  /// This rank's.
  Block
  block_of(std::int64_t size, MPI_Comm communicator);

  /// Moves values to the blocks; where several ranks name a place, the lowest
  /// counts, and where none does, there is a zero. Collective.
  Vector
  to_blocks(MPI_Comm communicator, const Places &places, const Vector &values);

  /// Gets the values at the places of this rank from the blocks; zero where no
  /// place is named. Collective.
  Vector
  from_blocks(MPI_Comm      communicator,
              const Places &places,
              const Vector &block,
              Index         n_local);
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_solvers_block_matrix_h
#define slender_solvers_block_matrix_h

#include <slender/solvers/petsc.h>
#include <slender/systems/system.h>

#include <vector>

namespace slender
{
  /**
   * A distributed PETSc matrix whose pattern is fixed when it is made, to which
   * a system's blocks are added.
   *
   * Of the time that MatSetValues takes, nearly all is the search for the place
   * of each entry in its row. Here a place is sought once for a run of
   * consecutive columns, and once for consecutive rows with the same pattern:
   * the three coordinates of a node, or those of all nodes inside a cell. And
   * it is remembered: a system adds its blocks in the same order each time, so
   * that the next time nothing is sought but for blocks that are others than
   * before. Only rows of other ranks go through MatSetValues.
   */
  class BlockMatrix : public HessianSink
  {
  public:
    /// The pattern is that of the system's Hessian at `q`; collective.
    BlockMatrix(const System &system, const Vector &q);

    /// Sets all entries to zero; blocks may be added until finish().
    void
    clear();

    void
    add(const Index *unknowns, Index n, const double *block) override;

    /// Kept until finish().
    void
    add_global(const Index *unknowns, Index n, const double *block) override;

    /// Collective.
    void
    finish();

    Mat
    handle() const
    {
      return matrix;
    }

  private:
    static constexpr Index none = -1;

    /// One of the two parts of this rank's rows: the columns that it owns, and
    /// the others. Columns are numbered within the part, ascending.
    struct Part
    {
      Mat             matrix  = nullptr; ///< a sequential one, not owned
      const PetscInt *begins  = nullptr; ///< of rows
      const PetscInt *columns = nullptr;
      PetscScalar    *values  = nullptr;

      void
      find_pattern(Mat part);

      bool
      has_equal_rows(Index row, Index other) const;

      /// Where in its row consecutive columns stand. Throws if the pattern
      /// does not have them.
      Index
      place(Index row, Index first_column, Index n_columns) const;
    };

    /// Consecutive columns of a block that are consecutive in the matrix too.
    struct Run
    {
      Index part;  ///< 0: owned, 1: others
      Index first; ///< in the block
      Index length;
      Index column; ///< the first, in the numbering of the part
    };

    /// What was found of a block, one number after the other: how many in all,
    /// n, the unknowns, the number of runs, these, and then for each row whose
    /// pattern is not that of the row before in the block the places of runs.
    using Numbers = std::vector<Index>;

    /// Replaces what stands in `to` from `begin` on by the record of a block.
    void
    record(const Index *unknowns,
           Index        n,
           Numbers     &to,
           std::size_t  begin) const;

    /// Whether consecutive rows of a block have the same places.
    bool
    is_like(const Index row, const Index previous) const
    {
      return previous >= 0 && row == previous + 1 && repeats[row];
    }

    /// A block by rows, as PETSc wants it.
    const double *
    by_rows(Index n, const double *block);

    petsc::Owned<Mat, MatDestroy> matrix;
    bool                          is_symmetric;
    Part                          parts[2];
    Index                         n_owned;
    /// By local number: the column in its part, or none.
    std::vector<Index> column_in_part;
    /// Whether a row has the same pattern as the one before.
    std::vector<bool> repeats;

    struct GlobalBlock
    {
      std::vector<PetscInt> unknowns;
      std::vector<double>   values;
    };
    std::vector<GlobalBlock> global_blocks;

    Numbers     records;  ///< of the blocks that were added since clear() first
    std::size_t next = 0; ///< where the next block's begins

    Numbers record_of_one; ///< where there are too many to be remembered

    // Kept from block to block.
    std::vector<Index>  rows_of_others;
    std::vector<double> values_of_others, transposed;
  };
} // namespace slender

#endif

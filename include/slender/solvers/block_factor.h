// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_solvers_block_factor_h
#define slender_solvers_block_factor_h

#include <slender/solvers/node_blocks.h>

#include <vector>

namespace slender
{
  /**
   * A sparse symmetric matrix of 4 x 4 blocks, and its L D L^T without
   * pivoting: L is lower triangular with ones on its diagonal, D diagonal, so
   * that the pivots have the signs of the eigenvalues.
   *
   * Blocks are dense and of a size that is known when the program is built: a
   * product of two of them is sixteen vector instructions, where a sparse
   * factorisation by single numbers looks up an index for each.
   */
  class BlockFactor
  {
  public:
    /// A block of L by its column and its number.
    struct Left
    {
      Index column, block;
    };

    BlockFactor() = default;

    /// Analyses a pattern: the lower triangle of blocks by columns, diagonal
    /// included, rows ascending.
    explicit BlockFactor(const CompressedRows &lower);

    /// Numbers of the matrix, 16 for each block of the pattern, column by
    /// column. Of blocks on the diagonal both triangles count.
    std::vector<double> matrix;

    /// False if a pivot is zero or not a number.
    bool
    factorise();

    /// Solves in place, with what was factorised last.
    void
    solve(double *b) const;

    /// y += A x.
    void
    multiply(const double *x, double *y) const;

    Index
    n_nodes() const
    {
      return static_cast<Index>(pattern.begins.size()) - 1;
    }

    const std::vector<double> &
    pivots() const
    {
      return diagonal;
    }

    std::size_t
    n_factor_blocks() const
    {
      return filled.columns.size();
    }

  private:
    CompressedRows pattern; ///< of the matrix, by columns
    CompressedRows filled;  ///< of L, by columns

    // Of each row of L: its blocks left of the diagonal.
    std::vector<Index> row_begins;
    std::vector<Left>  lefts;

    std::vector<Index>  goes_to;  ///< of the blocks of the matrix: those of L
    std::vector<double> factor;   ///< blocks of L
    std::vector<double> diagonal; ///< D
    std::vector<Index>  block_of; ///< of a row, in the present column
  };
} // namespace slender

#endif

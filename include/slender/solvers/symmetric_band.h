// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_solvers_symmetric_band_h
#define slender_solvers_symmetric_band_h

#include <slender/base/types.h>

#include <vector>

namespace slender
{
  /**
   * A symmetric band matrix on one rank, factorised as L D L^T without
   * pivoting. The factors are kept beside the matrix, with which solutions can
   * be refined.
   *
   * Columns are worked with as far down as they have entries, not over the
   * whole band: what couples with one element alone, as the inner nodes of
   * elements do, is thereby eliminated at the cost of condensing it in its
   * element.
   */
  class SymmetricBand
  {
  public:
    SymmetricBand() = default;

    /// With `width` entries on one side of the diagonal. Takes no memory before
    /// the first clear().
    SymmetricBand(Index size, Index width);

    Index
    size() const
    {
      return n;
    }

    Index
    bandwidth() const
    {
      return width;
    }

    /// Sets all entries to zero.
    void
    clear();

    /// The entries of a column from the diagonal downwards, addressed by their
    /// row: lower(j)[i] is the entry (i, j) with j <= i <= j + width.
    double *
    lower(const Index j)
    {
      return matrix.data() + static_cast<std::size_t>(j) * width;
    }

    /// The lower triangle as it is stored, for sums over ranks.
    std::vector<double> &
    entries()
    {
      return matrix;
    }

    /// False if a pivot vanishes to working precision or is not a number.
    bool
    factorise();

    /// How many pivots are negative: as many as eigenvalues are.
    Index
    n_negative_pivots() const;

    Vector
    multiply(const Vector &x) const;

    /// With the factors; b becomes the solution.
    void
    solve(Vector &b) const;

    /// Subtracts C^T A^-1 C from `complement`, with the factors of A. Of C the
    /// rows with the ascending numbers `rows` are given, the others are zero.
    void
    subtract_schur_complement(const std::vector<Index> &rows,
                              const Eigen::MatrixXd    &C,
                              Eigen::MatrixXd          &complement) const;

  private:
    const double *
    factor_column(const Index j) const
    {
      return factor.data() + static_cast<std::size_t>(j) * (width + 1);
    }

    void
    find_last_rows() const;

    Index n = 0, width = 0;
    // Column j of the lower triangle: entries (j, j) ... (j + width, j).
    std::vector<double> matrix, factor;
    /// The last row of each column that is not zero in the factors; empty if it
    /// has to be found.
    mutable std::vector<Index> last_rows;
  };
} // namespace slender

#endif

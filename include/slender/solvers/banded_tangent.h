// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_solvers_banded_tangent_h
#define slender_solvers_banded_tangent_h

#include <slender/solvers/tangent.h>

#include <vector>

namespace slender
{
  /// The couplings of a system on one rank: for each unknown the unknowns that
  /// share a block of the Hessian with it.
  std::vector<std::vector<Index>>
  couplings(const System &system, const Vector &q);

  /**
   * The tangent of a body that lives on one rank and is long rather than wide,
   * such as a rod: a symmetric band in the order of the reverse Cuthill-McKee
   * algorithm, factorised as L D L^T without pivoting. Its pivots have the
   * signs of the eigenvalues. Where the factorisation loses accuracy because a
   * pivot is small (an indefinite matrix), solves are refined iteratively.
   */
  class BandedTangent : public Tangent
  {
  public:
    explicit BandedTangent(const std::vector<std::vector<Index>> &couplings);

    void
    add(const Index *unknowns, Index n, const double *block) override;

    void
    add_global(const Index *unknowns, Index m, const double *block) override
    {
      add(unknowns, m, block);
    }

    void
    clear() override;

    void
    finish() override;

    void
    apply(Vec x, Vec y) const override;

    bool
    solve(Vec b, Vec x) override;

    Inertia
    inertia() override;

    long
    n_factorisations() const override;

    /// Entries on one side of the diagonal.
    Index
    bandwidth() const;

  private:
    bool
    factorise();

    Vector
    multiply(const Vector &x) const;

    Vector
    solve_once(Vector b) const;

    Index              n, width;
    std::vector<Index> order; ///< position of each unknown in the band
    // Column j of the lower triangle: entries (j, j) ... (j + width, j).
    std::vector<double> matrix, factor;
    bool                is_factorised = false, is_regular = false;
    long                factorisations = 0;
  };
} // namespace slender

#endif

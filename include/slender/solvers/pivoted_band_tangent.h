// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_solvers_pivoted_band_tangent_h
#define slender_solvers_pivoted_band_tangent_h

#include <slender/solvers/couplings.h>
#include <slender/solvers/tangent.h>

#include <optional>
#include <vector>

namespace slender
{
  /**
   * The tangent of a system that is long rather than wide, on one rank, where
   * something acts that has no potential: a band that is not symmetric,
   * factorised as L U with pivoting (LAPACK).
   */
  class PivotedBandTangent : public Tangent
  {
  public:
    PivotedBandTangent(const Layout &layout, const Couplings &couplings);

    /// Throws std::logic_error if a block does not fit into the band.
    void
    add(const Index *unknowns, Index n, const double *block) override;

    void
    add_global(const Index *unknowns, Index n, const double *block) override;

    void
    clear() override;

    void
    finish() override;

    void
    apply(Vec x, Vec y) const override;

    void
    apply(Eigen::Ref<Eigen::MatrixXd> columns) const override;

    bool
    solve(Vec b, Vec x) override;

    bool
    solve(Eigen::Ref<Eigen::MatrixXd> columns) override;

    bool
    solve_transposed(Vec b, Vec x) override;

    Inertia
    inertia() override;

    long
    n_factorisations() const override;

    /// Entries on one side of the diagonal.
    Index
    bandwidth() const;

  private:
    /// Where entry (i, j) stands, by places in the band. LAPACK keeps `width`
    /// rows free for what pivoting fills in.
    std::size_t
    at(const Index i, const Index j) const
    {
      return static_cast<std::size_t>(j) * n_rows() + 2 * width + i - j;
    }

    Index
    n_rows() const
    {
      return 3 * width + 1;
    }

    bool
    factorise();

    Vector
    product(const Vector &x) const;

    /// None if the matrix is singular.
    std::optional<Vector>
    solution(const Vector &b, char is_transposed);

    Layout              layout;
    std::vector<Index>  place; ///< of each unknown
    Index               width = 0;
    std::vector<double> matrix, factors;
    std::vector<int>    pivots;
    bool                is_factorised = false, is_regular = false;
    long                factorisations = 0;
  };
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_solvers_sparse_tangent_h
#define slender_solvers_sparse_tangent_h

#include <slender/solvers/couplings.h>
#include <slender/solvers/tangent.h>

#include <memory>
#include <vector>

namespace slender
{
  /**
   * The tangent of a symmetric system on one rank: a sparse matrix, factorised
   * as L D L^T in an order with little fill (CHOLMOD). It serves rods that
   * touch: some pairs of edges far from each other along the rod spoil its
   * band, but hardly fill a sparse factor.
   *
   * The analysis is made once for a pattern. A system adds its blocks in the
   * same order every time; so where their entries go is remembered, and looked
   * up only where the order is another than before.
   */
  class SparseTangent : public Tangent
  {
  public:
    SparseTangent(const Layout &layout, const Couplings &couplings);
    ~SparseTangent() override;

    /// Throws std::logic_error for a block outside the pattern.
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

    Inertia
    inertia() override;

    long
    n_factorisations() const override;

    /// Entries of the factor.
    double
    n_factor_entries() const;

  private:
    struct Factor; ///< CHOLMOD's objects

    bool
    factorise();

    /// Finds where a block's entries go, and remembers it as the next one.
    void
    look_up(const Index *unknowns, Index n);

    Vector
    product(const Vector &x) const;

    bool
    solve_in_place(Eigen::Ref<Vector> x);

    Layout layout;

    std::vector<Index> place; ///< of each unknown in the order of the factor

    /// The upper triangle by columns, in that order.
    std::vector<Index>  begins, rows;
    std::vector<double> values;

    // The blocks of the last filling, one after the other: their unknowns, and
    // for each entry of the upper triangle where it goes.
    std::vector<Index>       members, places;
    std::vector<std::size_t> member_begins = {0}, place_begins = {0};
    std::size_t              next = 0; ///< block

    std::unique_ptr<Factor> factor;
    bool                    is_factorised = false, is_regular = false;
    long                    factorisations = 0;
  };
} // namespace slender

#endif

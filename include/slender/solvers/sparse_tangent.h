// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_solvers_sparse_tangent_h
#define slender_solvers_sparse_tangent_h

#include <slender/solvers/block_factor.h>
#include <slender/solvers/couplings.h>
#include <slender/solvers/tangent.h>

#include <vector>

namespace slender
{
  /**
   * The tangent of a symmetric system on one rank: a sparse matrix of blocks,
   * one for each pair of nodes that couple (see NodeBlocks), factorised as
   * L D L^T in an order with little fill. It serves rods that touch: some pairs
   * of edges far from each other along the rod spoil its band, but hardly fill
   * a sparse factor.
   *
   * The analysis is made once for a pattern. A system adds its blocks in the
   * same order every time; so where their entries go is remembered, and looked
   * up only where the order is another than before.
   */
  class SparseTangent : public Tangent
  {
  public:
    SparseTangent(const Layout &layout, const Couplings &couplings);

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

    /// Of 4 x 4 numbers.
    std::size_t
    n_factor_blocks() const
    {
      return factor.n_factor_blocks();
    }

  private:
    bool
    factorise();

    /// Finds where a block's entries go, and remembers it as the next one.
    void
    look_up(const Index *unknowns, Index n);

    Vector
    product(const Vector &x) const;

    bool
    solve_in_place(Eigen::Ref<Vector> x);

    Layout      layout;
    NodeBlocks  nodes;
    BlockFactor factor;

    /// Entries of what is added that follow each other, and where they go in
    /// the matrix.
    struct Move
    {
      Index from, to, number;
    };

    // The blocks of the last filling, one after the other.
    std::vector<Index>       members; ///< their unknowns
    std::vector<Move>        moves;
    std::vector<std::size_t> member_begins = {0}, move_begins = {0};
    std::size_t              next = 0; ///< block

    mutable std::vector<double> padded; ///< a vector in the order of the nodes

    bool is_factorised = false, is_regular = false;
    long factorisations = 0;
  };
} // namespace slender

#endif

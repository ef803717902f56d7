// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_solvers_banded_tangent_h
#define slender_solvers_banded_tangent_h

#include <slender/solvers/couplings.h>
#include <slender/solvers/symmetric_band.h>
#include <slender/solvers/tangent.h>

#include <vector>

namespace slender
{
  /**
   * The tangent of a system that is long rather than wide, such as a rod: a
   * symmetric band, factorised as L D L^T without pivoting. Its pivots have the
   * signs of the eigenvalues. Where the factorisation loses accuracy because a
   * pivot is small (an indefinite matrix), solves are refined iteratively.
   *
   * A system that is shared by ranks is cut into substructures. Unknowns that
   * more than one rank touches, and those in blocks that reach across ranks,
   * are the interface; what a rank alone touches is its interior, a band of its
   * own. Eliminating the interiors leaves
   *
   *   S = sum_ranks (A_GG - A_GI A_II^-1 A_IG)
   *
   * on the interface, which is a narrow band again and so small that every rank
   * factorises all of it. By Sylvester's law the inertia is that of the
   * interiors and of S together. On one rank there is no interface.
   */
  class BandedTangent : public Tangent
  {
  public:
    /// `couplings` are those of this rank, in the layout's local numbers;
    /// collective.
    BandedTangent(const Layout &layout, const Couplings &couplings);

    /// Throws std::logic_error if a block does not fit into the band.
    void
    add(const Index *unknowns, Index n, const double *block) override;

    void
    add_global(const Index *unknowns, Index n, const double *block) override;

    /// Takes the memory when it is called first.
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

    /// Entries on one side of the diagonal, on the rank with the widest band
    /// ...
    Index
    bandwidth() const;

    /// ... and on the interface.
    Index
    interface_bandwidth() const;

  private:
    /// A vector by substructures: this rank's interior in the order of its
    /// band, and the whole interface, which every rank has.
    struct Pieces
    {
      Vector interior, interface;
    };

    void
    find_interface(const Couplings &couplings);

    void
    order_interior(const Couplings &couplings);

    void
    find_border(const Couplings &couplings);

    /// As add(), for a block that touches the interface.
    void
    add_to_border(const Index *unknowns, Index n, const double *block);

    Index
    border_row(Index place) const;

    bool
    factorise();

    Pieces
    pieces_of(const Vector &owned) const;

    void
    put(const Pieces &pieces, Vec v) const;

    /// The owned values of pieces.
    void
    put(const Pieces &pieces, Eigen::Ref<Vector> owned) const;

    double
    norm(const Pieces &pieces) const;

    Pieces
    multiply(const Pieces &x) const;

    Pieces
    solve_once(Pieces b) const;

    Layout layout;

    /// By local number: the place in the interior's band, or -1 - k for the
    /// k-th interface unknown that this rank touches.
    std::vector<Index> place;
    /// Numbers in the interface of those that this rank touches, ascending.
    std::vector<Index> touched;
    std::vector<Index> touched_unknowns; ///< their global numbers
    Index              n_interface = 0;

    SymmetricBand interior;

    // The rest of what this rank adds: A_IG, of which only the rows next to the
    // interface are not zero, and A_GG.
    std::vector<Index> border_rows;
    Eigen::MatrixXd    border, corner;

    SymmetricBand complement; ///< S, the same on all ranks
    Index         width         = 0;
    bool          is_factorised = false, is_regular = false;
    long          factorisations = 0;

    /// An unknown of a block: where it is in the interior's band, and its
    /// number in the block.
    struct Inner
    {
      Index place, number;
    };

    // Kept from block to block.
    std::vector<Index> local_numbers;
    std::vector<Inner> ordered;
  };
} // namespace slender

#endif

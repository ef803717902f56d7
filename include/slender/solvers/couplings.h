// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_solvers_couplings_h
#define slender_solvers_couplings_h

#include <slender/systems/system.h>

#include <vector>

namespace slender
{
  /// The pattern of a sparse matrix: the columns of each row, ascending.
  struct CompressedRows
  {
    std::vector<Index> begins = {0}; ///< of the rows, and the end of the last
    std::vector<Index> columns;
  };

  /// The local numbers of unknowns with global ones (negative ones stay), or
  /// false if this rank does not know all of them.
  bool
  to_local_numbers(const Layout       &layout,
                   const Index        *unknowns,
                   Index               n,
                   std::vector<Index> &local);

  /**
   * Which unknowns share a block of a Hessian. Blocks are kept as the lists of
   * their unknowns, which is a fraction of the entries that they stand for;
   * rows are made of them at once, without a container for each.
   *
   * Blocks with global numbers are taken for local ones where the rank knows
   * all of their unknowns; the others couple the unknowns of several ranks and
   * are kept apart.
   */
  class Couplings : public HessianSink
  {
  public:
    /// None yet; for blocks with local numbers.
    Couplings() = default;

    /// None yet, of unknowns that are distributed like this.
    explicit Couplings(const Layout &layout);

    /// Those of the Hessian at `q`, as far as this rank adds to it.
    Couplings(const System &system, const Vector &q);

    void
    add(const Index *unknowns, Index n, const double *block) override;

    void
    add_global(const Index *unknowns, Index n, const double *block) override;

    /// The unknowns of one block, in local numbers.
    struct Block
    {
      const Index *first, *last;

      const Index *
      begin() const
      {
        return first;
      }

      const Index *
      end() const
      {
        return last;
      }
    };

    std::size_t
    n_blocks() const
    {
      return begins.size() - 1;
    }

    Block
    block(const std::size_t i) const
    {
      return {members.data() + begins[i], members.data() + begins[i + 1]};
    }

    /// The rows of the unknowns 0 ... n - 1, each with its diagonal.
    CompressedRows
    rows(Index n) const;

    /// The global numbers of the unknowns of each block that reaches unknowns
    /// that this rank does not know.
    const std::vector<std::vector<Index>> &
    blocks_across_ranks() const
    {
      return across_ranks;
    }

  private:
    Layout                          layout;
    std::vector<std::vector<Index>> across_ranks;

    std::vector<Index>       members; ///< of all blocks
    std::vector<std::size_t> begins = {0};
  };
} // namespace slender

#endif

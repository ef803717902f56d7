// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_statics_couplings_h
#define slender_statics_couplings_h

#include <slender/models/model.h>

#include <vector>

namespace slender
{
  /// The pattern of a sparse matrix: the columns of each row, ascending.
  struct CompressedRows
  {
    std::vector<Index> begins = {0}; ///< of the rows, and the end of the last
    std::vector<Index> columns;
  };

  /**
   * Which unknowns share a block of a Hessian. Blocks are kept as the lists of
   * their unknowns, which is a fraction of the entries that they stand for;
   * rows are made of them at once, without a container for each.
   */
  class Couplings : public HessianSink
  {
  public:
    Couplings() = default;

    /// Those of the Hessian at `q`, as far as this rank adds to it.
    Couplings(const Model &model, const Vector &q);

    void
    add(const Index *unknowns, Index n, const double *block) override;

    /// The unknowns of one block.
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

  private:
    std::vector<Index>       members; ///< of all blocks
    std::vector<std::size_t> begins = {0};
  };
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_solvers_node_blocks_h
#define slender_solvers_node_blocks_h

#include <slender/solvers/couplings.h>

#include <vector>

namespace slender
{
  /// So many unknowns at most are one node.
  constexpr Index node_size = 4;

  /**
   * Unknowns taken together that couple with the same others: the three
   * coordinates of a node of a rod and the angle of its edge. Such nodes, and
   * not single unknowns, are what a sparse matrix is ordered and factorised by.
   */
  struct NodeBlocks
  {
    /// Of consecutive unknowns that couple, in an order of the nodes with
    /// little fill (approximate minimum degree).
    explicit NodeBlocks(const CompressedRows &unknowns);

    Index n_nodes = 0;

    /// Of each unknown: node_size times its node, and its number there. Nodes
    /// with fewer unknowns have empty places at their end.
    std::vector<Index> place;

    std::vector<Index> sizes; ///< of the nodes

    /// The nodes from itself on that each one couples with.
    CompressedRows lower;
  };
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_systems_node_chain_h
#define slender_systems_node_chain_h

#include <slender/base/types.h>

#include <array>

namespace slender
{
  /**
   * What a contact has to know of a body that is a chain of nodes joined by
   * straight edges with round sections: where the nodes are and which unknowns
   * move them. For bodies that one rank holds as a whole; lengths, masses and
   * stiffnesses are in the user's units.
   */
  class NodeChain
  {
  public:
    virtual ~NodeChain() = default;

    virtual Index
    n_nodes() const = 0;

    /// Puts the places of all nodes into columns.
    virtual void
    place_nodes(const Vector &q, Eigen::Ref<Eigen::Matrix3Xd> x) const = 0;

    /// The local numbers of the unknowns that are a node's coordinates, in
    /// units of node_unit(); -1 where they are prescribed.
    virtual std::array<Index, 3>
    node_unknowns(Index node) const = 0;

    virtual double
    node_unit() const = 0;

    /// Where a node is along the chain at rest, from its first one.
    virtual double
    arc_length(Index node) const = 0;

    virtual double
    section_radius() const = 0;

    virtual double
    mass_per_length() const = 0;

    /// The smaller one.
    virtual double
    bending_stiffness() const = 0;
  };
} // namespace slender

#endif

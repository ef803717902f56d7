// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_contact_rod_nodes_h
#define slender_contact_rod_nodes_h

#include <slender/base/places.h>
#include <slender/contact/near_edges.h>
#include <slender/systems/node_chain.h>
#include <slender/systems/structure.h>

#include <array>
#include <vector>

namespace slender::contact
{
  using Places3 = Eigen::Matrix3Xd;

  /**
   * The nodes of all rods of a structure, chain after chain, and the way
   * between them and the structure's unknowns: places and forces in the user's
   * units here, unknowns and derivatives of a dimensionless energy there.
   */
  class RodNodes
  {
  public:
    RodNodes() = default;

    /// Throws InputError if members are no chains of nodes, or are shared by
    /// several ranks.
    explicit RodNodes(const Structure &structure);

    Index
    size() const
    {
      return static_cast<Index>(units.size());
    }

    std::size_t
    n_chains() const
    {
      return chains.size();
    }

    const NodeChain &
    chain(const std::size_t i) const
    {
      return *chains[i];
    }

    /// The number of a chain's first node.
    Index
    begin(const std::size_t chain) const
    {
      return chain_begins[chain];
    }

    const std::vector<Edge> &
    edges() const
    {
      return the_edges;
    }

    /// The smallest one.
    double
    radius() const
    {
      return smallest_radius;
    }

    /// A force between rods that bend and do not break: a hundredth of the
    /// bending stiffness over the squared radius.
    double
    usual_force() const;

    /// In columns.
    Places3
    places(const Vector &q) const;

    /// How far nodes move along a direction of the unknowns.
    Places3
    displacements(const Vector &direction) const;

    /// From an energy in the user's units to the structure's.
    double
    energy(const double value) const
    {
      return value / energy_unit;
    }

    /// Adds derivatives of an energy by the places of n nodes.
    void
    add_slope(const Index  *nodes,
              int           n,
              const double *slope,
              Vector       &gradient) const;

    /// Adds second derivatives by the places of N nodes, column by column.
    template <int N>
    void
    add_bend(const std::array<Index, N>                &nodes,
             const Eigen::Matrix<double, 3 * N, 3 * N> &bend,
             HessianSink                               &sink) const;

  private:
    const Structure                  *structure       = nullptr;
    double                            energy_unit     = 1.;
    double                            smallest_radius = 1.;
    std::vector<const NodeChain *>    chains;
    std::vector<Index>                chain_begins;
    std::vector<std::array<Index, 3>> unknowns; ///< of the nodes
    std::vector<double>               units;    ///< of the nodes
    std::vector<Edge>                 the_edges;
  };

  /// Of numbers that one rank has alone, as they stand.
  Places
  places_in_order(std::size_t n);

  template <int N>
  void
  RodNodes::add_bend(const std::array<Index, N>                &nodes,
                     const Eigen::Matrix<double, 3 * N, 3 * N> &bend,
                     HessianSink                               &sink) const
  {
    std::array<Index, 3 * N>        numbers;
    Eigen::Matrix<double, 3 * N, 1> scale;
    for (int a = 0; a < N; ++a)
      for (int c = 0; c < 3; ++c)
        {
          numbers[3 * a + c] = unknowns[nodes[a]][c];
          scale(3 * a + c)   = units[nodes[a]];
        }
    Eigen::Matrix<double, 3 * N, 3 * N> block;
    for (int j = 0; j < 3 * N; ++j)
      block.col(j) = (scale(j) / energy_unit) * bend.col(j).cwiseProduct(scale);
    sink.add(numbers.data(), 3 * N, block.data());
  }
} // namespace slender::contact

#endif

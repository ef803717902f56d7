// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_shells_shell_mesh_h
#define slender_models_shells_shell_mesh_h

#include <slender/models/shells/rest_surface.h>
#include <slender/models/unknown_map.h>

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace slender
{
  /**
   * One rank's part of a mesh of quadrilaterals with Lagrange nodes of some
   * degree k, as plain arrays. A node has three degrees of freedom.
   *
   * Cells list their nodes in the order of their unit coordinates, the first
   * one fastest. Edges list the nodes of their cells by the lines parallel to
   * the edge, the edge's own line first; along the edge in a direction that is
   * common to both sides.
   */
  struct ShellMesh
  {
    struct Node
    {
      std::array<Index, 3> positions; ///< in the extended vector
      std::array<Index, 3> unknowns;  ///< the same, -1 if prescribed
      Index                number;    ///< local, in node_layout
      bool                 is_owned;
      // Where it is in the rest surface.
      int    patch;
      double u, v;
    };

    /// A cell with its neighbour across an edge, or alone at the boundary.
    struct Edge
    {
      int                   id = -1;     ///< of the boundary, else -1
      std::array<double, 2> orientation; ///< see below
      /// Of an edge of the boundary, among all of them: does not depend on the
      /// distribution.
      std::int64_t number = -1;
      /// Keys of the cells on its sides, see cell_key.
      std::array<std::uint64_t, 2> cells = {{0, 0}};
    };

    int
    n_nodes_per_cell() const;

    /// Positions 0 ... n - 1 in the order in which the nodes there are
    /// numbered: sparse matrices take sorted columns faster.
    template <std::size_t max>
    void
    sort_by_number(const Index *node, int n, std::array<int, max> &order) const
    {
      std::iota(order.begin(), order.begin() + n, 0);
      std::sort(order.begin(),
                order.begin() + n,
                [&](const int a, const int b) {
                  return nodes[node[a]].positions[0] <
                         nodes[node[b]].positions[0];
                });
    }

    /**
     * The node nearest to a point of the rest surface, among those on an edge
     * if its number is not negative. Collective; the one rank that found it
     * (the lowest, if there are several) gets its number, the others -1.
     */
    struct Found
    {
      Index   node;
      Vector3 position; ///< on all ranks
      int     rank;
    };
    Found
    nearest_node(const RestSurface &surface,
                 const Vector3     &position,
                 int                edge,
                 MPI_Comm           communicator) const;

    int               degree = 3;
    UnknownMap        map;
    Layout            node_layout; ///< one number for each node
    std::vector<Node> nodes;       ///< of this rank's cells and edges

    /// Cells that this rank owns: 1 where the cross product of the directions
    /// of its unit coordinates is the surface's normal, else -1.
    std::vector<double> cell_orientation;
    /// A number of each cell, from 0 on, that does not depend on the
    /// distribution.
    std::vector<std::uint64_t> cell_key;
    std::vector<Index>         cell_nodes;

    /// Edges that this rank owns. The orientation of each side compares
    /// s x t with the surface's normal, s into the cell and t along the edge.
    std::vector<Edge>  interior_edges, boundary_edges;
    std::vector<Index> interior_edge_nodes, boundary_edge_nodes;

    /// What holds each of map.prescribed_dofs(): the number of an edge, or -1
    /// for a point.
    std::vector<int> holders;

    std::uint64_t n_cells;          ///< on all ranks
    std::int64_t  n_boundary_edges; ///< on all ranks
    Index         n_dofs;           ///< on all ranks
  };

  /// Which components of which nodes are prescribed, from the rest positions.
  struct HeldNodes
  {
    /// By the number of an edge of the surface.
    std::map<int, std::array<bool, 3>> edges;
    /// Single points of the rest surface.
    struct Point
    {
      Vector3             position;
      std::array<bool, 3> components;
      int                 edge = -1; ///< number of the edge it is on, if any
    };
    std::vector<Point> points;
  };

  /// Distributes a surface's mesh over the ranks of a communicator.
  ShellMesh
  make_shell_mesh(const RestSurface &surface,
                  const HeldNodes   &held,
                  int                degree,
                  MPI_Comm           communicator);
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_shells_surface_elements_h
#define slender_models_shells_surface_elements_h

#include <slender/base/layout.h>

#include <cstdint>
#include <vector>

namespace slender
{
  struct ShellMesh;

  /**
   * Finite elements for a field on one rank's part of a shell's surface, one
   * number at each node, as plain arrays: cells of one kind, their functions at
   * the points of a quadrature that has as many points as a cell has nodes.
   */
  struct SurfaceElements
  {
    Layout             layout;  ///< one number for each node
    std::vector<Index> numbers; ///< local, in the layout, of each node

    int                nodes_per_cell = 0;
    std::vector<Index> cell_nodes; ///< those of the first cell first
    /// 1 where the cross product of the directions of the unit coordinates is
    /// the surface's normal, else -1.
    std::vector<double> cell_orientation;

    /// Rows are points, columns nodes of a cell.
    Eigen::MatrixXd values, derivatives[2];
    Vector          weights;
    /// Linear functions do not resolve what a field does within a cell: its
    /// values at the nodes are all that is asked for.
    bool is_linear = false;

    /// Where the numbers stand in the whole field as it is saved: one for each
    /// entry of cell_nodes, whatever the distribution.
    std::vector<std::int64_t> places;
    std::int64_t              n_places = 0;

    Index
    n_nodes() const
    {
      return static_cast<Index>(numbers.size());
    }

    std::size_t
    n_cells() const
    {
      return cell_orientation.size();
    }
  };

  /// Those of the shell itself: quadrilaterals of its degree.
  SurfaceElements
  surface_elements(const ShellMesh &mesh);

  /// Sets functions and quadrature of flat triangles with linear functions.
  void
  set_linear_triangles(SurfaceElements &elements);
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/shells/koiter_shapes.h>
#include <slender/models/shells/shell_mesh.h>
#include <slender/models/shells/surface_elements.h>

#include <memory>

namespace slender
{
  SurfaceElements
  surface_elements(const ShellMesh &mesh)
  {
    SurfaceElements result;
    result.layout = mesh.node_layout;
    for (const ShellMesh::Node &node : mesh.nodes)
      result.numbers.push_back(node.number);
    result.nodes_per_cell   = mesh.n_nodes_per_cell();
    result.cell_nodes       = mesh.cell_nodes;
    result.cell_orientation = mesh.cell_orientation;
    koiter::with_degree(mesh.degree, [&](auto k) {
      using S           = koiter::Shapes<decltype(k)::value>;
      const auto shapes = std::make_unique<S>();
      result.values     = shapes->values;
      result.weights.resize(S::n_full);
      for (int i = 0; i < 2; ++i)
        result.derivatives[i].resize(S::n_full, S::n_nodes);
      for (int q = 0; q < S::n_full; ++q)
        {
          result.weights(q) = shapes->full_weights[q];
          for (int i = 0; i < 2; ++i)
            result.derivatives[i].row(q) = shapes->derivatives.row(5 * q + i);
        }
    });
    const auto n    = static_cast<std::int64_t>(result.nodes_per_cell);
    result.n_places = n * static_cast<std::int64_t>(mesh.n_cells);
    for (const std::uint64_t key : mesh.cell_key)
      for (std::int64_t a = 0; a < n; ++a)
        result.places.push_back(n * static_cast<std::int64_t>(key) + a);
    return result;
  }

  void
  set_linear_triangles(SurfaceElements &elements)
  {
    elements.nodes_per_cell = 3;
    elements.is_linear      = true;
    // Exact for products of the functions: points with barycentric coordinates
    // (2/3, 1/6, 1/6).
    elements.weights = Vector::Constant(3, 1. / 6.);
    elements.values  = Eigen::Matrix3d::Constant(1. / 6.);
    elements.values.diagonal().setConstant(2. / 3.);
    for (int i = 0; i < 2; ++i)
      {
        elements.derivatives[i] = Eigen::Matrix3d::Zero();
        elements.derivatives[i].col(0).setConstant(-1.);
        elements.derivatives[i].col(1 + i).setConstant(1.);
      }
  }
} // namespace slender

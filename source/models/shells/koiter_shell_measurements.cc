// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/shells/koiter_shell.h>
#include <slender/models/shells/shell_measurements.h>

namespace slender
{
  void
  KoiterShell::find_points()
  {
    for (const ShellPoint &point : body.points)
      {
        const ShellMesh::Found found = the_mesh.nearest_node(
          *surface, point.position, edge_number(point), layout().communicator);
        if ((found.position - point.position).norm() > 1e-6 * length_unit)
          throw InputError("point '" + point.name + "' at " +
                           text_of(point.position) +
                           " is not a node of the mesh; the nearest one is " +
                           text_of(found.position));
        point_nodes.push_back(found.node);
      }
  }

  std::vector<Measurement>
  KoiterShell::measure(const Vector &q) const
  {
    const NodalVectors x     = positions(full_state(q));
    const NodalVectors g     = elastic_gradient(x) - loads;
    const auto         parts = cells->energies(x);
    return measurements(
      {body,
       *surface,
       layout(),
       length_unit,
       bending_stiffness(),
       x,
       rest,
       g,
       point_nodes,
       [this](const Index node) -> const std::array<Index, 3> & {
         return the_mesh.nodes[node].positions;
       },
       the_mesh.holders,
       parts.membrane,
       parts.bending,
       energy(q)});
  }
} // namespace slender

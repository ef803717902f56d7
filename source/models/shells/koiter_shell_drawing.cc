// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/shells/koiter_fields.h>
#include <slender/models/shells/koiter_shell.h>

namespace slender
{
  Drawing
  KoiterShell::draw(const Vector &q) const
  {
    // Each cell has its own points, because second derivatives jump from one
    // to the next; it is cut into degree x degree quadrilaterals.
    const NodalVectors x        = positions(full_state(q));
    const koiter::Law  the_law  = law();
    const std::size_t  n_cells  = the_mesh.cell_orientation.size();
    const int          n_nodes  = the_mesh.n_nodes_per_cell();
    const int          n_line   = the_mesh.degree + 1;
    const Index        n_points = static_cast<Index>(n_cells) * n_nodes;

    Eigen::MatrixXd displacement(3, n_points), normal(3, n_points),
      force(2, n_points), moment(2, n_points), curvature(2, n_points),
      energy(2, n_points), thickness(1, n_points), stretch(1, n_points);
    const double D = bending_stiffness(), L = length_unit;
    const double per_area = D / (L * L);
    Drawing      drawing;
    for (std::size_t cell = 0; cell < n_cells; ++cell)
      {
        const auto first = static_cast<Index>(drawing.points.size());
        for (const koiter::NodeFields &node :
             koiter::node_fields(the_mesh, rest, x, the_law, cell))
          {
            const auto i = static_cast<Index>(drawing.points.size());
            drawing.points.push_back(L * node.position);
            displacement.col(i) = L * node.displacement;
            normal.col(i)       = node.normal;
            for (int k = 0; k < 2; ++k)
              {
                force(k, i)     = per_area * node.membrane_force[k];
                moment(k, i)    = D / L * node.moment[k];
                curvature(k, i) = node.curvature[k] / L;
              }
            thickness(0, i) = body.thickness * node.thickness;
            stretch(0, i)   = node.stretch;
            energy.col(i)   = per_area * Eigen::Vector2d(node.membrane_energy,
                                                       node.bending_energy);
          }
        for (int j = 0; j + 1 < n_line; ++j)
          for (int i = 0; i + 1 < n_line; ++i)
            {
              const Index corner = first + i + n_line * j;
              drawing.cells.push_back(
                {Drawing::Shape::quad,
                 {corner, corner + 1, corner + n_line + 1, corner + n_line}});
            }
      }
    drawing.point_fields = {{"displacement", displacement},
                            {"normal", normal},
                            {"membrane_force_1", force.row(0)},
                            {"membrane_force_2", force.row(1)},
                            {"moment_1", moment.row(0)},
                            {"moment_2", moment.row(1)},
                            {"curvature_1", curvature.row(0)},
                            {"curvature_2", curvature.row(1)},
                            {"membrane_energy", energy.row(0)},
                            {"bending_energy", energy.row(1)},
                            {"thickness", thickness}};
    if (body.growth_law.kind != GrowthKind::none)
      drawing.point_fields.push_back({"natural_stretch", stretch});
    if (moisture_after.size() > 0)
      {
        Eigen::MatrixXd m(2, n_points);
        for (Index i = 0; i < n_points; ++i)
          {
            const Index node = the_mesh.cell_nodes[i];
            m.col(i)         = (1. - body.growth) * moisture_before.col(node) +
                       body.growth * moisture_after.col(node);
          }
        drawing.point_fields.push_back({"moisture_top", m.row(0)});
        drawing.point_fields.push_back({"moisture_bottom", m.row(1)});
      }
    for (const Parameter &p : parameters())
      drawing.globals.emplace_back(p.name, *p.value);
    return drawing;
  }
} // namespace slender

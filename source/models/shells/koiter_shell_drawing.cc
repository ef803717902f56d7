// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/shells/koiter_fields.h>
#include <slender/models/shells/koiter_shell.h>

#include <numeric>

namespace slender
{
  namespace
  {
    /// The fields of a node as rows of numbers: names, components and units.
    struct FieldOfDrawing
    {
      std::string name;
      int         components;
      double      unit;
    };

    constexpr int n_numbers = 17; // of a node, the position included

    std::array<double, n_numbers>
    numbers_of(const koiter::NodeFields &node)
    {
      return {{node.position(0),
               node.position(1),
               node.position(2),
               node.displacement(0),
               node.displacement(1),
               node.displacement(2),
               node.normal(0),
               node.normal(1),
               node.normal(2),
               node.membrane_force[0],
               node.membrane_force[1],
               node.moment[0],
               node.moment[1],
               node.curvature[0],
               node.curvature[1],
               node.membrane_energy,
               node.bending_energy}};
    }
  } // namespace

  Drawing
  KoiterShell::draw(const Vector &q) const
  {
    // Each cell has its own points, because second derivatives jump from one
    // to the next; it is cut into degree x degree quadrilaterals.
    const NodalVectors  x       = positions(full_state(q));
    const koiter::Law   the_law = law();
    const auto          n_cells = the_mesh.cell_orientation.size();
    const int           n_nodes = the_mesh.n_nodes_per_cell();
    std::vector<double> mine;
    for (std::size_t cell = 0; cell < n_cells; ++cell)
      for (const koiter::NodeFields &node :
           koiter::node_fields(the_mesh, rest, x, the_law, cell))
        for (const double number : numbers_of(node))
          mine.push_back(number);

    // All cells on the first rank, in an order that does not depend on the
    // ranks.
    MPI_Comm communicator = layout().communicator;
    int      n_ranks, rank;
    MPI_Comm_size(communicator, &n_ranks);
    MPI_Comm_rank(communicator, &rank);
    std::vector<int> counts(n_ranks), begins(n_ranks + 1, 0);
    const int        count = static_cast<int>(n_cells);
    MPI_Gather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, communicator);
    for (int r = 0; r < n_ranks; ++r)
      begins[r + 1] = begins[r] + (rank == 0 ? counts[r] : 0);
    const int                  n_all = begins.back();
    std::vector<std::uint64_t> keys(n_all);
    MPI_Gatherv(the_mesh.cell_key.data(),
                count,
                MPI_UINT64_T,
                keys.data(),
                counts.data(),
                begins.data(),
                MPI_UINT64_T,
                0,
                communicator);
    MPI_Datatype block;
    MPI_Type_contiguous(n_numbers * n_nodes, MPI_DOUBLE, &block);
    MPI_Type_commit(&block);
    std::vector<double> all(static_cast<std::size_t>(n_all) * n_nodes *
                            n_numbers);
    MPI_Gatherv(mine.data(),
                count,
                block,
                all.data(),
                counts.data(),
                begins.data(),
                block,
                0,
                communicator);
    MPI_Type_free(&block);
    std::vector<int> order(n_all);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](const int a, const int b) {
      return keys[a] < keys[b];
    });

    const double                      D = bending_stiffness(), L = length_unit;
    const double                      per_area = D / (L * L);
    const std::vector<FieldOfDrawing> fields   = {
        {"displacement", 3, L},
        {"normal", 3, 1.},
        {"membrane_force_1", 1, per_area},
        {"membrane_force_2", 1, per_area},
        {"moment_1", 1, D / L},
        {"moment_2", 1, D / L},
        {"curvature_1", 1, 1. / L},
        {"curvature_2", 1, 1. / L},
        {"membrane_energy", 1, per_area},
        {"bending_energy", 1, per_area}};
    const Index n_points = n_all * n_nodes;
    Drawing     drawing;
    for (const FieldOfDrawing &field : fields)
      drawing.point_fields.push_back(
        {field.name, Eigen::MatrixXd(field.components, n_points)});
    const int n_line = the_mesh.degree + 1;
    for (const int cell : order)
      {
        const auto first = static_cast<Index>(drawing.points.size());
        for (int a = 0; a < n_nodes; ++a)
          {
            const double *numbers =
              &all[static_cast<std::size_t>(n_numbers) * (cell * n_nodes + a)];
            drawing.points.emplace_back(L * numbers[0],
                                        L * numbers[1],
                                        L * numbers[2]);
            int at = 3;
            for (std::size_t f = 0; f < fields.size(); ++f)
              for (int c = 0; c < fields[f].components; ++c)
                drawing.point_fields[f].values(c, first + a) =
                  fields[f].unit * numbers[at++];
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
    drawing.point_fields.push_back(
      {"thickness", Eigen::MatrixXd::Constant(1, n_points, body.thickness)});
    for (const Parameter &p : parameters())
      drawing.globals.emplace_back(p.name, *p.value);
    return drawing;
  }
} // namespace slender

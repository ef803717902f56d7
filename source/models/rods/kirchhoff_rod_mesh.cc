// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/rods/held_end.h>
#include <slender/models/rods/kirchhoff_rod.h>

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/distributed/shared_tria.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/grid/grid_generator.h>

#include <map>

// The one place where the Kirchhoff rod meets deal.II: mesh, distribution over
// the ranks, degrees of freedom and shape functions become plain arrays.
namespace slender
{
  namespace
  {
    using Triangulation = dealii::parallel::shared::Triangulation<1>;

    /// Gives every rank a contiguous piece of the rod.
    void
    partition_along_the_rod(Triangulation &mesh)
    {
      const auto n_ranks =
        dealii::Utilities::MPI::n_mpi_processes(mesh.get_communicator());
      const auto n_cells = mesh.n_active_cells();
      for (const auto &cell : mesh.active_cell_iterators())
        cell->set_subdomain_id(cell->active_cell_index() * n_ranks / n_cells);
    }

    finite_elements::ShapeValues
    shape_values(const dealii::FE_Q<1> &fe, const double xi)
    {
      finite_elements::ShapeValues shape(2, fe.dofs_per_cell);
      for (unsigned int a = 0; a < fe.dofs_per_cell; ++a)
        {
          shape(0, a) = fe.shape_value(a, dealii::Point<1>(xi));
          shape(1, a) = fe.shape_grad(a, dealii::Point<1>(xi))[0];
        }
      return shape;
    }
  } // namespace

  void
  KirchhoffRod::build_elements(const KirchhoffRodDiscretisation &discretisation,
                               MPI_Comm                          communicator)
  {
    Triangulation mesh(communicator,
                       dealii::Triangulation<1>::none,
                       /*allow_artificial_cells=*/false,
                       Triangulation::partition_custom_signal);
    mesh.signals.create.connect([&mesh]() { partition_along_the_rod(mesh); });

    const std::vector<double> points =
      graded_points(discretisation.elements, discretisation.grading);
    std::vector<std::vector<double>> lengths(1);
    for (std::size_t i = 1; i < points.size(); ++i)
      lengths[0].push_back(points[i] - points[i - 1]);
    dealii::GridGenerator::subdivided_hyper_rectangle(mesh,
                                                      lengths,
                                                      dealii::Point<1>(0.),
                                                      dealii::Point<1>(1.));

    const dealii::FE_Q<1>     scalar(degree);
    const dealii::FESystem<1> fe(scalar, 7);
    dealii::DoFHandler<1>     dofs(mesh);
    dofs.distribute_dofs(fe);

    // First pass: which degrees of freedom belong to which node.
    struct DofsOfNode
    {
      std::array<dealii::types::global_dof_index, 7> dofs;
      double                                         length = 0.;
    };
    std::map<double, DofsOfNode> all_nodes; // of the whole rod, by position
    std::vector<Index>           relevant;
    const unsigned int           n_nodes = degree + 1;
    std::vector<dealii::types::global_dof_index> cell_dofs(fe.dofs_per_cell);
    const auto node_position = [&](const auto &cell, const unsigned int a) {
      // Vertices are shared exactly, so that they are the same key.
      if (a < 2)
        return cell->vertex(a)[0];
      return cell->vertex(0)[0] + scalar.unit_support_point(a)[0] *
                                    (cell->vertex(1)[0] - cell->vertex(0)[0]);
    };
    for (const auto &cell : dofs.active_cell_iterators())
      {
        cell->get_dof_indices(cell_dofs);
        const double length = cell->vertex(1)[0] - cell->vertex(0)[0];
        for (unsigned int i = 0; i < fe.dofs_per_cell; ++i)
          {
            const auto [c, a] = fe.system_to_component_index(i);
            DofsOfNode &node  = all_nodes[node_position(cell, a)];
            node.dofs[c]      = cell_dofs[i];
            node.length += length / fe.dofs_per_cell;
            if (cell->is_locally_owned())
              relevant.push_back(static_cast<Index>(cell_dofs[i]));
          }
      }

    std::vector<Index> prescribed;
    const auto prescribe = [&](const DofsOfNode &node, const RodEnd &end) {
      const auto frame = prescribed_quaternion_components(end.rotation);
      for (int c = 0; c < 4; ++c)
        if (frame[c])
          prescribed.push_back(static_cast<Index>(node.dofs[c]));
      for (int c = 0; c < 3; ++c)
        if (end.position_fixed[c])
          prescribed.push_back(static_cast<Index>(node.dofs[4 + c]));
    };
    prescribe(all_nodes.begin()->second, body.start);
    prescribe(all_nodes.rbegin()->second, body.end);

    const dealii::IndexSet &owned = dofs.locally_owned_dofs();
    const Index begin = owned.n_elements() ? owned.nth_index_in_set(0) : 0;
    map               = UnknownMap(communicator,
                     static_cast<Index>(dofs.n_dofs()),
                     begin,
                     begin + static_cast<Index>(owned.n_elements()),
                     relevant,
                     prescribed);

    // Second pass: this rank's elements and nodes as plain arrays.
    const dealii::QGauss<1> bending_points(degree + 1), stretch_points(degree);
    const auto points_of = [&](const dealii::Quadrature<1> &quadrature,
                               const double                 length) {
      std::vector<QuadraturePoint> result;
      for (unsigned int i = 0; i < quadrature.size(); ++i)
        {
          QuadraturePoint point{quadrature.weight(i) * length,
                                shape_values(scalar, quadrature.point(i)[0])};
          point.shape.row(1) /= length;
          result.push_back(point);
        }
      return result;
    };
    std::map<double, Node> my_nodes;
    for (const auto &cell : dofs.active_cell_iterators())
      if (cell->is_locally_owned())
        {
          Element element;
          element.begin  = cell->vertex(0)[0];
          element.length = cell->vertex(1)[0] - cell->vertex(0)[0];
          element.positions.resize(fe.dofs_per_cell);
          element.bending    = points_of(bending_points, element.length);
          element.stretching = points_of(stretch_points, element.length);
          for (unsigned int a = 0; a < n_nodes; ++a)
            {
              const double      s    = node_position(cell, a);
              const DofsOfNode &node = all_nodes.at(s);
              Node             &mine = my_nodes[s];
              mine.s                 = s;
              mine.is_owned          = owned.is_element(node.dofs[0]);
              // As stiff as bending over the length that the node stands for.
              mine.length_weight = 1. / node.length;
              for (int c = 0; c < 7; ++c)
                {
                  mine.positions[c] =
                    map.position(static_cast<Index>(node.dofs[c]));
                  element.positions[7 * a + c] = mine.positions[c];
                }
            }
          for (const Index p : element.positions)
            element.unknowns.push_back(p < map.layout().n_local() ? p : -1);
          elements.push_back(element);
        }
    for (const auto &[s, node] : my_nodes)
      nodes.push_back(node);
    stretch_at_stations.resize(degree + 1, degree);
    for (int i = 0; i <= degree; ++i)
      {
        const double xi = static_cast<double>(i) / degree;
        station_shapes.push_back(shape_values(scalar, xi));
        // Lagrange's polynomials over the quadrature points.
        for (int k = 0; k < degree; ++k)
          {
            const double at_k   = stretch_points.point(k)[0];
            double       weight = 1.;
            for (int l = 0; l < degree; ++l)
              if (l != k)
                weight *= (xi - stretch_points.point(l)[0]) /
                          (at_k - stretch_points.point(l)[0]);
            stretch_at_stations(i, k) = weight;
          }
      }
  }
} // namespace slender

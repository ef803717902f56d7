// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/shells/koiter_shell.h>

#include <sstream>

namespace slender
{
  namespace
  {
    std::string
    text_of(const Vector3 &x)
    {
      std::ostringstream text;
      text << '(' << x(0) << ", " << x(1) << ", " << x(2) << ')';
      return text.str();
    }

    void
    sum_over_ranks(MPI_Comm communicator, double *values, const int n)
    {
      MPI_Allreduce(MPI_IN_PLACE, values, n, MPI_DOUBLE, MPI_SUM, communicator);
    }

    const char *const axes[3] = {"x", "y", "z"};
  } // namespace

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
    const NodalVectors       x            = positions(full_state(q));
    const NodalVectors       displacement = x - rest;
    MPI_Comm                 communicator = layout().communicator;
    std::vector<Measurement> result;

    for (std::size_t p = 0; p < body.points.size(); ++p)
      {
        Eigen::Matrix<double, 6, 1> values =
          Eigen::Matrix<double, 6, 1>::Zero();
        if (point_nodes[p] >= 0)
          values << x.col(point_nodes[p]), displacement.col(point_nodes[p]);
        sum_over_ranks(communicator, values.data(), 6);
        for (int i = 0; i < 6; ++i)
          result.push_back({body.points[p].name +
                              (i < 3 ? " " : " displacement ") + axes[i % 3],
                            length_unit * values(i)});
      }

    // Reactions: what the gradient leaves at prescribed values.
    const NodalVectors g       = elastic_gradient(x) - loads;
    const Index        n_local = layout().n_local();
    for (const ShellEdge &edge : body.edges)
      {
        const int id    = surface->edges().at(edge.name);
        Vector3   force = Vector3::Zero();
        bool      holds = false;
        for (int c = 0; c < 3; ++c)
          holds = holds || edge.position_fixed[c];
        if (!holds)
          continue;
        for (Index i = 0; i < g.cols(); ++i)
          for (int c = 0; c < 3; ++c)
            {
              const Index p = the_mesh.nodes[i].positions[c] - n_local;
              if (p >= 0 && the_mesh.holders[p] == id)
                force(c) += g(c, i);
            }
        sum_over_ranks(communicator, force.data(), 3);
        for (int c = 0; c < 3; ++c)
          result.push_back({edge.name + " force " + axes[c],
                            force(c) * bending_stiffness() / length_unit});
      }

    double largest =
      displacement.cols() > 0 ? displacement.colwise().norm().maxCoeff() : 0.;
    MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, communicator);
    result.push_back({"largest displacement", length_unit * largest});

    const auto            parts    = cells->energies(x);
    std::array<double, 3> energies = {
      {parts.membrane, parts.bending, energy(q)}};
    sum_over_ranks(communicator, energies.data(), 3);
    result.push_back({"membrane energy", bending_stiffness() * energies[0]});
    result.push_back({"bending energy", bending_stiffness() * energies[1]});
    result.push_back({"energy", bending_stiffness() * energies[2]});
    return result;
  }
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/interpolated_masses.h>
#include <slender/models/shells/shell_measurements.h>
#include <slender/models/triangles/triangle_shell.h>

#include <Eigen/Eigenvalues>

namespace slender
{
  using triangles::Configuration;

  void
  TriangleShell::find_points()
  {
    int rank;
    MPI_Comm_rank(layout().communicator, &rank);
    for (const ShellPoint &point : body.points)
      {
        std::vector<bool> allowed(the_mesh.vertices.size(), point.edge.empty());
        if (!point.edge.empty())
          for (const TriangleMesh::Edge &edge : the_mesh.edges)
            if (edge.triangles[1] < 0 &&
                edge.id == surface->edges().at(point.edge))
              for (const Index v : edge.vertices)
                allowed[v] = true;
        const Vector3 place   = point.position / length_unit;
        Index         nearest = -1;
        double        least   = 0.;
        for (std::size_t v = 0; v < mesh_positions.size(); ++v)
          {
            const double distance = (mesh_positions[v] - place).squaredNorm();
            if (allowed[v] && (nearest < 0 || distance < least))
              {
                nearest = static_cast<Index>(v);
                least   = distance;
              }
          }
        if (nearest < 0 || std::sqrt(least) > 1e-6)
          throw InputError(
            "point '" + point.name + "' at " + text_of(point.position) +
            " is not a node of the mesh" +
            (nearest < 0 ? ""
                         : "; the nearest one is " +
                             text_of(length_unit * mesh_positions[nearest])));
        // Its owner alone measures it and pulls at it.
        Index here = -1;
        for (std::size_t v = 0; v < vertices.size(); ++v)
          if (vertices[v].number == nearest)
            here = static_cast<Index>(v);
        int owner = here >= 0 ? rank : std::numeric_limits<int>::max();
        MPI_Allreduce(
          MPI_IN_PLACE, &owner, 1, MPI_INT, MPI_MIN, layout().communicator);
        point_vertices.push_back(owner == rank ? here : -1);
      }
  }

  std::vector<Measurement>
  TriangleShell::measure(const Vector &q) const
  {
    const Configuration           at    = configuration(full_state(q));
    const triangles::NodalVectors g     = elastic_gradient(at).x - loads;
    const triangles::Energies     parts = elements->energies(at);
    return measurements({body,
                         *surface,
                         layout(),
                         length_unit,
                         bending_stiffness(),
                         at.x,
                         rest_positions,
                         g,
                         point_vertices,
                         [this](const Index v) -> const std::array<Index, 3> & {
                           return vertices[v].positions;
                         },
                         holders,
                         parts.membrane,
                         parts.bending,
                         energy(q)});
  }

  Drawing
  TriangleShell::draw(const Vector &q) const
  {
    // Corners of this rank's triangles; of those beyond its edges others draw.
    const Configuration at = configuration(full_state(q));
    const auto          nt = static_cast<Index>(elements->triangles.size());
    std::vector<Index>  drawn(vertices.size(), -1), of_point;
    for (const triangles::Triangle &triangle : elements->triangles)
      for (const Index v : triangle.vertices)
        if (drawn[v] < 0)
          {
            drawn[v] = static_cast<Index>(of_point.size());
            of_point.push_back(v);
          }
    const auto      n = static_cast<Index>(of_point.size());
    Drawing         drawing;
    Eigen::MatrixXd displacement(3, n), normal = Eigen::MatrixXd::Zero(3, n);
    for (Index p = 0; p < n; ++p)
      {
        const Index v = of_point[p];
        drawing.points.push_back(length_unit * at.x.col(v));
        displacement.col(p) =
          length_unit * (at.x.col(v) - rest_positions.col(v));
      }
    Eigen::MatrixXd energy(2, nt), curvature(2, nt);
    const auto      parts = elements->energies_of_triangles(at);
    const auto      forms = elements->forms(at);
    const double per_area = bending_stiffness() / (length_unit * length_unit);
    for (Index t = 0; t < nt; ++t)
      {
        const auto   &v = elements->triangles[t].vertices;
        const Vector3 a = at.x.col(v[0]);
        const Vector3 c =
          (Vector3(at.x.col(v[1])) - a).cross(Vector3(at.x.col(v[2])) - a);
        for (const Index corner : v)
          normal.col(drawn[corner]) += c;
        drawing.cells.push_back(
          {Drawing::Shape::triangle, {drawn[v[0]], drawn[v[1]], drawn[v[2]]}});
        const double area = 0.5 * std::sqrt(rest[t].metric.determinant());
        energy.col(t)     = per_area / area *
                        Eigen::Vector2d(parts[t].membrane, parts[t].bending);
        const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::Matrix2d>
          principal(forms[t].curvature,
                    forms[t].metric,
                    Eigen::EigenvaluesOnly | Eigen::Ax_lBx);
        curvature.col(t) = principal.eigenvalues() / length_unit;
      }
    normal.colwise().normalize();
    drawing.point_fields = {{"displacement", displacement},
                            {"normal", normal},
                            {"thickness",
                             Eigen::MatrixXd::Constant(1, n, body.thickness)}};
    if (moisture_after.size() > 0)
      {
        Eigen::MatrixXd m(2, n);
        for (Index p = 0; p < n; ++p)
          m.col(p) = (1. - body.growth) * moisture_before.col(of_point[p]) +
                     body.growth * moisture_after.col(of_point[p]);
        drawing.point_fields.push_back({"moisture_top", m.row(0)});
        drawing.point_fields.push_back({"moisture_bottom", m.row(1)});
      }
    drawing.cell_fields = {{"membrane_energy", energy.row(0)},
                           {"bending_energy", energy.row(1)},
                           {"curvature_1", curvature.row(1)},
                           {"curvature_2", curvature.row(0)}};
    for (const Parameter &p : parameters())
      drawing.globals.emplace_back(p.name, *p.value);
    return drawing;
  }

  std::unique_ptr<Kinetics>
  TriangleShell::kinetics(const MassOptions &options) const
  {
    const double mass_per_area =
      body.density * body.thickness * length_unit * length_unit;
    if (mass_per_area == 0.)
      throw InputError("a shell without density cannot move", "Shell/Density");
    auto result = std::make_unique<InterpolatedMasses>(*this, length_unit);
    if (options.lumped)
      {
        // A rank has its triangles' part of a vertex.
        for (std::size_t v = 0; v < vertices.size(); ++v)
          if (const double area = vertex_volumes(static_cast<Index>(v));
              area > 0.)
            result->add_node(vertices[v].positions,
                             length_unit *
                               rest_positions.col(static_cast<Index>(v)),
                             mass_per_area * area);
      }
    else
      for (std::size_t t = 0; t < elements->triangles.size(); ++t)
        {
          const triangles::Triangle &triangle = elements->triangles[t];
          // Masses in the middles of the sides integrate products of linear
          // functions exactly.
          std::vector<InterpolatedMasses::Node> nodes;
          Eigen::Matrix3d                       X;
          for (int c = 0; c < 3; ++c)
            {
              nodes.push_back(vertices[triangle.vertices[c]].positions);
              X.col(c) = rest_positions.col(triangle.vertices[c]);
            }
          Eigen::Matrix3d shapes;
          shapes << 0., 0.5, 0.5, 0.5, 0., 0.5, 0.5, 0.5, 0.;
          const double area = 0.5 * Vector3(X.col(1) - X.col(0))
                                      .cross(Vector3(X.col(2) - X.col(0)))
                                      .norm();
          result->add_cell(nodes,
                           length_unit * X,
                           shapes,
                           Vector::Constant(3,
                                            thickness_factor(t) *
                                              mass_per_area * area / 3.));
        }
    result->finish();
    return result;
  }
} // namespace slender

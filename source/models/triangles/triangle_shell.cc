// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/direction.h>
#include <slender/base/errors.h>
#include <slender/models/triangles/triangle_shell.h>

#include <Eigen/Geometry>

#include <map>

namespace slender
{
  using triangles::Configuration;
  using triangles::NodalVectors;

  namespace
  {
    Eigen::Matrix3d
    rotation(const Vector3 &axis, const double angle)
    {
      return Eigen::AngleAxisd(angle, direction_of(axis)).toRotationMatrix();
    }

    /// Twice the vector area of a triangle.
    Vector3
    cross(const NodalVectors &x, const std::array<Index, 3> &v)
    {
      const Vector3 a = x.col(v[0]), b = x.col(v[1]), c = x.col(v[2]);
      return (b - a).cross(c - a);
    }
  } // namespace

  TriangleShell::TriangleShell(const ShellBody                   &shell_body,
                               const RestSurface                 &rest_surface,
                               const TriangleShellDiscretisation &how,
                               MPI_Comm                           communicator)
    : body(shell_body)
    , surface(rest_surface.clone())
    , discretisation(how)
    , length_unit(surface->size())
    , the_mesh(triangulate(*surface, how.triangulation))
    , elements(triangles::make_elements(how.rule))
  {
    check(body);
    check_cells(body.growth_law, the_mesh.triangles.size());
    distribute(communicator);
    declare_parameters();
    parameters_changed();
    find_points();
    parameters_changed(); // forces on points
  }

  double
  TriangleShell::bending_stiffness() const
  {
    return body.young * std::pow(body.thickness, 3) /
           (12. * (1. - body.poisson * body.poisson));
  }

  void
  TriangleShell::renew_shape()
  {
    for (std::size_t v = 0; v < the_mesh.vertices.size(); ++v)
      {
        const TriangleMesh::Vertex &at = the_mesh.vertices[v];
        mesh_positions[v] =
          surface->position(at.patch, at.u, at.v) / length_unit;
      }
    rest_positions.resize(3, static_cast<Index>(vertices.size()));
    for (std::size_t v = 0; v < vertices.size(); ++v)
      rest_positions.col(static_cast<Index>(v)) =
        mesh_positions[vertices[v].number];

    const auto area_of = [this](const Index triangle) {
      const auto &v = the_mesh.triangles[triangle];
      return 0.5 * (mesh_positions[v[1]] - mesh_positions[v[0]])
                     .cross(mesh_positions[v[2]] - mesh_positions[v[0]])
                     .norm();
    };
    for (std::size_t e = 0; e < edge_numbers.size(); ++e)
      {
        const TriangleMesh::Edge &of_mesh = the_mesh.edges[edge_numbers[e]];
        triangles::Edge          &edge    = elements->edges[e];
        edge.length = (mesh_positions[of_mesh.vertices[1]] -
                       mesh_positions[of_mesh.vertices[0]])
                        .norm();
        const double first = area_of(of_mesh.triangles[0]);
        edge.area          = of_mesh.triangles[1] >= 0
                               ? first + area_of(of_mesh.triangles[1])
                               : 2. * first;
        for (const int side : {0, 1})
          if (const Index t = of_mesh.triangles[side]; t >= 0)
            {
              const Vector3 p = mesh_positions[of_mesh.vertices[0]];
              const Vector3 q = mesh_positions[of_mesh.vertices[1]];
              const Vector3 opposite =
                mesh_positions[the_mesh.triangles[t][of_mesh.corners[side]]];
              edge.altitudes[side] = 2. * area_of(t) / edge.length;
              edge.feet[side] =
                (q - opposite).dot(q - p) / (edge.length * edge.length);
            }
        if (of_mesh.triangles[1] < 0)
          {
            edge.altitudes[1] = edge.altitudes[0];
            edge.feet[1]      = edge.feet[0];
          }
      }
    renew_mirrors();

    vertex_volumes = Vector::Zero(rest_positions.cols());
    vertex_normals = NodalVectors::Zero(3, rest_positions.cols());
    for (std::size_t t = 0; t < elements->triangles.size(); ++t)
      {
        const triangles::Triangle &triangle = elements->triangles[t];
        const Vector3 c = cross(rest_positions, triangle.vertices) / 6.;
        for (const Index v : triangle.vertices)
          {
            vertex_volumes(v) += thickness_factor(t) * c.norm();
            vertex_normals.col(v) += c;
          }
      }

    const Configuration flat{
      rest_positions, Vector::Zero(static_cast<Index>(tilt_positions.size()))};
    forms_of_surface = elements->forms(flat);
  }

  void
  TriangleShell::renew_rest()
  {
    std::vector<double> dimensions;
    for (const RestSurface::Dimension &dimension : surface->dimensions())
      dimensions.push_back(*dimension.value);
    if (forms_of_surface.empty() || dimensions != numbers_of_shape)
      {
        numbers_of_shape = dimensions;
        renew_shape();
      }
    std::vector<triangles::Forms> grown = forms_of_surface;
    grow(grown);
    set_rest_forms(grown);
  }

  void
  TriangleShell::set_rest_forms(const std::vector<triangles::Forms> &forms)
  {
    if (forms.size() != elements->triangles.size())
      throw InputError("rest forms are one for each triangle");
    for (const triangles::Forms &form : forms)
      if (!(form.metric(0, 0) > 0.) || !(form.metric.determinant() > 0.))
        throw InputError("the rest metric of a triangle is not positive");
    rest = forms;
    elements->set_rest(rest, law());
  }

  triangles::Law
  TriangleShell::law() const
  {
    triangles::Law result;
    result.thickness   = body.thickness / length_unit;
    result.poisson     = body.poisson;
    result.membrane    = discretisation.membrane;
    result.fold_factor = discretisation.fold_factor;
    return result;
  }

  void
  TriangleShell::renew_mirrors()
  {
    std::map<int, const ShellEdge *> edge_of;
    for (const ShellEdge &edge : body.edges)
      edge_of[surface->edges().at(edge.name)] = &edge;
    for (std::size_t e = 0; e < edge_numbers.size(); ++e)
      {
        triangles::Edge &edge = elements->edges[e];
        if (edge.ghost != triangles::Ghost::mirror)
          continue;
        const TriangleMesh::Edge &of_mesh = the_mesh.edges[edge_numbers[e]];
        const ShellEdge          &held    = *edge_of.at(of_mesh.id);
        int                       n_fixed = 0, axis = 0;
        for (int c = 0; c < 3; ++c)
          if (held.position_fixed[c])
            {
              ++n_fixed;
              axis = c;
            }
        Vector3 normal;
        if (n_fixed == 1)
          normal = Vector3::Unit(axis);
        else
          {
            // In the plane of the triangle at rest, across the edge.
            const auto   &v = the_mesh.triangles[of_mesh.triangles[0]];
            const Vector3 n =
              (mesh_positions[v[1]] - mesh_positions[v[0]])
                .cross(mesh_positions[v[2]] - mesh_positions[v[0]]);
            normal = n.cross(mesh_positions[of_mesh.vertices[1]] -
                             mesh_positions[of_mesh.vertices[0]])
                       .normalized();
          }
        edge.mirror_normal =
          rotation(held.rotation_axis, held.rotation) * normal;
      }
  }

  void
  TriangleShell::parameters_changed()
  {
    const std::vector<double> numbers = rest_numbers();
    if (numbers != numbers_of_rest)
      {
        numbers_of_rest = numbers;
        // The rest is not turned by what holds it.
        const std::vector<ShellEdge> held = body.edges;
        for (ShellEdge &edge : body.edges)
          edge.rotation = 0.;
        renew_rest();
        for (std::size_t e = 0; e < held.size(); ++e)
          body.edges[e].rotation = held[e].rotation;
      }
    renew_mirrors();
    loads      = dead_loads();
    prescribed = prescribed_displacements();
    follower =
      body.pressure_kind == PressureKind::follower
        ? body.pressure * std::pow(length_unit, 3) / bending_stiffness()
        : 0.;
  }

  bool
  TriangleShell::has_potential() const
  {
    return follower == 0. || boundary_is_held;
  }

  NodalVectors
  TriangleShell::dead_loads() const
  {
    const double  force_unit = bending_stiffness() / length_unit;
    const double  per_length = force_unit / length_unit;
    const double  per_area   = per_length / length_unit;
    const Vector3 gravity_direction =
      rotation(body.gravity_tilt_axis, body.gravity_tilt) *
      direction_of(body.gravity_direction);
    NodalVectors result =
      (body.density * body.thickness * body.gravity / per_area) *
      gravity_direction * vertex_volumes.transpose();
    if (body.pressure_kind == PressureKind::dead)
      result += body.pressure / per_area * vertex_normals;
    for (const ShellEdge &edge : body.edges)
      {
        const Vector3 load =
          edge.load / per_length * direction_of(edge.load_direction);
        const int id = surface->edges().at(edge.name);
        for (std::size_t e = 0; e < edge_numbers.size(); ++e)
          if (the_mesh.edges[edge_numbers[e]].id == id)
            for (const int end : {1, 2})
              result.col(elements->edges[e].corners[end]) +=
                0.5 * elements->edges[e].length * load;
      }
    for (std::size_t p = 0; p < point_vertices.size(); ++p)
      if (point_vertices[p] >= 0)
        result.col(point_vertices[p]) +=
          body.points[p].force / force_unit *
          direction_of(body.points[p].force_direction);
    return result;
  }

  Vector3
  TriangleShell::held_position(const ShellEdge &edge, const Vector3 &x) const
  {
    const Vector3 centre = edge.rotation_centre / length_unit;
    return centre + rotation(edge.rotation_axis, edge.rotation) * (x - centre) +
           edge.displacement / length_unit *
             direction_of(edge.displacement_direction);
  }

  Vector
  TriangleShell::prescribed_displacements() const
  {
    std::map<int, const ShellEdge *> edge_of;
    for (const ShellEdge &edge : body.edges)
      edge_of[surface->edges().at(edge.name)] = &edge;
    const Index n_local = layout().n_local();
    Vector      result  = Vector::Zero(static_cast<Index>(holders.size()));
    for (std::size_t i = 0; i < vertices.size(); ++i)
      for (int c = 0; c < 3; ++c)
        {
          const Index p = vertices[i].positions[c] - n_local;
          if (p < 0 || holders[p] < 0)
            continue;
          const Vector3 x = rest_positions.col(static_cast<Index>(i));
          result(p)       = held_position(*edge_of.at(holders[p]), x)(c) - x(c);
        }
    return result;
  }

  const Layout &
  TriangleShell::layout() const
  {
    return map.layout();
  }

  Vector
  TriangleShell::initial_state() const
  {
    return Vector::Zero(layout().n_local());
  }

  Vector
  TriangleShell::full_state(const Vector &q) const
  {
    return map.extend(q, prescribed);
  }

  Configuration
  TriangleShell::configuration(const Vector &extended) const
  {
    Configuration at;
    at.x.resize(3, static_cast<Index>(vertices.size()));
    for (std::size_t i = 0; i < vertices.size(); ++i)
      for (int c = 0; c < 3; ++c)
        at.x(c, static_cast<Index>(i)) = extended(vertices[i].positions[c]);
    at.x += rest_positions;
    at.tilt.resize(static_cast<Index>(tilt_positions.size()));
    for (std::size_t e = 0; e < tilt_positions.size(); ++e)
      at.tilt(static_cast<Index>(e)) = extended(tilt_positions[e]);
    return at;
  }

  Configuration
  TriangleShell::direction_of_unknowns(const Vector &direction) const
  {
    Configuration d =
      configuration(map.extend(direction, Vector::Zero(prescribed.size())));
    d.x -= rest_positions;
    return d;
  }

  Vector
  TriangleShell::to_unknowns(const Configuration &values) const
  {
    Vector      result  = Vector::Zero(layout().n_local());
    const Index n_local = layout().n_local();
    for (std::size_t i = 0; i < vertices.size(); ++i)
      for (int c = 0; c < 3; ++c)
        if (vertices[i].positions[c] < n_local)
          result(vertices[i].positions[c]) = values.x(c, static_cast<Index>(i));
    for (std::size_t e = 0; e < tilt_positions.size(); ++e)
      result(tilt_positions[e]) = values.tilt(static_cast<Index>(e));
    return result;
  }

  std::vector<Vector>
  TriangleShell::free_motions(const Vector &q) const
  {
    const Configuration at = configuration(full_state(q));
    std::vector<Vector> result;
    for (int c = 0; c < 3; ++c)
      {
        Configuration shift{NodalVectors(3, at.x.cols()),
                            Vector::Zero(at.tilt.size())};
        Configuration turn = shift;
        for (Index i = 0; i < at.x.cols(); ++i)
          {
            shift.x.col(i) = Vector3::Unit(c);
            turn.x.col(i)  = Vector3::Unit(c).cross(Vector3(at.x.col(i)));
          }
        result.push_back(to_unknowns(shift));
        result.push_back(to_unknowns(turn));
      }
    return result;
  }

  double
  TriangleShell::energy(const Vector &q) const
  {
    const Configuration       at     = configuration(full_state(q));
    const triangles::Energies sum    = elements->energies(at);
    double                    volume = 0.;
    if (follower != 0. && boundary_is_held)
      for (const triangles::Triangle &triangle : elements->triangles)
        volume +=
          at.x.col(triangle.vertices[0]).dot(cross(at.x, triangle.vertices)) /
          6.;
    return sum.membrane + sum.bending - follower * volume -
           loads.cwiseProduct(at.x - rest_positions).sum();
  }

  Configuration
  TriangleShell::elastic_gradient(const Configuration &at) const
  {
    Configuration g{NodalVectors::Zero(3, at.x.cols()),
                    Vector::Zero(at.tilt.size())};
    elements->add_gradient(at, g);
    if (follower != 0.)
      add_pressure(at.x, g.x);
    return g;
  }

  void
  TriangleShell::add_pressure(const NodalVectors &x, NodalVectors &g) const
  {
    for (const triangles::Triangle &triangle : elements->triangles)
      {
        const Vector3 force = follower / 6. * cross(x, triangle.vertices);
        for (const Index v : triangle.vertices)
          g.col(v) -= force;
      }
  }

  void
  TriangleShell::add_pressure_hessian(const NodalVectors &x,
                                      HessianSink        &sink) const
  {
    // With everything at the boundary held, the sum of the triangles' parts is
    // symmetric; the symmetric part of each is taken then.
    for (const triangles::Triangle &triangle : elements->triangles)
      {
        const auto                 &v = triangle.vertices;
        Eigen::Matrix<double, 9, 9> H;
        std::array<Index, 9>        unknowns;
        for (int c = 0; c < 3; ++c)
          {
            const Vector3 opposite =
              x.col(v[(c + 2) % 3]) - x.col(v[(c + 1) % 3]);
            for (int r = 0; r < 3; ++r)
              H.block<3, 3>(3 * r, 3 * c) =
                -follower / 6. * triangles::cross_matrix(opposite);
            for (int k = 0; k < 3; ++k)
              unknowns[3 * c + k] = vertex_unknowns[v[c]][k];
          }
        if (boundary_is_held)
          H = (0.5 * (H + H.transpose())).eval();
        sink.add(unknowns.data(), 9, H.data());
      }
  }

  Vector
  TriangleShell::gradient(const Vector &q) const
  {
    Configuration g = elastic_gradient(configuration(full_state(q)));
    g.x -= loads;
    return to_unknowns(g);
  }

  void
  TriangleShell::add_tangent(const Vector       &q,
                             const NodalVectors *previous,
                             HessianSink        &sink) const
  {
    const Configuration at = configuration(full_state(q));
    elements->add_hessian(at, previous, vertex_unknowns, tilt_positions, sink);
    if (follower != 0.)
      add_pressure_hessian(at.x, sink);
  }

  void
  TriangleShell::hessian(const Vector &q, HessianSink &sink) const
  {
    add_tangent(q, nullptr, sink);
  }

  void
  TriangleShell::newton_tangent(const Vector &q,
                                const Vector &previous,
                                HessianSink  &sink) const
  {
    const NodalVectors before = configuration(previous).x;
    add_tangent(q, &before, sink);
  }

  void
  TriangleShell::projective_tangent(HessianSink &sink) const
  {
    if (discretisation.rule != triangles::FoldRule::vector)
      throw InputError("projective dynamics is for 'Model = projective shell'");
    if (follower != 0.)
      throw InputError("projective dynamics takes dead pressures only");
    elements->add_projective_hessian(vertex_unknowns, sink);
  }

  Vector
  TriangleShell::hessian_times(const Vector &q, const Vector &direction) const
  {
    const Configuration at = configuration(full_state(q));
    const Configuration d  = direction_of_unknowns(direction);
    Configuration       g{NodalVectors::Zero(3, at.x.cols()),
                    Vector::Zero(at.tilt.size())};
    elements->add_hessian_times(at, d, g);
    Vector result = to_unknowns(g);
    if (follower != 0.)
      {
        HessianMultiplier product(direction);
        add_pressure_hessian(at.x, product);
        result += product.product();
      }
    return result;
  }

  Places
  TriangleShell::unknown_places() const
  {
    const auto n_vertices = static_cast<std::int64_t>(the_mesh.vertices.size());
    Places     places;
    places.size =
      3 * n_vertices + static_cast<std::int64_t>(the_mesh.edges.size());
    for (const Vertex &vertex : vertices)
      for (int c = 0; c < 3; ++c)
        if (vertex.positions[c] < layout().n_local())
          {
            places.places.push_back(3 * std::int64_t(vertex.number) + c);
            places.numbers.push_back(vertex.positions[c]);
          }
    for (std::size_t e = 0; e < tilt_positions.size(); ++e)
      {
        places.places.push_back(3 * n_vertices + tilt_edges[e]);
        places.numbers.push_back(tilt_positions[e]);
      }
    return places;
  }

  std::vector<triangles::Forms>
  TriangleShell::present_forms(const Vector &q) const
  {
    return elements->forms(configuration(full_state(q)));
  }

  std::vector<triangles::Energies>
  TriangleShell::triangle_energies(const Vector &q) const
  {
    auto result = elements->energies_of_triangles(configuration(full_state(q)));
    for (triangles::Energies &of : result)
      {
        of.membrane *= bending_stiffness();
        of.bending *= bending_stiffness();
      }
    return result;
  }

  Vector
  TriangleShell::transformed(
    const Vector                                                   &q,
    const std::function<Vector3(const Vector3 &, const Vector3 &)> &f) const
  {
    Configuration at = configuration(full_state(q));
    for (Index i = 0; i < at.x.cols(); ++i)
      at.x.col(i) =
        f(length_unit * rest_positions.col(i), length_unit * at.x.col(i)) /
          length_unit -
        rest_positions.col(i);
    return to_unknowns(at);
  }
} // namespace slender

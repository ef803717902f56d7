// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/agreement.h>
#include <slender/base/direction.h>
#include <slender/base/errors.h>
#include <slender/models/shells/koiter_shell.h>

#include <Eigen/Geometry>

#include <set>
#include <sstream>

namespace slender
{
  namespace
  {
    const RestSurface &
    checked(const RestSurface               &surface,
            const ShellBody                 &body,
            const KoiterShellDiscretisation &discretisation)
    {
      check(body);
      if (discretisation.degree < 2 || discretisation.degree > 4)
        throw InputError("the degree of a Koiter shell is 2, 3 or 4, not " +
                         std::to_string(discretisation.degree));
      const auto  names = surface.edges();
      std::string known;
      for (const auto &[name, id] : names)
        known += (known.empty() ? "" : ", ") + name;
      const auto require = [&](const std::string &name) {
        if (names.count(name) == 0)
          throw InputError(
            "the surface has no edge '" + name +
            "'; its edges are: " + (known.empty() ? "none" : known));
      };
      std::set<int> described; // an edge may have two names
      for (const ShellEdge &edge : body.edges)
        {
          require(edge.name);
          if (!described.insert(names.at(edge.name)).second)
            throw InputError("edge '" + edge.name +
                             "' of the shell is described twice");
        }
      for (const ShellPoint &point : body.points)
        if (!point.edge.empty())
          require(point.edge);
      return surface;
    }

    HeldNodes
    held_nodes(const ShellBody &body, const RestSurface &surface)
    {
      HeldNodes held;
      for (const ShellEdge &edge : body.edges)
        held.edges[surface.edges().at(edge.name)] = edge.position_fixed;
      for (const ShellPoint &point : body.points)
        if (point.position_fixed != std::array<bool, 3>{{false, false, false}})
          held.points.push_back(
            {point.position,
             point.position_fixed,
             point.edge.empty() ? -1 : surface.edges().at(point.edge)});
      return held;
    }

    Eigen::Matrix3d
    rotation(const Vector3 &axis, const double angle)
    {
      return Eigen::AngleAxisd(angle, direction_of(axis)).toRotationMatrix();
    }
  } // namespace

  KoiterShell::KoiterShell(const ShellBody                 &shell_body,
                           const RestSurface               &rest_surface,
                           const KoiterShellDiscretisation &how,
                           MPI_Comm                         communicator)
    : body(shell_body)
    , surface(checked(rest_surface, body, how).clone())
    , discretisation(how)
    , length_unit(surface->size())
    , the_mesh(make_shell_mesh(*surface,
                               held_nodes(body, *surface),
                               discretisation.degree,
                               communicator))
    , cells(koiter::make_cells(the_mesh))
    , edges(koiter::make_edges(the_mesh))
    , follower(the_mesh)
    , terms{cells.get(), edges.get(), &follower}
  {
    check_cells(body.growth_law, the_mesh.n_cells);
    declare_parameters();
    parameters_changed();
    find_points();
    parameters_changed(); // forces on points
  }

  int
  KoiterShell::edge_number(const ShellPoint &point) const
  {
    return point.edge.empty() ? -1 : surface->edges().at(point.edge);
  }

  double
  KoiterShell::bending_stiffness() const
  {
    return body.young * std::pow(body.thickness, 3) /
           (12. * (1. - body.poisson * body.poisson));
  }

  koiter::Law
  KoiterShell::law() const
  {
    koiter::Law result;
    result.thickness = body.thickness / length_unit;
    result.poisson   = body.poisson;
    result.penalty =
      discretisation.penalty * std::pow(discretisation.degree + 1, 2);
    result.direction = direction_of(body.natural_direction);
    if (body.natural_curvature_1 != 0. || body.natural_curvature_2 != 0. ||
        !body.growth_law.is_trivial())
      result.natural = [this](const koiter::RestPoint &point,
                              const Eigen::Matrix2d   &curvature) {
        return natural_state(point, curvature);
      };
    return result;
  }

  koiter::EdgeSupports
  KoiterShell::supports() const
  {
    koiter::EdgeSupports result;
    for (const ShellEdge &edge : body.edges)
      {
        koiter::EdgeSupport support;
        support.normal_fixed = edge.normal_fixed;
        int n_fixed = 0, axis = -1;
        for (int c = 0; c < 3; ++c)
          if (edge.position_fixed[c])
            {
              ++n_fixed;
              axis = c;
            }
        support.symmetry_axis = edge.normal_fixed && n_fixed == 1 ? axis : -1;
        support.rotation      = rotation(edge.rotation_axis, edge.rotation);
        support.moment        = edge.moment * length_unit / bending_stiffness();
        result[surface->edges().at(edge.name)] = support;
      }
    return result;
  }

  void
  KoiterShell::renew_rest()
  {
    const auto n = static_cast<Index>(the_mesh.nodes.size());
    rest.resize(3, n);
    for (Index i = 0; i < n; ++i)
      {
        const ShellMesh::Node &node = the_mesh.nodes[i];
        rest.col(i) =
          surface->position(node.patch, node.u, node.v) / length_unit;
      }
    const auto set_rest = [&] {
      cells->set_rest(rest, law());
      edges->set_rest(rest, law(), supports());
      areas = nodal_areas(the_mesh, rest);
      volumes =
        body.growth_law.thickness
          ? nodal_areas(the_mesh,
                        rest,
                        [&](const Vector3 &x) { return thickness_factor(x); })
              .area
          : areas.area;
    };
    // Fields of growth may be impossible where one rank alone looks.
    if (body.growth_law.is_trivial())
      set_rest();
    else
      do_on_all_or_none(layout().communicator, set_rest);
    edge_lengths.clear();
    for (const ShellEdge &edge : body.edges)
      edge_lengths.push_back(
        nodal_lengths(the_mesh, rest, surface->edges().at(edge.name)));
  }

  void
  KoiterShell::parameters_changed()
  {
    const std::vector<double> numbers = rest_numbers();
    if (numbers != numbers_of_rest)
      {
        numbers_of_rest = numbers;
        renew_rest();
      }
    else
      edges->set_supports(supports());
    loads      = dead_loads();
    prescribed = prescribed_displacements();
    renew_follower();
  }

  void
  KoiterShell::renew_follower()
  {
    follower.pressure =
      body.pressure_kind == PressureKind::follower
        ? body.pressure * std::pow(length_unit, 3) / bending_stiffness()
        : 0.;
    follower_has_potential = true;
    if (follower.pressure == 0.)
      return;
    follower.set_reference(rest, positions(full_state(initial_state())));
    int all = follower.edges_allow_potential() ? 1 : 0;
    MPI_Allreduce(
      MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, layout().communicator);
    follower_has_potential = all == 1;
    follower.set_potential(follower_has_potential);
  }

  bool
  KoiterShell::has_potential() const
  {
    return follower_has_potential;
  }

  NodalVectors
  KoiterShell::dead_loads() const
  {
    const double  force_unit = bending_stiffness() / length_unit;
    const double  per_length = force_unit / length_unit;
    const double  per_area   = per_length / length_unit;
    const Vector3 gravity_direction =
      rotation(body.gravity_tilt_axis, body.gravity_tilt) *
      direction_of(body.gravity_direction);
    NodalVectors result =
      (body.density * body.thickness * body.gravity / per_area) *
      gravity_direction * volumes.transpose();
    if (body.pressure_kind == PressureKind::dead)
      result += body.pressure / per_area * areas.normal;
    for (std::size_t e = 0; e < body.edges.size(); ++e)
      result += (body.edges[e].load / per_length) *
                direction_of(body.edges[e].load_direction) *
                edge_lengths[e].transpose();
    for (std::size_t p = 0; p < point_nodes.size(); ++p)
      if (point_nodes[p] >= 0)
        result.col(point_nodes[p]) +=
          body.points[p].force / force_unit *
          direction_of(body.points[p].force_direction);
    return result;
  }

  Vector3
  KoiterShell::held_position(const ShellEdge &edge, const Vector3 &x) const
  {
    const Vector3 centre = edge.rotation_centre / length_unit;
    return centre + rotation(edge.rotation_axis, edge.rotation) * (x - centre) +
           edge.displacement / length_unit *
             direction_of(edge.displacement_direction);
  }

  Vector
  KoiterShell::prescribed_displacements() const
  {
    std::map<int, const ShellEdge *> edge_of;
    for (const ShellEdge &edge : body.edges)
      edge_of[surface->edges().at(edge.name)] = &edge;
    const Index n_local = layout().n_local();
    Vector result = Vector::Zero(static_cast<Index>(the_mesh.holders.size()));
    for (std::size_t i = 0; i < the_mesh.nodes.size(); ++i)
      for (int c = 0; c < 3; ++c)
        {
          const Index p = the_mesh.nodes[i].positions[c] - n_local;
          if (p < 0 || the_mesh.holders[p] < 0)
            continue;
          const Vector3 x = rest.col(static_cast<Index>(i));
          result(p) =
            held_position(*edge_of.at(the_mesh.holders[p]), x)(c) - x(c);
        }
    return result;
  }

  const Layout &
  KoiterShell::layout() const
  {
    return the_mesh.map.layout();
  }

  Vector
  KoiterShell::initial_state() const
  {
    return Vector::Zero(layout().n_local());
  }

  Vector
  KoiterShell::full_state(const Vector &q) const
  {
    return the_mesh.map.extend(q, prescribed);
  }

  std::vector<Vector>
  KoiterShell::free_motions(const Vector &q) const
  {
    const NodalVectors  x = positions(full_state(q));
    std::vector<Vector> result;
    for (int c = 0; c < 3; ++c)
      {
        NodalVectors shift(3, x.cols()), turn(3, x.cols());
        for (Index i = 0; i < x.cols(); ++i)
          {
            shift.col(i) = Vector3::Unit(c);
            turn.col(i)  = Vector3::Unit(c).cross(Vector3(x.col(i)));
          }
        result.push_back(to_unknowns(shift));
        result.push_back(to_unknowns(turn));
      }
    return result;
  }

  NodalVectors
  KoiterShell::extended_to_nodes(const Vector &extended) const
  {
    const auto   n = static_cast<Index>(the_mesh.nodes.size());
    NodalVectors u(3, n);
    for (Index i = 0; i < n; ++i)
      for (int c = 0; c < 3; ++c)
        u(c, i) = extended(the_mesh.nodes[i].positions[c]);
    return u;
  }

  NodalVectors
  KoiterShell::positions(const Vector &extended) const
  {
    return rest + extended_to_nodes(extended);
  }

  Vector
  KoiterShell::to_unknowns(const NodalVectors &values) const
  {
    Vector result = Vector::Zero(layout().n_local());
    for (Index i = 0; i < values.cols(); ++i)
      for (int c = 0; c < 3; ++c)
        if (the_mesh.nodes[i].unknowns[c] >= 0)
          result(the_mesh.nodes[i].unknowns[c]) = values(c, i);
    return result;
  }

  double
  KoiterShell::energy(const Vector &q) const
  {
    const NodalVectors x   = positions(full_state(q));
    double             sum = 0.;
    for (const ShellTerm *term : terms)
      sum += term->energy(x);
    return sum - loads.cwiseProduct(x - rest).sum();
  }

  NodalVectors
  KoiterShell::elastic_gradient(const NodalVectors &x) const
  {
    NodalVectors g = NodalVectors::Zero(3, x.cols());
    for (const ShellTerm *term : terms)
      term->add_gradient(x, g);
    return g;
  }

  Vector
  KoiterShell::gradient(const Vector &q) const
  {
    return to_unknowns(elastic_gradient(positions(full_state(q))) - loads);
  }

  void
  KoiterShell::hessian(const Vector &q, HessianSink &sink) const
  {
    const NodalVectors x = positions(full_state(q));
    for (const ShellTerm *term : terms)
      term->add_hessian(x, nullptr, sink);
  }

  void
  KoiterShell::newton_tangent(const Vector &q,
                              const Vector &previous,
                              HessianSink  &sink) const
  {
    const NodalVectors x = positions(full_state(q)), x0 = positions(previous);
    for (const ShellTerm *term : terms)
      term->add_hessian(x, &x0, sink);
  }

  Vector
  KoiterShell::hessian_times(const Vector &q, const Vector &direction) const
  {
    const NodalVectors x  = positions(full_state(q));
    const NodalVectors dx = extended_to_nodes(
      the_mesh.map.extend(direction, Vector::Zero(prescribed.size())));
    NodalVectors g = NodalVectors::Zero(3, x.cols());
    for (const ShellTerm *term : terms)
      term->add_hessian_times(x, dx, g);
    return to_unknowns(g);
  }

  bool
  KoiterShell::commit(const Vector &q)
  {
    edges->commit(positions(full_state(q)));
    return false;
  }

  Vector
  KoiterShell::history() const
  {
    return edges->history();
  }

  void
  KoiterShell::set_history(const Vector &history)
  {
    edges->set_history(history);
  }

  Places
  KoiterShell::history_places() const
  {
    return edges->history_places();
  }

  Places
  KoiterShell::unknown_places() const
  {
    // A node has a place in every cell that it belongs to. Ghosts are named as
    // well: the cell in which their owner sees them may be another rank's
    // tomorrow.
    const auto n = static_cast<std::int64_t>(the_mesh.n_nodes_per_cell());
    Places     places;
    places.size = 3 * n * static_cast<std::int64_t>(the_mesh.n_cells);
    for (std::size_t cell = 0; cell < the_mesh.cell_key.size(); ++cell)
      for (std::int64_t a = 0; a < n; ++a)
        {
          const ShellMesh::Node &node =
            the_mesh.nodes[the_mesh.cell_nodes[n * cell + a]];
          const auto key = static_cast<std::int64_t>(the_mesh.cell_key[cell]);
          for (int c = 0; c < 3; ++c)
            if (node.unknowns[c] >= 0)
              {
                places.places.push_back(3 * (n * key + a) + c);
                places.numbers.push_back(node.unknowns[c]);
              }
        }
    return places;
  }

  Vector
  KoiterShell::transformed(
    const Vector                                                   &q,
    const std::function<Vector3(const Vector3 &, const Vector3 &)> &f) const
  {
    NodalVectors u = positions(full_state(q));
    for (Index i = 0; i < u.cols(); ++i)
      u.col(i) =
        f(length_unit * rest.col(i), length_unit * u.col(i)) / length_unit -
        rest.col(i);
    return to_unknowns(u);
  }
} // namespace slender

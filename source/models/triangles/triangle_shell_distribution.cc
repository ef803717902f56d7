// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/triangles/triangle_shell.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace slender
{
  namespace
  {
    /// Which edge of the body holds each component of each vertex of the mesh:
    /// its number on the surface, -1 for a point, or `not_held`.
    constexpr int not_held = -2;

    using Holders = std::vector<std::array<int, 3>>;

    std::string
    names_of(const std::map<std::string, int> &edges)
    {
      std::string known;
      for (const auto &[name, id] : edges)
        known += (known.empty() ? "" : ", ") + name;
      return known.empty() ? "none" : known;
    }

    void
    check_edges(const ShellBody &body, const RestSurface &surface)
    {
      const auto    names = surface.edges();
      std::set<int> described; // an edge may have two names
      for (const ShellEdge &edge : body.edges)
        {
          if (names.count(edge.name) == 0)
            throw InputError("the surface has no edge '" + edge.name +
                             "'; its edges are: " + names_of(names));
          if (!described.insert(names.at(edge.name)).second)
            throw InputError("edge '" + edge.name +
                             "' of the shell is described twice");
          if (edge.moment != 0.)
            throw InputError("a shell of triangles takes no moment on its "
                             "edge '" +
                             edge.name + "'; a koiter shell does");
        }
      for (const ShellPoint &point : body.points)
        if (!point.edge.empty() && names.count(point.edge) == 0)
          throw InputError("the surface has no edge '" + point.edge +
                           "'; its edges are: " + names_of(names));
    }

    Holders
    find_holders(const ShellBody            &body,
                 const RestSurface          &surface,
                 const TriangleMesh         &mesh,
                 const std::vector<Vector3> &positions)
    {
      Holders holders(mesh.vertices.size(), {{not_held, not_held, not_held}});
      for (const ShellEdge &edge : body.edges)
        {
          const int id = surface.edges().at(edge.name);
          for (const TriangleMesh::Edge &of_mesh : mesh.edges)
            if (of_mesh.triangles[1] < 0 && of_mesh.id == id)
              for (const Index v : of_mesh.vertices)
                for (int c = 0; c < 3; ++c)
                  if (edge.position_fixed[c] && holders[v][c] == not_held)
                    holders[v][c] = id;
        }
      for (const ShellPoint &point : body.points)
        {
          if (point.position_fixed ==
              std::array<bool, 3>{{false, false, false}})
            continue;
          std::size_t nearest = 0;
          for (std::size_t v = 1; v < positions.size(); ++v)
            if ((positions[v] - point.position).squaredNorm() <
                (positions[nearest] - point.position).squaredNorm())
              nearest = v;
          for (int c = 0; c < 3; ++c)
            if (point.position_fixed[c] && holders[nearest][c] == not_held)
              holders[nearest][c] = -1;
        }
      return holders;
    }

    /// Numbers of degrees of freedom, in the order in which the triangles come
    /// to what carries them; so each rank's are consecutive.
    struct Numbering
    {
      std::vector<Index> of_vertex, of_edge; ///< the first of three; the tilt
      std::vector<Index> begins;             ///< of the ranks
      Index              size = 0;

      Numbering(const TriangleMesh       &mesh,
                const std::vector<Index> &order,
                const std::vector<bool>  &has_tilt,
                const int                 n_ranks)
        : of_vertex(mesh.vertices.size(), -1)
        , of_edge(mesh.edges.size(), -1)
      {
        for (int rank = 0; rank < n_ranks; ++rank)
          {
            begins.push_back(size);
            for (std::size_t k = first(order.size(), rank, n_ranks);
                 k < first(order.size(), rank + 1, n_ranks);
                 ++k)
              {
                for (const Index v : mesh.triangles[order[k]])
                  if (of_vertex[v] < 0)
                    {
                      of_vertex[v] = size;
                      size += 3;
                    }
                for (const Index e : mesh.triangle_edges[order[k]])
                  if (has_tilt[e] && of_edge[e] < 0)
                    of_edge[e] = size++;
              }
          }
        begins.push_back(size);
      }

      static std::size_t
      first(const std::size_t n, const int rank, const int n_ranks)
      {
        return n * static_cast<std::size_t>(rank) /
               static_cast<std::size_t>(n_ranks);
      }
    };
  } // namespace

  void
  TriangleShell::distribute(MPI_Comm communicator)
  {
    check_edges(body, *surface);
    mesh_positions.resize(the_mesh.vertices.size());
    std::vector<Vector3> in_user_units(the_mesh.vertices.size());
    for (std::size_t v = 0; v < the_mesh.vertices.size(); ++v)
      {
        const TriangleMesh::Vertex &at = the_mesh.vertices[v];
        in_user_units[v]  = surface->position(at.patch, at.u, at.v);
        mesh_positions[v] = in_user_units[v] / length_unit;
      }
    int rank, n_ranks;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &n_ranks);
    const std::vector<Index> order = order_in_space(the_mesh, mesh_positions);

    // What is beyond each edge, and whether its normal may tilt.
    std::map<int, const ShellEdge *> edge_of;
    for (const ShellEdge &edge : body.edges)
      edge_of[surface->edges().at(edge.name)] = &edge;
    std::vector<triangles::Ghost> ghosts(the_mesh.edges.size(),
                                         triangles::Ghost::none);
    std::vector<bool>             has_tilt(the_mesh.edges.size(),
                               triangles::has_tilt(discretisation.rule));
    for (std::size_t e = 0; e < the_mesh.edges.size(); ++e)
      if (the_mesh.edges[e].triangles[1] < 0)
        {
          const auto held = edge_of.find(the_mesh.edges[e].id);
          const bool mirrored =
            held != edge_of.end() && held->second->normal_fixed;
          ghosts[e] =
            mirrored ? triangles::Ghost::mirror : triangles::Ghost::plane;
          has_tilt[e] = has_tilt[e] && !mirrored;
        }

    const Numbering dofs(the_mesh, order, has_tilt, n_ranks);
    n_dofs             = dofs.size;
    const Holders held = find_holders(body, *surface, the_mesh, in_user_units);
    std::vector<Index> prescribed_dofs;
    boundary_is_held = true;
    for (std::size_t v = 0; v < held.size(); ++v)
      for (int c = 0; c < 3; ++c)
        if (held[v][c] != not_held)
          prescribed_dofs.push_back(dofs.of_vertex[v] + c);
    for (const TriangleMesh::Edge &edge : the_mesh.edges)
      if (edge.triangles[1] < 0)
        for (const Index v : edge.vertices)
          for (int c = 0; c < 3; ++c)
            boundary_is_held = boundary_is_held && held[v][c] != not_held;

    // This rank's triangles, their edges, and all corners of those.
    const std::size_t begin = Numbering::first(order.size(), rank, n_ranks);
    const std::size_t end   = Numbering::first(order.size(), rank + 1, n_ranks);
    triangle_numbers.assign(order.begin() + static_cast<std::ptrdiff_t>(begin),
                            order.begin() + static_cast<std::ptrdiff_t>(end));
    std::vector<Index> local_vertex(the_mesh.vertices.size(), -1);
    std::vector<Index> local_edge(the_mesh.edges.size(), -1);
    const auto         vertex = [&](const Index v) {
      if (local_vertex[v] < 0)
        {
          local_vertex[v] = static_cast<Index>(vertices.size());
          vertices.push_back({{{-1, -1, -1}}, v});
        }
      return local_vertex[v];
    };
    std::vector<Index> relevant;
    for (std::size_t k = 0; k < triangle_numbers.size(); ++k)
      {
        const Index         t = triangle_numbers[k];
        triangles::Triangle triangle;
        for (int c = 0; c < 3; ++c)
          triangle.vertices[c] = vertex(the_mesh.triangles[t][c]);
        for (int c = 0; c < 3; ++c)
          {
            const Index               e       = the_mesh.triangle_edges[t][c];
            const TriangleMesh::Edge &of_mesh = the_mesh.edges[e];
            if (local_edge[e] < 0)
              {
                local_edge[e] = static_cast<Index>(elements->edges.size());
                edge_numbers.push_back(e);
                triangles::Edge edge;
                for (int side = 0; side < 2; ++side)
                  if (of_mesh.triangles[side] >= 0)
                    edge.corners[side == 0 ? 0 : 3] =
                      vertex(the_mesh.triangles[of_mesh.triangles[side]]
                                               [of_mesh.corners[side]]);
                edge.corners[1] = vertex(of_mesh.vertices[0]);
                edge.corners[2] = vertex(of_mesh.vertices[1]);
                edge.ghost      = ghosts[e];
                if (has_tilt[e])
                  {
                    edge.tilt = static_cast<Index>(tilt_edges.size());
                    tilt_edges.push_back(e);
                    relevant.push_back(dofs.of_edge[e]);
                  }
                elements->edges.push_back(edge);
              }
            triangle.edges[c] = local_edge[e];
            triangle.sides[c] = of_mesh.triangles[0] == t ? 0 : 1;
            elements->edges[local_edge[e]].triangles[triangle.sides[c]] =
              static_cast<Index>(k);
          }
        elements->triangles.push_back(triangle);
      }
    for (const Vertex &v : vertices)
      for (int c = 0; c < 3; ++c)
        relevant.push_back(dofs.of_vertex[v.number] + c);

    map = UnknownMap(communicator,
                     n_dofs,
                     dofs.begins[rank],
                     dofs.begins[rank + 1],
                     relevant,
                     prescribed_dofs);
    // Vertices by themselves, in the same order.
    std::vector<Index> in_order(the_mesh.vertices.size());
    std::iota(in_order.begin(), in_order.end(), 0);
    std::sort(in_order.begin(), in_order.end(), [&](const Index a, Index b) {
      return dofs.of_vertex[a] < dofs.of_vertex[b];
    });
    std::vector<Index> place_of(in_order.size());
    Index              own_begin = 0, own_end = 0;
    for (std::size_t i = 0; i < in_order.size(); ++i)
      {
        place_of[in_order[i]] = static_cast<Index>(i);
        own_begin += dofs.of_vertex[in_order[i]] < dofs.begins[rank];
        own_end += dofs.of_vertex[in_order[i]] < dofs.begins[rank + 1];
      }
    std::vector<Index> touched;
    for (const Vertex &v : vertices)
      touched.push_back(place_of[v.number]);
    const UnknownMap by_vertex(communicator,
                               static_cast<Index>(in_order.size()),
                               own_begin,
                               own_end,
                               touched,
                               {});
    vertex_layout = by_vertex.layout();
    for (const Index place : touched)
      vertex_numbers.push_back(by_vertex.position(place));

    std::map<Index, int> holder_of;
    for (Vertex &v : vertices)
      {
        std::array<Index, 3> unknowns;
        for (int c = 0; c < 3; ++c)
          {
            const Index dof = dofs.of_vertex[v.number] + c;
            v.positions[c]  = map.position(dof);
            unknowns[c] =
              v.positions[c] < layout().n_local() ? v.positions[c] : -1;
            holder_of[dof] = held[v.number][c];
          }
        vertex_unknowns.push_back(unknowns);
      }
    for (const Index e : tilt_edges)
      tilt_positions.push_back(map.position(dofs.of_edge[e]));
    for (const Index dof : map.prescribed_dofs())
      holders.push_back(holder_of.count(dof) > 0 ? holder_of.at(dof) : -1);
  }
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/shells/pressure_apex.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace slender
{
  namespace
  {
    /// The axis across which an edge's plane of symmetry is, or -1.
    int
    symmetry_axis(const ShellEdge &edge)
    {
      const auto &fixed = edge.position_fixed;
      if (!edge.normal_fixed ||
          std::count(fixed.begin(), fixed.end(), true) != 1)
        return -1;
      return static_cast<int>(std::find(fixed.begin(), fixed.end(), true) -
                              fixed.begin());
    }
  } // namespace

  std::optional<Vector3>
  pressure_apex(const ShellBody &body, const RestSurface &surface)
  {
    const SurfaceMesh                mesh  = surface.mesh();
    const std::map<std::string, int> names = surface.edges();

    // Corners, by the axes of the planes that they are in.
    std::map<unsigned int, std::array<bool, 3>> axes_of_vertex;
    for (const ShellEdge &edge : body.edges)
      if (const int axis = symmetry_axis(edge); axis >= 0)
        for (const SurfaceMesh::Edge &piece : mesh.edges)
          if (piece.id == names.at(edge.name))
            for (const unsigned int vertex : piece.vertices)
              axes_of_vertex[vertex][axis] = true;
    std::vector<std::pair<Vector3, std::array<int, 2>>> corners;
    for (const auto &[vertex, axes] : axes_of_vertex)
      for (int a = 0; a < 3; ++a)
        for (int b = a + 1; b < 3; ++b)
          if (axes[a] && axes[b])
            corners.push_back({mesh.vertices[vertex], {{a, b}}});

    const auto will_do = [&](const Vector3 &apex) {
      return std::all_of(
        corners.begin(), corners.end(), [&](const auto &corner) {
          const Vector3 off = (corner.first - apex).cwiseAbs();
          return std::min(off(corner.second[0]), off(corner.second[1])) <=
                 1e-10 * surface.size();
        });
    };
    // Its own coordinates, or those of a corner, each.
    std::array<std::vector<double>, 3> choices;
    for (int c = 0; c < 3; ++c)
      {
        choices[c].push_back(body.pressure_apex(c));
        for (const auto &[x, axes] : corners)
          if ((axes[0] == c || axes[1] == c) &&
              std::none_of(choices[c].begin(),
                           choices[c].end(),
                           [&, at = x(c)](const double known) {
                             return std::abs(known - at) <=
                                    1e-10 * surface.size();
                           }))
            choices[c].push_back(x(c));
      }
    // Edges in so many planes are in none.
    for (const std::vector<double> &of_axis : choices)
      if (of_axis.size() > 8)
        return {};
    for (const double x : choices[0])
      for (const double y : choices[1])
        for (const double z : choices[2])
          if (will_do(Vector3(x, y, z)))
            return Vector3(x, y, z);
    return {};
  }
} // namespace slender

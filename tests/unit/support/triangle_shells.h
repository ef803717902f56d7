// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_tests_support_triangle_shells_h
#define slender_tests_support_triangle_shells_h

#include "support/shells.h"

#include <slender/models/triangles/triangle_shell.h>

#include <ostream>

namespace slender::triangles
{
  inline std::ostream &
  operator<<(std::ostream &stream, const FoldRule rule)
  {
    constexpr const char *names[] = {
      "average", "sine", "tangent", "half tangent", "angle"};
    return stream << names[static_cast<int>(rule)];
  }

  inline std::ostream &
  operator<<(std::ostream &stream, const MembraneKind kind)
  {
    return stream << (kind == MembraneKind::neo_hookean
                        ? "neo hookean"
                        : "st venant kirchhoff");
  }
} // namespace slender::triangles

namespace slender
{
  inline std::ostream &
  operator<<(std::ostream &stream, const Triangulation kind)
  {
    constexpr const char *names[] = {"regular",
                                     "alternating",
                                     "equilateral",
                                     "random"};
    return stream << names[static_cast<int>(kind)];
  }
} // namespace slender

namespace slender::test
{
  inline const std::vector<triangles::FoldRule> &
  fold_rules()
  {
    using triangles::FoldRule;
    static const std::vector<FoldRule> all = {FoldRule::average,
                                              FoldRule::sine,
                                              FoldRule::tangent,
                                              FoldRule::half_tangent,
                                              FoldRule::angle};
    return all;
  }

  /// A shell of triangles on the surface of a Koiter shell, without moments on
  /// edges.
  inline std::unique_ptr<TriangleShell>
  make_triangles(const NamedShell             &shell,
                 const triangles::FoldRule     rule,
                 const triangles::MembraneKind membrane =
                   triangles::MembraneKind::st_venant_kirchhoff,
                 MPI_Comm communicator = MPI_COMM_SELF)
  {
    ShellBody body = shell.body;
    for (ShellEdge &edge : body.edges)
      edge.moment = 0.;
    // Nodes of higher degree are not there.
    std::vector<ShellPoint> points;
    for (const ShellPoint &point : body.points)
      {
        const TriangleMesh mesh = triangulate(*shell.surface, {});
        for (const TriangleMesh::Vertex &v : mesh.vertices)
          if ((shell.surface->position(v.patch, v.u, v.v) - point.position)
                .norm() < 1e-9)
            {
              points.push_back(point);
              break;
            }
      }
    body.points = points;
    TriangleShellDiscretisation how;
    how.rule               = rule;
    how.membrane           = membrane;
    how.triangulation.kind = Triangulation::alternating;
    return std::make_unique<TriangleShell>(body,
                                           *shell.surface,
                                           how,
                                           communicator);
  }
} // namespace slender::test

#endif

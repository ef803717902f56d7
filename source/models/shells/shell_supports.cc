// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/shells/shell_supports.h>

#include <Eigen/Dense>

namespace slender
{
  int
  n_rigid_motions(const ShellBody &body, const RestSurface &surface)
  {
    // A motion is t + r x X with X in units of the size. Each support is a row
    // that has to vanish on (t, r); a sum of squares needs no list of them.
    using Row                        = Eigen::Matrix<double, 6, 1>;
    Eigen::Matrix<double, 6, 6> gram = Eigen::Matrix<double, 6, 6>::Zero();
    const auto holds = [&](const Row &row) { gram += row * row.transpose(); };
    const auto hold_position = [&](const Vector3             &position,
                                   const std::array<bool, 3> &fixed) {
      for (int c = 0; c < 3; ++c)
        if (fixed[c])
          {
            const Vector3 axis = Vector3::Unit(c);
            Row           row;
            row << axis, (position / surface.size()).cross(axis);
            holds(row);
          }
    };

    const SurfaceMesh                mesh  = surface.mesh();
    const std::map<std::string, int> names = surface.edges();
    for (const ShellEdge &edge : body.edges)
      for (const SurfaceMesh::Edge &piece : mesh.edges)
        if (piece.id == names.at(edge.name))
          {
            const Vector3 &from = mesh.vertices[piece.vertices[0]],
                          &to   = mesh.vertices[piece.vertices[1]];
            hold_position(from, edge.position_fixed);
            hold_position(to, edge.position_fixed);
            if (edge.normal_fixed)
              {
                Row row;
                row << Vector3::Zero(), (to - from).normalized();
                holds(row);
              }
          }
    for (const ShellPoint &point : body.points)
      hold_position(point.position, point.position_fixed);

    // The smallest eigenvalue of a shell that is barely held, by the width of a
    // ribbon, is its square.
    const auto eigenvalues =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 6, 6>>(gram)
        .eigenvalues();
    return static_cast<int>(
      (eigenvalues.array() <= 1e-13 * std::max(1., eigenvalues(5))).count());
  }
} // namespace slender

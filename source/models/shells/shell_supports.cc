// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/shells/shell_supports.h>

#include <Eigen/Dense>

#include <limits>
#include <map>
#include <numeric>

namespace slender
{
  namespace
  {
    using VertexPair = std::array<unsigned int, 2>;

    VertexPair
    sorted(const unsigned int a, const unsigned int b)
    {
      return {{std::min(a, b), std::max(a, b)}};
    }

    /// Which part each cell belongs to, and which cell has a side.
    struct Parts
    {
      std::vector<std::size_t>          of_cell;
      std::map<VertexPair, std::size_t> cell_of_side;
      std::vector<std::size_t>          first_cells; ///< of the parts

      explicit Parts(const SurfaceMesh &mesh)
        : of_cell(mesh.cells.size())
      {
        // Cells point to cells of the same part; at the end of the chain is the
        // first one, which points to itself.
        std::vector<std::size_t> link(mesh.cells.size());
        std::iota(link.begin(), link.end(), std::size_t(0));
        const auto end_of = [&](std::size_t c) {
          while (link[c] != c)
            c = link[c] = link[link[c]];
          return c;
        };
        for (std::size_t c = 0; c < mesh.cells.size(); ++c)
          {
            const auto &v = mesh.cells[c].vertices;
            for (const VertexPair &side : {sorted(v[0], v[1]),
                                           sorted(v[1], v[3]),
                                           sorted(v[3], v[2]),
                                           sorted(v[2], v[0])})
              {
                const auto [at, is_new] = cell_of_side.emplace(side, c);
                if (!is_new)
                  {
                    const std::size_t a = end_of(at->second), b = end_of(c);
                    link[std::max(a, b)] = std::min(a, b);
                  }
              }
          }
        for (std::size_t c = 0; c < mesh.cells.size(); ++c)
          {
            const std::size_t first = end_of(c);
            if (first == c)
              first_cells.push_back(c);
            of_cell[c] = first == c ? first_cells.size() - 1 : of_cell[first];
          }
      }
    };

    Vector3
    position(const RestSurface       &surface,
             const SurfaceMesh::Cell &cell,
             const double             u,
             const double             v)
    {
      std::array<double, 2> at;
      for (int c = 0; c < 2; ++c)
        at[c] =
          (1. - v) * ((1. - u) * cell.corners[0][c] + u * cell.corners[1][c]) +
          v * ((1. - u) * cell.corners[2][c] + u * cell.corners[3][c]);
      return surface.position(cell.patch, at[0], at[1]);
    }

    /// The part that a point is on, which is a node of the shell. The cells'
    /// halves, thirds and quarters are looked at, where nodes are.
    std::size_t
    part_at(const Vector3     &point,
            const RestSurface &surface,
            const SurfaceMesh &mesh,
            const Parts       &parts)
    {
      constexpr int n       = 12;
      std::size_t   part    = 0;
      double        nearest = std::numeric_limits<double>::infinity();
      for (std::size_t c = 0; c < mesh.cells.size(); ++c)
        for (int j = 0; j <= n; ++j)
          for (int i = 0; i <= n; ++i)
            {
              const Vector3 x =
                position(surface, mesh.cells[c], double(i) / n, double(j) / n);
              const double distance = (x - point).squaredNorm();
              if (distance < nearest)
                {
                  nearest = distance;
                  part    = parts.of_cell[c];
                }
            }
      return part;
    }

    /// What holds a part. A motion is t + r x X with X in units of the size.
    /// Each support is a row that has to vanish on (t, r); a sum of squares
    /// needs no list of them.
    class Supports
    {
    public:
      explicit Supports(const double a_size)
        : size(a_size)
      {}

      void
      hold_position(const Vector3 &position, const std::array<bool, 3> &fixed)
      {
        for (int c = 0; c < 3; ++c)
          if (fixed[c])
            {
              const Vector3 axis = Vector3::Unit(c);
              Row           row;
              row << axis, (position / size).cross(axis);
              gram += row * row.transpose();
            }
      }

      void
      hold_rotation(const Vector3 &axis)
      {
        Row row;
        row << Vector3::Zero(), axis.normalized();
        gram += row * row.transpose();
      }

      int
      n_rigid_motions() const
      {
        // The smallest eigenvalue of a shell that is barely held, by the width
        // of a ribbon, is its square.
        const auto eigenvalues =
          Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 6, 6>>(gram)
            .eigenvalues();
        return static_cast<int>(
          (eigenvalues.array() <= 1e-13 * std::max(1., eigenvalues(5)))
            .count());
      }

    private:
      using Row = Eigen::Matrix<double, 6, 1>;
      double                      size;
      Eigen::Matrix<double, 6, 6> gram = Eigen::Matrix<double, 6, 6>::Zero();
    };
  } // namespace

  std::vector<ShellPart>
  parts_of(const ShellBody &body, const RestSurface &surface)
  {
    const SurfaceMesh                mesh  = surface.mesh();
    const std::map<std::string, int> names = surface.edges();
    const Parts                      parts(mesh);
    std::vector<Supports>            supports(parts.first_cells.size(),
                                   Supports(surface.size()));
    for (const ShellEdge &edge : body.edges)
      for (const SurfaceMesh::Edge &piece : mesh.edges)
        if (piece.id == names.at(edge.name))
          {
            const auto       &v    = piece.vertices;
            const Vector3    &from = mesh.vertices[v[0]];
            const Vector3    &to   = mesh.vertices[v[1]];
            const std::size_t cell = parts.cell_of_side.at(sorted(v[0], v[1]));
            Supports         &held = supports[parts.of_cell[cell]];
            held.hold_position(from, edge.position_fixed);
            held.hold_position(to, edge.position_fixed);
            if (edge.normal_fixed)
              held.hold_rotation(to - from);
          }
    for (const ShellPoint &point : body.points)
      {
        const auto &fixed = point.position_fixed;
        if (!fixed[0] && !fixed[1] && !fixed[2])
          continue;
        const std::size_t part =
          supports.size() == 1 ? 0
                               : part_at(point.position, surface, mesh, parts);
        supports[part].hold_position(point.position, fixed);
      }

    std::vector<ShellPart> result;
    for (std::size_t p = 0; p < supports.size(); ++p)
      result.push_back(
        {supports[p].n_rigid_motions(),
         position(surface, mesh.cells[parts.first_cells[p]], 0.5, 0.5)});
    return result;
  }
} // namespace slender

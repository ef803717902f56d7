// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/triangles/triangle_mesh.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <random>

namespace slender
{
  namespace
  {
    using Pair = std::array<Index, 2>;

    Pair
    sorted(const Index a, const Index b)
    {
      return {{std::min(a, b), std::max(a, b)}};
    }

    /// The cells of a surface mesh, refined, with corners that neighbours
    /// share.
    class RefinedCells
    {
    public:
      RefinedCells(const RestSurface &the_surface, const SurfaceMesh &the_mesh)
        : surface(the_surface)
        , mesh(the_mesh)
        , n(Index(1) << mesh.refinements)
        , corner_vertex(mesh.vertices.size(), -1)
      {
        for (std::size_t c = 0; c < mesh.cells.size(); ++c)
          cut(mesh.cells[c]);
        for (const SurfaceMesh::Edge &edge : mesh.edges)
          {
            const auto  a    = static_cast<Index>(edge.vertices[0]);
            const auto  b    = static_cast<Index>(edge.vertices[1]);
            const auto &line = lines.at(sorted(a, b));
            for (Index k = 0; k < n; ++k)
              ids[sorted(line[k], line[k + 1])] = edge.id;
          }
      }

      /// Quadrilaterals by their corners (0,0), (1,0), (0,1), (1,1), and the
      /// parity of their place in the cell of the surface.
      struct Quad
      {
        std::array<Index, 4> corners;
        bool                 is_odd;
      };

      std::vector<TriangleMesh::Vertex> vertices;
      std::vector<Quad>                 quads;
      std::map<Pair, int>               ids;

    private:
      Index
      add(const SurfaceMesh::Cell &cell, const double s, const double r)
      {
        std::array<double, 2> at;
        for (int c = 0; c < 2; ++c)
          at[c] = (1. - r) *
                    ((1. - s) * cell.corners[0][c] + s * cell.corners[1][c]) +
                  r * ((1. - s) * cell.corners[2][c] + s * cell.corners[3][c]);
        const auto uv = surface.graded(at[0], at[1]);
        vertices.push_back({cell.patch, uv[0], uv[1]});
        return static_cast<Index>(vertices.size()) - 1;
      }

      /// The n + 1 vertices along a side, in ascending order of its ends.
      std::vector<Index>
      side(const SurfaceMesh::Cell &cell, const int from, const int to)
      {
        const auto a     = static_cast<Index>(cell.vertices[from]);
        const auto b     = static_cast<Index>(cell.vertices[to]);
        auto       found = lines.find(sorted(a, b));
        if (found == lines.end())
          {
            std::vector<Index> line;
            const bool         forward = a < b;
            for (Index k = 0; k <= n; ++k)
              {
                const double f     = static_cast<double>(k) / n;
                const int    first = forward ? from : to;
                const int    last  = forward ? to : from;
                const auto   place = [&](const int axis) {
                  const auto of = [axis](const int corner) {
                    return axis == 0 ? corner % 2 : corner / 2;
                  };
                  return (1. - f) * of(first) + f * of(last);
                };
                if (k == 0 || k == n)
                  {
                    Index &vertex =
                      corner_vertex[cell.vertices[k == 0 ? first : last]];
                    if (vertex < 0)
                      vertex = add(cell, place(0), place(1));
                    line.push_back(vertex);
                  }
                else
                  line.push_back(add(cell, place(0), place(1)));
              }
            found = lines.emplace(sorted(a, b), std::move(line)).first;
          }
        std::vector<Index> result = found->second;
        if (a > b)
          std::reverse(result.begin(), result.end());
        return result;
      }

      void
      cut(const SurfaceMesh::Cell &cell)
      {
        if (cell.vertices[2] == cell.vertices[3])
          throw std::logic_error("a triangle is not cut as a quadrilateral");
        const auto         bottom = side(cell, 0, 1), top = side(cell, 2, 3);
        const auto         left = side(cell, 0, 2), right = side(cell, 1, 3);
        std::vector<Index> grid((n + 1) * (n + 1));
        for (Index j = 0; j <= n; ++j)
          for (Index i = 0; i <= n; ++i)
            grid[j * (n + 1) + i] = j == 0   ? bottom[i]
                                    : j == n ? top[i]
                                    : i == 0 ? left[j]
                                    : i == n ? right[j]
                                             : add(cell,
                                                   static_cast<double>(i) / n,
                                                   static_cast<double>(j) / n);
        // Cells of the coarsest mesh continue each other's pattern if their
        // own place in the patch is taken into account.
        const double width = cell.corners[1][0] - cell.corners[0][0];
        const double depth = cell.corners[2][1] - cell.corners[0][1];
        const Index  first =
          n % 2 == 0 || width == 0. || depth == 0.
             ? 0
             : static_cast<Index>(std::lround(cell.corners[0][0] / width) +
                                 std::lround(cell.corners[0][1] / depth));
        for (Index j = 0; j < n; ++j)
          for (Index i = 0; i < n; ++i)
            {
              const Index at = j * (n + 1) + i;
              quads.push_back(
                {{{grid[at], grid[at + 1], grid[at + n + 1], grid[at + n + 2]}},
                 (first + i + j) % 2 != 0});
            }
      }

      const RestSurface                 &surface;
      const SurfaceMesh                 &mesh;
      Index                              n;
      std::vector<Index>                 corner_vertex;
      std::map<Pair, std::vector<Index>> lines;
    };

    bool
    is_triangulated(const SurfaceMesh &mesh)
    {
      return !mesh.cells.empty() &&
             mesh.cells.front().vertices[2] == mesh.cells.front().vertices[3];
    }

    /// Triangles of a file, as cells whose last two corners are one.
    TriangleMesh
    take_triangles(const SurfaceMesh &mesh)
    {
      TriangleMesh result;
      result.vertices.resize(mesh.vertices.size());
      for (const SurfaceMesh::Cell &cell : mesh.cells)
        {
          std::array<Index, 3> triangle;
          for (int c = 0; c < 3; ++c)
            {
              triangle[c] = static_cast<Index>(cell.vertices[c]);
              result.vertices[triangle[c]] = {cell.patch,
                                              cell.corners[c][0],
                                              cell.corners[c][1]};
            }
          result.triangles.push_back(triangle);
        }
      std::map<Pair, int> ids;
      for (const SurfaceMesh::Edge &edge : mesh.edges)
        ids[sorted(static_cast<Index>(edge.vertices[0]),
                   static_cast<Index>(edge.vertices[1]))] = edge.id;
      find_edges(result, ids);
      return result;
    }

    /// How many cells a single patch has along u and v; throws if the surface
    /// is not one.
    CellCounts
    counts_of_patch(const SurfaceMesh &mesh)
    {
      std::map<double, int> us, vs;
      for (const SurfaceMesh::Cell &cell : mesh.cells)
        {
          if (cell.patch != 0)
            throw InputError("only a rectangle has equilateral or random "
                             "triangles; other surfaces take 'regular' or "
                             "'alternating'");
          ++us[cell.corners[0][0]];
          ++vs[cell.corners[0][1]];
        }
      const int         factor = 1 << mesh.refinements;
      const CellCounts  counts{static_cast<int>(us.size()) * factor,
                              static_cast<int>(vs.size()) * factor};
      const std::size_t n_sides = 2 * (us.size() + vs.size());
      if (mesh.edges.size() != n_sides)
        throw InputError("only a rectangle has equilateral or random "
                         "triangles; other surfaces take 'regular' or "
                         "'alternating'");
      return counts;
    }

    /// Numbers of the sides u = 0, u = 1, v = 0, v = 1 of a single patch.
    std::array<int, 4>
    side_ids(const SurfaceMesh &mesh)
    {
      std::array<int, 4>  ids = {{-1, -1, -1, -1}};
      std::map<Pair, int> of_pair;
      for (const SurfaceMesh::Edge &edge : mesh.edges)
        of_pair[sorted(static_cast<Index>(edge.vertices[0]),
                       static_cast<Index>(edge.vertices[1]))] = edge.id;
      for (const SurfaceMesh::Cell &cell : mesh.cells)
        {
          constexpr int sides[4][2] = {{0, 2}, {1, 3}, {0, 1}, {2, 3}};
          for (int s = 0; s < 4; ++s)
            {
              const auto found = of_pair.find(
                sorted(static_cast<Index>(cell.vertices[sides[s][0]]),
                       static_cast<Index>(cell.vertices[sides[s][1]])));
              if (found != of_pair.end())
                ids[s] = found->second;
            }
        }
      return ids;
    }

    /// Names the sides of a patch on the boundary of triangles in (u, v).
    std::map<Pair, int>
    ids_by_place(const TriangleMesh &mesh, const std::array<int, 4> &sides)
    {
      std::map<Pair, int> ids;
      for (const auto &triangle : mesh.triangles)
        for (int c = 0; c < 3; ++c)
          {
            const Index a = triangle[c], b = triangle[(c + 1) % 3];
            const auto &at = mesh.vertices[a], &to = mesh.vertices[b];
            if (at.u == 0. && to.u == 0.)
              ids[sorted(a, b)] = sides[0];
            else if (at.u == 1. && to.u == 1.)
              ids[sorted(a, b)] = sides[1];
            else if (at.v == 0. && to.v == 0.)
              ids[sorted(a, b)] = sides[2];
            else if (at.v == 1. && to.v == 1.)
              ids[sorted(a, b)] = sides[3];
          }
      return ids;
    }

    TriangleMesh
    equilateral(const RestSurface &surface,
                const CellCounts   counts,
                const SurfaceMesh &cells)
    {
      // Odd rows have points in the middles, and one at either end.
      TriangleMesh                    mesh;
      std::vector<std::vector<Index>> rows;
      for (int j = 0; j <= counts.along_v; ++j)
        {
          std::vector<Index> row;
          const bool         is_odd = j % 2 != 0;
          const int          n      = counts.along_u + (is_odd ? 1 : 0);
          for (int i = 0; i <= n; ++i)
            {
              const double u  = !is_odd  ? double(i) / counts.along_u
                                : i == 0 ? 0.
                                : i == n ? 1.
                                         : (i - 0.5) / counts.along_u;
              const auto   uv = surface.graded(u, double(j) / counts.along_v);
              row.push_back(static_cast<Index>(mesh.vertices.size()));
              mesh.vertices.push_back({0, uv[0], uv[1]});
            }
          rows.push_back(row);
        }
      for (int j = 0; j < counts.along_v; ++j)
        {
          const std::vector<Index> &low = rows[j], &high = rows[j + 1];
          std::size_t               i = 0, k = 0;
          while (i + 1 < low.size() || k + 1 < high.size())
            {
              const auto next = [&mesh](const std::vector<Index> &row,
                                        const std::size_t         at) {
                return at + 1 < row.size() ? mesh.vertices[row[at + 1]].u : 2.;
              };
              if (next(low, i) < next(high, k) ||
                  (next(low, i) == next(high, k) && low.size() < high.size()))
                {
                  mesh.triangles.push_back({{low[i], low[i + 1], high[k]}});
                  ++i;
                }
              else
                {
                  mesh.triangles.push_back({{low[i], high[k + 1], high[k]}});
                  ++k;
                }
            }
        }
      find_edges(mesh, ids_by_place(mesh, side_ids(cells)));
      return mesh;
    }

    /// Exchanges diagonals until no corner is inside the circle of a
    /// neighbour. Lawson's flips end at Delaunay's triangulation.
    void
    flip_to_delaunay(TriangleMesh &mesh, const std::vector<Eigen::Vector2d> &x)
    {
      const auto angle_at = [&](const Index a, const Index b, const Index c) {
        const Eigen::Vector2d s = x[b] - x[a], r = x[c] - x[a];
        return std::atan2(std::abs(s(0) * r(1) - s(1) * r(0)), s.dot(r));
      };
      constexpr double pi = 3.14159265358979323846;
      for (bool changed = true; changed;)
        {
          changed = false;
          find_edges(mesh, {});
          std::vector<bool> touched(mesh.triangles.size(), false);
          for (const TriangleMesh::Edge &edge : mesh.edges)
            {
              const Index s = edge.triangles[0], r = edge.triangles[1];
              if (r < 0 || touched[s] || touched[r])
                continue;
              const Index p = edge.vertices[0], q = edge.vertices[1];
              const Index i = mesh.triangles[s][edge.corners[0]];
              const Index l = mesh.triangles[r][edge.corners[1]];
              if (angle_at(i, p, q) + angle_at(l, p, q) <= pi + 1e-9)
                continue;
              mesh.triangles[s] = {{i, p, l}};
              mesh.triangles[r] = {{i, l, q}};
              touched[s] = touched[r] = changed = true;
            }
        }
    }

    TriangleMesh
    shifted(const RestSurface          &surface,
            const CellCounts            counts,
            const SurfaceMesh          &cells,
            const TriangulationOptions &options)
    {
      // Numbers from [-1, 1) made by hand: distributions of the library differ
      // between implementations.
      std::mt19937_64 numbers(options.seed);
      const auto      draw = [&numbers]() {
        return 2. * static_cast<double>(numbers() >> 11) / 9007199254740992. -
               1.;
      };
      TriangleMesh                 mesh;
      std::vector<Eigen::Vector2d> places;
      const int                    nu = counts.along_u, nv = counts.along_v;
      // Distances are those of the rest surface.
      const Vector3 origin = surface.position(0, 0., 0.);
      const double  length = (surface.position(0, 1., 0.) - origin).norm();
      const double  width  = (surface.position(0, 0., 1.) - origin).norm();
      for (int j = 0; j <= nv; ++j)
        for (int i = 0; i <= nu; ++i)
          {
            const double du = draw(), dv = draw();
            double       u = i, v = j;
            if (i > 0 && i < nu)
              u += options.shift * du;
            if (j > 0 && j < nv)
              v += options.shift * dv;
            const auto uv = surface.graded(u / nu, v / nv);
            mesh.vertices.push_back({0, uv[0], uv[1]});
            places.emplace_back(length * uv[0], width * uv[1]);
          }
      for (int j = 0; j < nv; ++j)
        for (int i = 0; i < nu; ++i)
          {
            const Index a = j * (nu + 1) + i, b = a + 1, c = a + nu + 1,
                        d = c + 1;
            mesh.triangles.push_back({{a, b, d}});
            mesh.triangles.push_back({{a, d, c}});
          }
      flip_to_delaunay(mesh, places);
      find_edges(mesh, ids_by_place(mesh, side_ids(cells)));
      return mesh;
    }
  } // namespace

  void
  find_edges(TriangleMesh &mesh, const std::map<Pair, int> &ids)
  {
    struct Side
    {
      Pair  pair;
      Index triangle;
      int   corner;
    };
    std::vector<Side> sides;
    sides.reserve(3 * mesh.triangles.size());
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
      for (int c = 0; c < 3; ++c)
        sides.push_back({sorted(mesh.triangles[t][(c + 1) % 3],
                                mesh.triangles[t][(c + 2) % 3]),
                         static_cast<Index>(t),
                         c});
    std::sort(sides.begin(), sides.end(), [](const Side &a, const Side &b) {
      return a.pair != b.pair           ? a.pair < b.pair
             : a.triangle != b.triangle ? a.triangle < b.triangle
                                        : a.corner < b.corner;
    });
    mesh.edges.clear();
    mesh.triangle_edges.assign(mesh.triangles.size(), {{-1, -1, -1}});
    for (std::size_t s = 0; s < sides.size();)
      {
        TriangleMesh::Edge edge;
        const Side        &first    = sides[s];
        const auto        &triangle = mesh.triangles[first.triangle];
        edge.vertices               = {
                        {triangle[(first.corner + 1) % 3], triangle[(first.corner + 2) % 3]}};
        edge.triangles    = {{first.triangle, -1}};
        edge.corners      = {{first.corner, -1}};
        const auto number = static_cast<Index>(mesh.edges.size());
        mesh.triangle_edges[first.triangle][first.corner] = number;
        ++s;
        if (s < sides.size() && sides[s].pair == first.pair)
          {
            edge.triangles[1] = sides[s].triangle;
            edge.corners[1]   = sides[s].corner;
            mesh.triangle_edges[sides[s].triangle][sides[s].corner] = number;
            ++s;
          }
        else if (const auto id = ids.find(first.pair); id != ids.end())
          edge.id = id->second;
        if (s < sides.size() && sides[s].pair == first.pair)
          throw InputError("more than two triangles meet at an edge");
        mesh.edges.push_back(edge);
      }
  }

  TriangleMesh
  triangulate(const RestSurface &surface, const TriangulationOptions &options)
  {
    const SurfaceMesh cells = surface.mesh();
    if (is_triangulated(cells))
      return take_triangles(cells);
    if (options.kind == Triangulation::equilateral)
      return equilateral(surface, counts_of_patch(cells), cells);
    if (options.kind == Triangulation::random)
      return shifted(surface, counts_of_patch(cells), cells, options);

    RefinedCells refined(surface, cells);
    TriangleMesh mesh;
    mesh.vertices = std::move(refined.vertices);
    for (const auto &quad : refined.quads)
      {
        const auto &c = quad.corners;
        if (options.kind == Triangulation::alternating && quad.is_odd)
          {
            mesh.triangles.push_back({{c[0], c[1], c[2]}});
            mesh.triangles.push_back({{c[1], c[3], c[2]}});
          }
        else
          {
            mesh.triangles.push_back({{c[0], c[1], c[3]}});
            mesh.triangles.push_back({{c[0], c[3], c[2]}});
          }
      }
    find_edges(mesh, refined.ids);
    return mesh;
  }

  std::vector<Index>
  order_in_space(const TriangleMesh         &mesh,
                 const std::vector<Vector3> &positions)
  {
    std::vector<Vector3> centres;
    centres.reserve(mesh.triangles.size());
    for (const auto &t : mesh.triangles)
      centres.push_back((positions[t[0]] + positions[t[1]] + positions[t[2]]) /
                        3.);
    std::vector<Index> order(mesh.triangles.size());
    std::iota(order.begin(), order.end(), 0);

    const std::function<void(std::size_t, std::size_t)> halve =
      [&](const std::size_t begin, const std::size_t end) {
        if (end - begin < 2)
          return;
        Vector3 low = centres[order[begin]], high = low;
        for (std::size_t k = begin; k < end; ++k)
          {
            low  = low.cwiseMin(centres[order[k]]);
            high = high.cwiseMax(centres[order[k]]);
          }
        int axis;
        (high - low).maxCoeff(&axis);
        const std::size_t middle = begin + (end - begin) / 2;
        std::nth_element(order.begin() + static_cast<std::ptrdiff_t>(begin),
                         order.begin() + static_cast<std::ptrdiff_t>(middle),
                         order.begin() + static_cast<std::ptrdiff_t>(end),
                         [&](const Index a, const Index b) {
                           const double x = centres[a](axis),
                                        y = centres[b](axis);
                           return x != y ? x < y : a < b;
                         });
        halve(begin, middle);
        halve(middle, end);
      };
    halve(0, order.size());
    return order;
  }
} // namespace slender

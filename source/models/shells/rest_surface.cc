// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/shells/parametric_surface.h>
#include <slender/models/shells/rest_surface.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace slender
{
  std::array<double, 2>
  RestSurface::graded(const double u, const double v) const
  {
    return {{u, v}};
  }

  std::vector<RestSurface::Dimension>
  RestSurface::dimensions()
  {
    return {};
  }

  namespace
  {
    /// Points that are nearer than a tolerance are the same; others are apart
    /// by much more.
    struct ByPosition
    {
      double tolerance;

      bool
      operator()(const Vector3 &a, const Vector3 &b) const
      {
        for (int c = 0; c < 3; ++c)
          if (std::abs(a(c) - b(c)) > tolerance)
            return a(c) < b(c);
        return false;
      }
    };

    using VertexPair = std::array<unsigned int, 2>;

    VertexPair
    sorted(VertexPair pair)
    {
      if (pair[0] > pair[1])
        std::swap(pair[0], pair[1]);
      return pair;
    }
  } // namespace

  SurfaceMesh
  cut_patches(const RestSurface                     &surface,
              const int                              n_patches,
              CellCounts                             cells,
              const bool                             joined,
              const std::vector<std::array<int, 4>> &side_ids)
  {
    if (cells.along_u < 1 || cells.along_v < 1)
      throw InputError("a surface needs at least one cell in each direction");

    // A circle needs three cells to be told from a line.
    SurfaceMesh mesh;
    while (cells.along_u % 2 == 0 && cells.along_v % 2 == 0 &&
           (cells.along_u >= 8 || !joined))
      {
        cells.along_u /= 2;
        cells.along_v /= 2;
        ++mesh.refinements;
      }
    const int nu = cells.along_u, nv = cells.along_v;

    std::map<Vector3, unsigned int, ByPosition> known(
      ByPosition{1e-8 * surface.size()});
    std::map<VertexPair, int> n_cells_at, id_of;
    for (int patch = 0; patch < n_patches; ++patch)
      {
        std::vector<unsigned int> vertices;
        for (int j = 0; j <= nv; ++j)
          for (int i = 0; i <= nu; ++i)
            {
              const auto    uv = surface.graded(static_cast<double>(i) / nu,
                                             static_cast<double>(j) / nv);
              const Vector3 x  = surface.position(patch, uv[0], uv[1]);
              const auto    number =
                static_cast<unsigned int>(mesh.vertices.size());
              const auto found =
                joined ? known.emplace(x, number).first->second : number;
              if (found == number)
                mesh.vertices.push_back(x);
              vertices.push_back(found);
            }
        const auto vertex = [&](const int i, const int j) {
          return vertices[i + j * (nu + 1)];
        };
        for (int j = 0; j < nv; ++j)
          for (int i = 0; i < nu; ++i)
            {
              SurfaceMesh::Cell cell;
              cell.patch = patch;
              for (int c = 0; c < 4; ++c)
                {
                  const int at_i   = i + c % 2;
                  const int at_j   = j + c / 2;
                  cell.vertices[c] = vertex(at_i, at_j);
                  cell.corners[c]  = {{static_cast<double>(at_i) / nu,
                                       static_cast<double>(at_j) / nv}};
                }
              mesh.cells.push_back(cell);
              const auto &v = cell.vertices;
              for (const VertexPair &side : {VertexPair{{v[0], v[2]}},
                                             VertexPair{{v[1], v[3]}},
                                             VertexPair{{v[0], v[1]}},
                                             VertexPair{{v[2], v[3]}}})
                ++n_cells_at[sorted(side)];
            }
        for (int j = 0; j < nv; ++j)
          {
            id_of[sorted({{vertex(0, j), vertex(0, j + 1)}})] =
              side_ids[patch][0];
            id_of[sorted({{vertex(nu, j), vertex(nu, j + 1)}})] =
              side_ids[patch][1];
          }
        for (int i = 0; i < nu; ++i)
          {
            id_of[sorted({{vertex(i, 0), vertex(i + 1, 0)}})] =
              side_ids[patch][2];
            id_of[sorted({{vertex(i, nv), vertex(i + 1, nv)}})] =
              side_ids[patch][3];
          }
      }
    for (const auto &[pair, n] : n_cells_at)
      if (n == 1)
        mesh.edges.push_back({pair, id_of.at(pair)});
    return mesh;
  }

  namespace
  {
    /// Geometrically growing lengths: the fraction of the way at the fraction
    /// t of n cells.
    double
    growing(const double t, const double n, const double ratio)
    {
      if (ratio == 1. || n <= 1.)
        return t;
      const double a = std::log(ratio) * n / (n - 1.);
      return std::expm1(a * t) / std::expm1(a);
    }

    class RectangleSurface
      : public ParametricSurface<Rectangle, RectangleSurface>
    {
    public:
      using ParametricSurface::ParametricSurface;

      Vector3
      position(int, const double u, const double v) const override
      {
        return {u * shape.length, (v - 0.5) * shape.width, 0.};
      }

      std::array<double, 2>
      graded(const double u, const double v) const override
      {
        const double to_edge = 0.5 * growing(2. * std::min(v, 1. - v),
                                             0.5 * shape.cells.along_v,
                                             shape.grading_y);
        return {{growing(u, shape.cells.along_u, shape.grading_x),
                 v <= 0.5 ? to_edge : 1. - to_edge}};
      }

      SurfaceMesh
      mesh() const override
      {
        return cut_patches(*this, 1, shape.cells, false, {{{0, 1, 2, 3}}});
      }

      std::map<std::string, int>
      edges() const override
      {
        return {{"left", 0}, {"right", 1}, {"bottom", 2}, {"top", 3}};
      }

      double
      size() const override
      {
        return shape.length;
      }

      std::vector<Dimension>
      dimensions() override
      {
        return {{"length", "length of the rectangle [length]", &shape.length},
                {"width", "width of the rectangle [length]", &shape.width}};
      }
    };
  } // namespace

  std::unique_ptr<RestSurface>
  make_surface(const Rectangle &rectangle)
  {
    check_positive(rectangle.length, "the length of a rectangle");
    check_positive(rectangle.width, "the width of a rectangle");
    check_positive(rectangle.grading_x, "the grading of a rectangle");
    check_positive(rectangle.grading_y, "the grading of a rectangle");
    return std::make_unique<RectangleSurface>(rectangle);
  }
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/shells/rest_surface.h>

#include <deal.II/grid/grid_in.h>
#include <deal.II/grid/tria.h>

#include <Eigen/Geometry>

#include <fstream>
#include <queue>

// The one place where a rest surface meets deal.II: files of gmsh.
namespace slender
{
  namespace
  {
    /// Corner k of a patch is the image of (k % 2, k / 2).
    using Corners = std::array<Vector3, 4>;

    class FileSurface : public RestSurface
    {
    public:
      FileSurface(SurfaceMesh a_mesh, std::vector<Corners> all_corners)
        : the_mesh(std::move(a_mesh))
        , corners(std::move(all_corners))
      {
        for (const SurfaceMesh::Edge &edge : the_mesh.edges)
          names[std::to_string(edge.id)] = edge.id;
        Vector3 low = the_mesh.vertices[0], high = low;
        for (const Vector3 &x : the_mesh.vertices)
          {
            low  = low.cwiseMin(x);
            high = high.cwiseMax(x);
          }
        extent = (high - low).maxCoeff();
      }

      Vector3
      position(const int patch, const double u, const double v) const override
      {
        const Corners &x = corners[patch];
        return (1. - v) * ((1. - u) * x[0] + u * x[1]) +
               v * ((1. - u) * x[2] + u * x[3]);
      }

      SurfaceMesh
      mesh() const override
      {
        return the_mesh;
      }

      std::map<std::string, int>
      edges() const override
      {
        return names;
      }

      double
      size() const override
      {
        return extent;
      }

      std::unique_ptr<RestSurface>
      clone() const override
      {
        return std::make_unique<FileSurface>(*this);
      }

    private:
      SurfaceMesh                the_mesh;
      std::vector<Corners>       corners;
      std::map<std::string, int> names;
      double                     extent;
    };

    void
    check_cell(const Corners     &x,
               const unsigned int number,
               const std::string &path)
    {
      // Around the cell; at each corner the sides must turn the same way.
      const std::array<Vector3, 4> around  = {{x[0], x[1], x[3], x[2]}};
      const Vector3                normal  = (x[3] - x[0]).cross(x[2] - x[1]);
      double                       longest = 0.;
      for (int i = 0; i < 4; ++i)
        longest =
          std::max(longest, (around[(i + 1) % 4] - around[i]).squaredNorm());
      for (int i = 0; i < 4; ++i)
        {
          const Vector3 turn = (around[(i + 1) % 4] - around[i])
                                 .cross(around[(i + 3) % 4] - around[i]);
          if (!(turn.dot(normal) > 1e-8 * longest * normal.norm()) ||
              normal.norm() < 1e-10 * longest)
            throw InputError(
              "mesh '" + path + "': cell " + std::to_string(number) +
              " is inverted or degenerate; its corners must make a convex "
              "quadrilateral of positive area");
        }
    }

    void
    read(const std::string &path, dealii::Triangulation<2, 3> &triangulation)
    {
      std::ifstream file(path);
      if (!file)
        throw InputError("mesh '" + path + "' cannot be opened");
      std::string problem;
      try
        {
          dealii::GridIn<2, 3> reader;
          reader.attach_triangulation(triangulation);
          reader.read_msh(file);
        }
      catch (const std::exception &)
        {
          throw InputError("mesh '" + path +
                           "' cannot be read; a text file of gmsh, format 2.2 "
                           "or 4.1, with one surface of quadrilaterals is "
                           "expected");
        }
    }

    /// +1 or -1 for each cell, so that the normals of neighbours agree.
    std::vector<int>
    orientations(const dealii::Triangulation<2, 3> &triangulation,
                 const std::string                 &path)
    {
      // Sides of a cell in the sense of its unit coordinates, corner to corner.
      constexpr int    sides[4][2] = {{2, 0}, {1, 3}, {0, 1}, {3, 2}};
      std::vector<int> sign(triangulation.n_active_cells(), 0);
      std::queue<dealii::Triangulation<2, 3>::active_cell_iterator> reached;
      for (const auto &start : triangulation.active_cell_iterators())
        {
          if (sign[start->active_cell_index()] != 0)
            continue;
          sign[start->active_cell_index()] = 1;
          reached.push(start);
          while (!reached.empty())
            {
              const auto cell = reached.front();
              reached.pop();
              const int mine = sign[cell->active_cell_index()];
              for (int f = 0; f < 4; ++f)
                if (!cell->at_boundary(f))
                  {
                    const auto other    = cell->neighbor(f);
                    const auto g        = cell->neighbor_of_neighbor(f);
                    const bool opposite = cell->vertex_index(sides[f][0]) ==
                                          other->vertex_index(sides[g][1]);
                    int      &theirs   = sign[other->active_cell_index()];
                    const int expected = opposite ? mine : -mine;
                    if (theirs == 0)
                      reached.push(other);
                    else if (theirs != expected)
                      throw InputError("mesh '" + path +
                                       "' has only one side; surfaces must be "
                                       "orientable");
                    theirs = expected;
                  }
            }
        }
      return sign;
    }
  } // namespace

  std::unique_ptr<RestSurface>
  make_surface(const MeshFile &file)
  {
    dealii::Triangulation<2, 3> triangulation;
    read(file.path, triangulation);
    if (triangulation.n_active_cells() == 0)
      throw InputError("mesh '" + file.path + "' has no cells");
    for (const auto &cell : triangulation.active_cell_iterators())
      if (cell->reference_cell() != dealii::ReferenceCells::Quadrilateral)
        throw InputError("mesh '" + file.path +
                         "' has triangles; only quadrilaterals are allowed "
                         "(in gmsh: Recombine Surface)");

    SurfaceMesh mesh;
    mesh.refinements = file.refinements;
    for (const auto &x : triangulation.get_vertices())
      mesh.vertices.emplace_back(x[0], x[1], x[2]);
    const std::vector<int> sign = orientations(triangulation, file.path);
    std::vector<Corners>   patches;
    for (const auto &cell : triangulation.active_cell_iterators())
      {
        const bool turned =
          (sign[cell->active_cell_index()] < 0) != file.flip_normals;
        SurfaceMesh::Cell new_cell;
        Corners           corners;
        new_cell.patch = static_cast<int>(patches.size());
        for (int c = 0; c < 4; ++c)
          {
            new_cell.vertices[c] = cell->vertex_index(c);
            const std::array<int, 2> uv =
              turned ? std::array<int, 2>{{c / 2, c % 2}}
                     : std::array<int, 2>{{c % 2, c / 2}};
            new_cell.corners[c]        = {{double(uv[0]), double(uv[1])}};
            corners[uv[0] + 2 * uv[1]] = mesh.vertices[new_cell.vertices[c]];
          }
        check_cell(corners, new_cell.patch, file.path);
        mesh.cells.push_back(new_cell);
        patches.push_back(corners);
        for (int f = 0; f < 4; ++f)
          if (cell->at_boundary(f))
            mesh.edges.push_back(
              {{{cell->face(f)->vertex_index(0),
                 cell->face(f)->vertex_index(1)}},
               static_cast<int>(cell->face(f)->boundary_id())});
      }
    return std::make_unique<FileSurface>(mesh, patches);
  }
} // namespace slender

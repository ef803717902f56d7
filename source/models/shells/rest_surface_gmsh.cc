// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/shells/gmsh_file.h>
#include <slender/models/shells/mesh_conformity.h>
#include <slender/models/shells/rest_surface.h>
#include <slender/models/triangles/triangle_file.h>

#include <queue>

// Every cell of a file of gmsh is a patch.
namespace slender
{
  namespace
  {
    class FileSurface : public RestSurface
    {
    public:
      FileSurface(SurfaceMesh                  a_mesh,
                  std::vector<PolynomialPatch> all_patches,
                  std::map<std::string, int>   all_names)
        : the_mesh(std::move(a_mesh))
        , patches(std::move(all_patches))
        , names(std::move(all_names))
      {
        Vector3 low = the_mesh.vertices[0], high = low;
        for (const PolynomialPatch &patch : patches)
          for (const Vector3 &x : patch.nodes)
            {
              low  = low.cwiseMin(x);
              high = high.cwiseMax(x);
            }
        extent = (high - low).maxCoeff();
      }

      Vector3
      position(const int patch, const double u, const double v) const override
      {
        return patches[patch].position(u, v);
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
      SurfaceMesh                  the_mesh;
      std::vector<PolynomialPatch> patches;
      std::map<std::string, int>   names;
      double                       extent;
    };

    using VertexPair = std::array<unsigned int, 2>;

    VertexPair
    sorted(const unsigned int a, const unsigned int b)
    {
      return {{std::min(a, b), std::max(a, b)}};
    }

    /// Which cells have a side, and whether they go along it, counterclockwise,
    /// from its lower to its higher vertex.
    struct Side
    {
      std::size_t cell;
      bool        forward;
    };
    using Sides = std::map<VertexPair, std::vector<Side>>;

    std::array<VertexPair, 4>
    around(const SurfaceMesh::Cell &cell)
    {
      const auto &v = cell.vertices;
      return {{{{v[0], v[1]}}, {{v[1], v[3]}}, {{v[3], v[2]}}, {{v[2], v[0]}}}};
    }

    Sides
    find_sides(const SurfaceMesh &mesh, const std::string &path)
    {
      Sides sides;
      for (std::size_t c = 0; c < mesh.cells.size(); ++c)
        for (const VertexPair &s : around(mesh.cells[c]))
          sides[sorted(s[0], s[1])].push_back({c, s[0] < s[1]});
      for (const auto &[ends, cells] : sides)
        if (cells.size() > 2)
          throw InputError("mesh '" + path +
                           "' has a side where more than two cells meet; a "
                           "shell must not branch");
      return sides;
    }

    /// +1 or -1 for each cell, so that the normals of neighbours agree.
    std::vector<int>
    orientations(const SurfaceMesh &mesh,
                 const Sides       &sides,
                 const std::string &path)
    {
      std::vector<int>        sign(mesh.cells.size(), 0);
      std::queue<std::size_t> reached;
      for (std::size_t start = 0; start < sign.size(); ++start)
        {
          if (sign[start] != 0)
            continue;
          sign[start] = 1;
          reached.push(start);
          while (!reached.empty())
            {
              const std::size_t cell = reached.front();
              reached.pop();
              for (const VertexPair &s : around(mesh.cells[cell]))
                for (const Side &other : sides.at(sorted(s[0], s[1])))
                  if (other.cell != cell)
                    {
                      const int expected = other.forward == (s[0] < s[1])
                                             ? -sign[cell]
                                             : sign[cell];
                      if (sign[other.cell] == 0)
                        reached.push(other.cell);
                      else if (sign[other.cell] != expected)
                        throw InputError("mesh '" + path +
                                         "' has only one side; surfaces must "
                                         "be orientable");
                      sign[other.cell] = expected;
                    }
            }
        }
      return sign;
    }

    /// u becomes v: the normal points to the other side.
    void
    turn(SurfaceMesh::Cell &cell, PolynomialPatch &patch)
    {
      std::swap(cell.vertices[1], cell.vertices[2]);
      const PolynomialPatch before = patch;
      const int             n      = patch.k + 1;
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
          patch.nodes[i + n * j] = before.nodes[j + n * i];
    }

    /// Numbers of physical lines by their sides.
    std::map<VertexPair, int>
    physical_lines(const GmshFile                         &file,
                   const std::map<unsigned, unsigned int> &vertex_of,
                   const std::string                      &path)
    {
      std::map<VertexPair, int> numbers;
      for (const GmshFile::Line &line : file.lines)
        {
          const auto a = vertex_of.find(line.ends[0]);
          const auto b = vertex_of.find(line.ends[1]);
          if (a == vertex_of.end() || b == vertex_of.end())
            continue; // not of the surface
          const auto [at, is_new] =
            numbers.emplace(sorted(a->second, b->second), line.number);
          if (!is_new && at->second != line.number)
            throw InputError("mesh '" + path +
                             "' has a piece of line in two "
                             "physical lines, " +
                             std::to_string(at->second) + " and " +
                             std::to_string(line.number));
        }
      return numbers;
    }

    /// Of the edges that there are: their numbers as text, and their names.
    std::map<std::string, int>
    edge_names(const SurfaceMesh &mesh,
               const GmshFile    &file,
               const std::string &path)
    {
      std::map<std::string, int> names;
      std::map<int, bool>        exists;
      for (const SurfaceMesh::Edge &edge : mesh.edges)
        {
          names[std::to_string(edge.id)] = edge.id;
          exists[edge.id]                = true;
        }
      for (const auto &[name, number] : file.names)
        if (exists[number] &&
            names.emplace(name, number).first->second != number)
          throw InputError("mesh '" + path + "' has a physical line " +
                           std::to_string(number) + " of the name '" + name +
                           "', which is the number of another one");
      return names;
    }
  } // namespace

  std::unique_ptr<RestSurface>
  make_surface(const MeshFile &request)
  {
    return make_surface(read_gmsh(request.path), request);
  }

  std::unique_ptr<RestSurface>
  make_surface(const GmshFile &file, const MeshFile &request)
  {
    if (!file.triangles.empty())
      {
        if (request.slit)
          throw InputError("triangles of a file are joined or not as it has "
                           "them; 'Slit' is for gmsh's quadrilaterals",
                           "Surface/Slit");
        return make_surface(triangles_of(file),
                            {request.path,
                             request.refinements,
                             request.flip_normals});
      }
    const int k = file.degree;

    SurfaceMesh mesh;
    mesh.refinements = request.refinements;
    std::vector<PolynomialPatch>     patches;
    std::map<unsigned, unsigned int> vertex_of; // corners, by their nodes
    for (const GmshFile::Cell &from : file.cells)
      {
        PolynomialPatch patch{k, {}};
        for (const unsigned int node : from.nodes)
          patch.nodes.push_back(file.nodes[node]);

        SurfaceMesh::Cell cell;
        cell.patch = static_cast<int>(patches.size());
        for (int c = 0; c < 4; ++c)
          {
            const unsigned int node =
              from.nodes[k * (c % 2) + (k + 1) * k * (c / 2)];
            const auto [at, is_new] =
              vertex_of.emplace(node,
                                static_cast<unsigned>(mesh.vertices.size()));
            if (is_new)
              mesh.vertices.push_back(file.nodes[node]);
            cell.vertices[c] = at->second;
            cell.corners[c]  = {{double(c % 2), double(c / 2)}};
          }
        mesh.cells.push_back(cell);
        patches.push_back(patch);
      }

    check_conformity(file, patches, request.slit, request.path);

    const Sides            sides = find_sides(mesh, request.path);
    const std::vector<int> sign  = orientations(mesh, sides, request.path);
    for (std::size_t c = 0; c < mesh.cells.size(); ++c)
      if ((sign[c] < 0) != request.flip_normals)
        turn(mesh.cells[c], patches[c]);

    const auto numbers = physical_lines(file, vertex_of, request.path);
    for (const auto &[ends, cells] : sides)
      if (cells.size() == 1)
        {
          const auto found = numbers.find(ends);
          mesh.edges.push_back(
            {ends, found == numbers.end() ? 0 : found->second});
        }
    return std::make_unique<FileSurface>(mesh,
                                         patches,
                                         edge_names(mesh, file, request.path));
  }
} // namespace slender

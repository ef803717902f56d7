// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/shells/gmsh_file.h>

#include <cmath>
#include <fstream>
#include <gmsh.h>
#include <unordered_map>

// The one place where a rest surface meets gmsh.
namespace slender
{
  namespace
  {
    /// gmsh's library has one global state, which lives as long as this. From
    /// then on OpenMP has one thread, as it should have with MPI.
    class Session
    {
    public:
      Session()
      {
        // Without the options of whoever runs the program.
        gmsh::initialize(0, nullptr, false);
        gmsh::option::setNumber("General.Terminal", 0);
      }
      ~Session()
      {
        gmsh::finalize();
      }
      Session(const Session &) = delete;
      Session &
      operator=(const Session &) = delete;
    };

    /// Of a type of elements, what gmsh knows of it.
    struct ElementType
    {
      int                 number, dimension, degree, n_nodes, n_corners;
      std::vector<double> places; ///< of the nodes, from -1 to 1

      explicit ElementType(const int a_number)
        : number(a_number)
      {
        std::string name;
        gmsh::model::mesh::getElementProperties(
          number, name, dimension, degree, n_nodes, places, n_corners);
      }
    };

    [[noreturn]] void
    refuse(const std::string &path, const std::string &why)
    {
      throw InputError("mesh '" + path + "' " + why);
    }

    [[noreturn]] void
    refuse_format(const std::string &path)
    {
      refuse(path,
             "cannot be read; a file of gmsh, format 2.2 or 4.1, with one "
             "surface of quadrilaterals is expected");
    }

    [[noreturn]] void
    refuse_mixture(const std::string &path)
    {
      refuse(path,
             "has cells of several kinds; all quadrilaterals must have the "
             "same degree and number of nodes");
    }

    void
    check_header(const std::string &path)
    {
      std::ifstream file(path);
      if (!file)
        refuse(path, "cannot be opened");
      // What is no mesh, gmsh would take for a script and execute.
      std::string first;
      std::getline(file, first);
      if (first.rfind("$MeshFormat", 0) != 0)
        refuse_format(path);
    }

    /// The type of all cells, or nothing.
    std::vector<ElementType>
    cell_type(const std::string &path)
    {
      std::vector<int> numbers;
      gmsh::model::mesh::getElementTypes(numbers);
      std::vector<ElementType> cells;
      for (const int number : numbers)
        {
          const ElementType type(number);
          if (type.dimension == 3)
            refuse(path,
                   "has cells with a volume; a shell is a surface of "
                   "quadrilaterals");
          if (type.dimension == 2 && type.n_corners != 4)
            refuse(path,
                   "has triangles; only quadrilaterals are allowed (in gmsh: "
                   "Recombine Surface)");
          if (type.dimension == 2)
            cells.push_back(type);
        }
      if (cells.size() > 1)
        refuse_mixture(path);
      return cells;
    }

    /**
     * Nodes inside a cell that has some on its sides only (in gmsh:
     * Mesh.SecondOrderIncomplete), by Coons' interpolation between the sides:
     *
     *   x(u,v) = (1-v) x(u,0) + v x(u,1) + (1-u) x(0,v) + u x(1,v)
     *            - bilinear interpolation of the corners,
     *
     * which is what such a cell means.
     */
    void
    fill_inside(std::vector<unsigned int> &cell,
                const int                  k,
                std::vector<Vector3>      &nodes)
    {
      const auto at = [&](const int i, const int j) -> Vector3 {
        return nodes[cell[i + (k + 1) * j]];
      };
      for (int j = 1; j < k; ++j)
        for (int i = 1; i < k; ++i)
          {
            const double  u = double(i) / k, v = double(j) / k;
            const Vector3 corners =
              (1. - v) * ((1. - u) * at(0, 0) + u * at(k, 0)) +
              v * ((1. - u) * at(0, k) + u * at(k, k));
            const Vector3 x = (1. - v) * at(i, 0) + v * at(i, k) +
                              (1. - u) * at(0, j) + u * at(k, j) - corners;
            cell[i + (k + 1) * j] = static_cast<unsigned int>(nodes.size());
            nodes.push_back(x);
          }
    }

    class Reader
    {
    public:
      explicit Reader(GmshFile &a_file)
        : file(a_file)
      {
        std::vector<std::size_t> numbers;
        std::vector<double>      coordinates, unused;
        gmsh::model::mesh::getNodes(numbers, coordinates, unused);
        for (std::size_t i = 0; i < numbers.size(); ++i)
          {
            node_of[numbers[i]] = static_cast<unsigned int>(i);
            file.nodes.emplace_back(Vector3::Map(&coordinates[3 * i]));
          }
      }

      void
      read_cells(const ElementType &type)
      {
        const int k = file.degree = type.degree;
        // Where gmsh's nodes stand in our order.
        std::vector<int> position;
        for (int a = 0; a < type.n_nodes; ++a)
          {
            const auto step = [&](const double place) {
              return static_cast<int>(std::lround(0.5 * (place + 1.) * k));
            };
            position.push_back(step(type.places[2 * a]) +
                               (k + 1) * step(type.places[2 * a + 1]));
          }
        std::vector<int>                      types;
        std::vector<std::vector<std::size_t>> numbers, nodes;
        gmsh::model::mesh::getElements(types, numbers, nodes, 2);
        for (std::size_t c = 0; c < numbers[0].size(); ++c)
          {
            GmshFile::Cell cell{numbers[0][c],
                                std::vector<unsigned int>((k + 1) * (k + 1))};
            for (int a = 0; a < type.n_nodes; ++a)
              cell.nodes[position[a]] =
                node_of.at(nodes[0][c * type.n_nodes + a]);
            if (type.n_nodes < (k + 1) * (k + 1))
              fill_inside(cell.nodes, k, file.nodes);
            file.cells.push_back(cell);
          }
      }

      void
      read_lines(const int physical)
      {
        std::string name;
        gmsh::model::getPhysicalName(1, physical, name);
        if (!name.empty())
          file.names[name] = physical;
        std::vector<int> entities;
        gmsh::model::getEntitiesForPhysicalGroup(1, physical, entities);
        for (const int entity : entities)
          {
            std::vector<int>                      types;
            std::vector<std::vector<std::size_t>> numbers, nodes;
            gmsh::model::mesh::getElements(types, numbers, nodes, 1, entity);
            for (std::size_t t = 0; t < types.size(); ++t)
              {
                // The ends come first, then what is between them.
                const std::size_t n = nodes[t].size() / numbers[t].size();
                for (std::size_t a = 0; a < nodes[t].size(); a += n)
                  file.lines.push_back(
                    {{{node_of.at(nodes[t][a]), node_of.at(nodes[t][a + 1])}},
                     physical});
              }
          }
      }

    private:
      GmshFile                                     &file;
      std::unordered_map<std::size_t, unsigned int> node_of;
    };
  } // namespace

  GmshFile
  read_gmsh(const std::string &path)
  {
    check_header(path);
    const Session session;
    GmshFile      file;
    try
      {
        gmsh::merge(path);
        Reader reader(file);
        for (const ElementType &type : cell_type(path))
          reader.read_cells(type);
        // Of a surface that has cells of several types, gmsh returns those of
        // one type only.
        double n_cells;
        gmsh::option::getNumber("Mesh.NbQuadrangles", n_cells);
        if (file.cells.size() != static_cast<std::size_t>(n_cells))
          refuse_mixture(path);
        gmsh::vectorpair groups;
        gmsh::model::getPhysicalGroups(groups, 1);
        for (const auto &[dimension, number] : groups)
          reader.read_lines(number);
      }
    catch (const InputError &)
      {
        throw;
      }
    catch (...) // gmsh throws strings, and more
      {
        refuse_format(path);
      }
    if (file.cells.empty())
      refuse(path, "has no cells");
    return file;
  }
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/shells/gmsh_collector.h>

#include <algorithm>

namespace slender
{
  namespace
  {
    using Shape = GmshElement::Shape;

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

  } // namespace

  GmshCollector::GmshCollector(const GmshCursor &the_cursor, std::string a_path)
    : cursor(the_cursor)
    , path(std::move(a_path))
  {}

  void
  GmshCollector::refuse(const std::string &why) const
  {
    throw InputError("mesh '" + path + "' " + why);
  }

  void
  GmshCollector::reserve_nodes(const std::size_t n)
  {
    file.nodes.reserve(n);
    file.node_numbers.reserve(n);
    places.reserve(n);
  }

  void
  GmshCollector::add_node_number(const std::uint64_t number)
  {
    file.node_numbers.push_back(number);
  }

  void
  GmshCollector::add_node_position(const Vector3 &x)
  {
    file.nodes.push_back(x);
  }

  void
  GmshCollector::finish_nodes()
  {
    for (const std::uint64_t number : file.node_numbers)
      places.emplace_back(number, static_cast<unsigned int>(places.size()));
    std::sort(places.begin(), places.end());
    for (std::size_t i = 1; i < places.size(); ++i)
      if (places[i].first == places[i - 1].first)
        refuse("has two nodes " + std::to_string(places[i].first) +
               " in its section $Nodes");
  }

  unsigned int
  GmshCollector::node(const std::uint64_t number) const
  {
    const auto at = std::lower_bound(places.begin(),
                                     places.end(),
                                     std::make_pair(number, 0U));
    if (at == places.end() || at->first != number)
      cursor.refuse("there is no node " + std::to_string(number));
    return at->second;
  }

  GmshElement
  GmshCollector::kind(const int number)
  {
    const auto found = gmsh_element(number);
    if (!found)
      cursor.refuse("elements of type " + std::to_string(number) +
                    " are not known; a surface of quadrilaterals is expected");
    if (found->shape == Shape::solid)
      refuse("has cells with a volume; a shell is a surface of "
             "quadrilaterals");
    if (found->shape == Shape::triangle && found->degree != 1)
      refuse("has curved triangles; triangles are straight (in gmsh: "
             "Mesh.ElementOrder = 1;), quadrilaterals may be curved");
    if (found->shape == Shape::quadrilateral)
      {
        if (!kind_of_cells)
          {
            kind_of_cells  = found;
            file.degree    = found->degree;
            order_of_cells = gmsh_order(*found);
          }
        if (found->degree != kind_of_cells->degree ||
            found->n_nodes != kind_of_cells->n_nodes)
          refuse("has cells of several kinds; all quadrilaterals must have the "
                 "same degree and number of nodes");
      }
    return *found;
  }

  void
  GmshCollector::add_element(const GmshElement               &kind,
                             const std::uint64_t              number,
                             const std::vector<int>          &groups,
                             const std::vector<unsigned int> &nodes)
  {
    element_numbers.push_back(number);
    std::vector<unsigned int> sorted = nodes;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
      cursor.refuse("element " + std::to_string(number) +
                    " has the same node twice");
    if (kind.shape == Shape::line)
      for (const int group : groups)
        if (group != 0)
          // The ends come first, then what is between them.
          file.lines.push_back({{{nodes[0], nodes[1]}}, group});
    if (kind.shape == Shape::triangle)
      file.triangles.push_back({{nodes[0], nodes[1], nodes[2]}});
    if (kind.shape == Shape::quadrilateral)
      {
        GmshFile::Cell cell;
        cell.number = number;
        cell.nodes.resize((kind.degree + 1) * (kind.degree + 1));
        for (int a = 0; a < kind.n_nodes; ++a)
          cell.nodes[order_of_cells[a]] = nodes[a];
        file.cells.push_back(std::move(cell));
      }
  }

  void
  GmshCollector::add_name(const std::string &name, const int physical_line)
  {
    if (file.names.emplace(name, physical_line).first->second != physical_line)
      cursor.refuse("there are two physical lines '" + name + "'");
  }

  GmshFile
  GmshCollector::finish()
  {
    if (!file.cells.empty() && !file.triangles.empty())
      refuse("has triangles and quadrilaterals; all of one kind are allowed "
             "(in gmsh: Recombine Surface{:}; or Mesh.RecombineAll = 1;, and "
             "Mesh.SubdivisionAlgorithm = 1;)");
    if (file.cells.empty() && file.triangles.empty())
      refuse("has no cells; gmsh saves what is in physical groups if there are "
             "any, hence in gmsh: Physical Surface(1) = {1}; with the surfaces "
             "of the shell, or Mesh.SaveAll = 1;");
    std::sort(element_numbers.begin(), element_numbers.end());
    const auto twice =
      std::adjacent_find(element_numbers.begin(), element_numbers.end());
    if (twice != element_numbers.end())
      refuse("has two elements " + std::to_string(*twice) +
             " in its section $Elements");
    if (kind_of_cells && kind_of_cells->incomplete())
      for (GmshFile::Cell &cell : file.cells)
        fill_inside(cell.nodes, file.degree, file.nodes);
    return std::move(file);
  }
} // namespace slender

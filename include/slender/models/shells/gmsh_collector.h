// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_shells_gmsh_collector_h
#define slender_models_shells_gmsh_collector_h

#include <slender/models/shells/gmsh_cursor.h>
#include <slender/models/shells/gmsh_elements.h>
#include <slender/models/shells/gmsh_file.h>

#include <optional>
#include <utility>

namespace slender
{
  /**
   * Makes a GmshFile of the nodes and elements that are read from one, and
   * refuses what contradicts itself or what no shell has. In whatever format
   * they are written, they arrive here.
   */
  class GmshCollector
  {
  public:
    /// The cursor knows where in the file we are; the path is for errors.
    GmshCollector(const GmshCursor &cursor, std::string path);

    void
    reserve_nodes(std::size_t n);

    void
    add_node_number(std::uint64_t number);
    void
    add_node_position(const Vector3 &x);

    std::size_t
    n_nodes() const
    {
      return file.nodes.size();
    }

    /// All nodes are there; from now on they can be found.
    void
    finish_nodes();

    /// The place of a node.
    unsigned int
    node(std::uint64_t number) const;

    /// What is known of a kind of elements, which must be one of a shell.
    GmshElement
    kind(int number);

    /// An element by its nodes in gmsh's order, and the physical groups that it
    /// belongs to; 0 is none.
    void
    add_element(const GmshElement               &kind,
                std::uint64_t                    number,
                const std::vector<int>          &groups,
                const std::vector<unsigned int> &nodes);

    void
    add_name(const std::string &name, int physical_line);

    /// The file as a whole; the collector is empty then.
    GmshFile
    finish();

  private:
    const GmshCursor &cursor;
    const std::string path;
    GmshFile          file;
    /// Numbers of nodes in ascending order, with their places.
    std::vector<std::pair<std::uint64_t, unsigned int>> places;
    std::optional<GmshElement>                          kind_of_cells;
    std::vector<int>                                    order_of_cells;
    std::vector<std::uint64_t>                          element_numbers;

    [[noreturn]] void
    refuse(const std::string &why) const;
  };
} // namespace slender

#endif

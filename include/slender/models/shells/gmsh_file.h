// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_shells_gmsh_file_h
#define slender_models_shells_gmsh_file_h

#include <slender/base/types.h>

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace slender
{
  /**
   * What a file of gmsh says about a surface of quadrilaterals, curved or not,
   * or of straight triangles, in plain arrays. Nothing is known yet of
   * neighbours and orientations.
   */
  struct GmshFile
  {
    struct Cell
    {
      std::uint64_t number; ///< gmsh's own
      /// (degree + 1)^2 nodes in the order of the cell's unit coordinates, the
      /// first one fastest. Nodes stand at equal distances there.
      std::vector<unsigned int> nodes;
    };

    /// A piece of a physical line.
    struct Line
    {
      std::array<unsigned int, 2> ends;
      int                         number; ///< of the physical line
    };

    int                  degree = 1; ///< of all cells
    std::vector<Vector3> nodes;
    /// gmsh's own numbers of the nodes, in the same order. Nodes inside cells
    /// that have none there in the file come last and are not numbered.
    std::vector<std::uint64_t> node_numbers;
    std::vector<Cell>          cells;
    /// Nodes of triangles; then there are no cells.
    std::vector<std::array<unsigned int, 3>> triangles;
    std::vector<Line>                        lines;
    /// Names of physical lines, with their numbers.
    std::map<std::string, int> names;
  };

  /**
   * Reads a file of gmsh, format 2.2 or 4.1, text or binary. Every rank may
   * call it: the file is only read. Throws InputError of one line if it is not
   * such a file, whatever it is instead, or if it has other cells than
   * quadrilaterals of one degree, or than straight triangles. All that is
   * returned is consistent: nodes that exist, finite coordinates. Whether the
   * cells make a surface is not looked at, see check_conformity().
   */
  GmshFile
  read_gmsh(const std::string &path);

  /// The same for the content of a file; the path is for errors.
  GmshFile
  parse_gmsh(std::string_view content, const std::string &path);
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_shells_gmsh_file_h
#define slender_models_shells_gmsh_file_h

#include <slender/base/types.h>

#include <array>
#include <map>
#include <string>
#include <vector>

namespace slender
{
  /**
   * What a file of gmsh says about a surface of quadrilaterals, curved or not,
   * in plain arrays. Nothing is known yet of neighbours and orientations.
   */
  struct GmshFile
  {
    struct Cell
    {
      std::size_t number; ///< gmsh's own
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
    std::vector<Cell>    cells;
    std::vector<Line>    lines;
    /// Names of physical lines, with their numbers.
    std::map<std::string, int> names;
  };

  /**
   * Reads a file with gmsh's library. Every rank may call it: the file is only
   * read. Throws InputError if it is no such file, or if it has other cells
   * than quadrilaterals, or quadrilaterals of several degrees.
   */
  GmshFile
  read_gmsh(const std::string &path);
} // namespace slender

#endif

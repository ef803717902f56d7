// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_base_drawing_h
#define slender_base_drawing_h

#include <slender/base/types.h>

#include <string>
#include <utility>
#include <vector>

namespace slender
{
  /**
   * What a body looks like, in terms that any writer understands: points,
   * cells over them, and named values at the points or on the cells.
   */
  struct Drawing
  {
    /// VTK's numbers of the cell shapes that bodies are drawn with.
    enum class Shape : unsigned char
    {
      poly_line     = 4,
      triangle      = 5,
      quad          = 9,
      lagrange_quad = 70
    };

    struct Cell
    {
      Shape              shape;
      std::vector<Index> points;
    };

    /// One column per point (or per cell) and one row per component: 1 for a
    /// scalar, 3 for a vector.
    struct Field
    {
      std::string     name;
      Eigen::MatrixXd values;
    };

    std::vector<Vector3> points;
    std::vector<Cell>    cells;
    std::vector<Field>   point_fields;
    std::vector<Field>   cell_fields;

    /// Values of the whole picture, such as load and energy.
    std::vector<std::pair<std::string, double>> globals;
  };
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_shells_gmsh_elements_h
#define slender_models_shells_gmsh_elements_h

#include <optional>
#include <vector>

namespace slender
{
  /// A kind of elements, as gmsh's manual numbers them ("MSH file format").
  struct GmshElement
  {
    enum class Shape
    {
      point,
      line,
      triangle,
      quadrilateral,
      solid ///< with a volume
    };
    Shape shape;

    /// The next two are known of points, lines, quadrilaterals and triangles
    /// with straight sides.
    int degree;
    int n_nodes;

    int
    dimension() const;

    /// Whether a quadrilateral has nodes on its sides only.
    bool
    incomplete() const
    {
      return n_nodes < (degree + 1) * (degree + 1);
    }
  };

  /// Nothing for numbers that gmsh does not give, or gives to polygons and the
  /// like.
  std::optional<GmshElement>
  gmsh_element(int number);

  /**
   * Where gmsh's nodes of a quadrilateral stand in the order in which the first
   * unit coordinate is fastest. gmsh has the corners first, then the nodes on
   * the sides, both counterclockwise, and then those inside, which are in turn
   * a quadrilateral with corners, sides and an inside.
   */
  std::vector<int>
  gmsh_order(const GmshElement &quadrilateral);
} // namespace slender

#endif

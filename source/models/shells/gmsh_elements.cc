// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/shells/gmsh_elements.h>

#include <algorithm>
#include <iterator>

namespace slender
{
  namespace
  {
    using Shape = GmshElement::Shape;

    /// Numbers of elements of degree 1 to 10.
    constexpr int lines[]    = {1, 8, 26, 27, 28, 62, 63, 64, 65, 66};
    constexpr int complete[] = {3, 10, 36, 37, 38, 47, 48, 49, 50, 51};
    /// Quadrilaterals with nodes on their sides only, from degree 2 on.
    constexpr int incomplete[] = {16, 39, 40, 41, 57, 58, 59, 60, 61};
    constexpr int triangles[] =
      {2, 9, 20, 21, 22, 23, 24, 25, 42, 43, 44, 45, 46, 52, 53, 54, 55, 56};
    /// From the first to the last of each pair: tetrahedra, hexahedra, prisms
    /// and pyramids.
    constexpr int solids[][2] =
      {{4, 7}, {11, 14}, {17, 19}, {29, 33}, {71, 83}, {87, 132}, {137, 137}};

    /// The place of a number in a list, from 1 on; 0 if it is not there.
    template <typename List>
    int
    place(const List &list, const int number)
    {
      const auto at = std::find(std::begin(list), std::end(list), number);
      return at == std::end(list) ? 0
                                  : static_cast<int>(at - std::begin(list)) + 1;
    }
  } // namespace

  int
  GmshElement::dimension() const
  {
    switch (shape)
      {
        case Shape::point:
          return 0;
        case Shape::line:
          return 1;
        case Shape::triangle:
        case Shape::quadrilateral:
          return 2;
        case Shape::solid:
          break;
      }
    return 3;
  }

  std::optional<GmshElement>
  gmsh_element(const int number)
  {
    if (number == 15)
      return GmshElement{Shape::point, 0, 1};
    if (const int k = place(lines, number); k > 0)
      return GmshElement{Shape::line, k, k + 1};
    if (const int k = place(complete, number); k > 0)
      return GmshElement{Shape::quadrilateral, k, (k + 1) * (k + 1)};
    if (const int k = 1 + place(incomplete, number); k > 1)
      return GmshElement{Shape::quadrilateral, k, 4 * k};
    if (number == 2)
      return GmshElement{Shape::triangle, 1, 3};
    if (place(triangles, number) > 0)
      return GmshElement{Shape::triangle, 0, 0};
    for (const auto &range : solids)
      if (range[0] <= number && number <= range[1])
        return GmshElement{Shape::solid, 0, 0};
    return {};
  }

  std::vector<int>
  gmsh_order(const GmshElement &quadrilateral)
  {
    const int        k = quadrilateral.degree;
    std::vector<int> order;
    const auto       add = [&](const int i, const int j) {
      order.push_back(i + (k + 1) * j);
    };
    const int n_rings = quadrilateral.incomplete() ? 1 : k / 2 + 1;
    for (int ring = 0; ring < n_rings; ++ring)
      {
        // A square from a to b in both directions.
        const int a = ring, b = k - ring;
        if (a == b)
          {
            add(a, a);
            break;
          }
        add(a, a);
        add(b, a);
        add(b, b);
        add(a, b);
        for (int i = a + 1; i < b; ++i)
          add(i, a);
        for (int j = a + 1; j < b; ++j)
          add(b, j);
        for (int i = b - 1; i > a; --i)
          add(i, b);
        for (int j = b - 1; j > a; --j)
          add(a, j);
      }
    return order;
  }
} // namespace slender

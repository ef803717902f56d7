// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/node_points.h>
#include <slender/models/triangles/triangle_shell.h>

#include <algorithm>
#include <string>

namespace slender
{
  std::unique_ptr<TouchingPoints>
  TriangleShell::touching_points() const
  {
    auto        points  = std::make_unique<NodePoints>(*this, length_unit);
    const Index n_owned = layout().n_owned();
    for (std::size_t v = 0; v < vertices.size(); ++v)
      {
        const auto &positions = vertices[v].positions;
        if (std::any_of(positions.begin(), positions.end(), [&](const Index i) {
              return i < n_owned;
            }))
          points->add(positions,
                      length_unit * rest_positions.col(static_cast<Index>(v)),
                      "vertex " + std::to_string(vertices[v].number + 1));
      }
    return points;
  }
} // namespace slender

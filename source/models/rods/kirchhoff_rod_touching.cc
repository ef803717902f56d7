// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/node_points.h>
#include <slender/models/rods/kirchhoff_rod.h>

#include <sstream>

namespace slender
{
  std::unique_ptr<TouchingPoints>
  KirchhoffRod::touching_points() const
  {
    // A penalty keeps the lengths of elements.
    auto points = std::make_unique<NodePoints>(*this, body.length, false);
    for (const Node &node : nodes)
      if (node.is_owned)
        {
          std::ostringstream name;
          name << "s = " << node.s * body.length;
          points->add(
            {{node.positions[4], node.positions[5], node.positions[6]}},
            Vector3::Zero(),
            name.str());
        }
    return points;
  }
} // namespace slender

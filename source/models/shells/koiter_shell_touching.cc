// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/node_points.h>
#include <slender/models/shells/koiter_shell.h>

#include <sstream>

namespace slender
{
  std::unique_ptr<TouchingPoints>
  KoiterShell::touching_points() const
  {
    auto points = std::make_unique<NodePoints>(*this, length_unit);
    for (std::size_t i = 0; i < the_mesh.nodes.size(); ++i)
      if (the_mesh.nodes[i].is_owned)
        {
          const Vector3      X = length_unit * rest.col(static_cast<Index>(i));
          std::ostringstream name;
          name << "the node that is at (" << X(0) << ", " << X(1) << ", "
               << X(2) << ") at rest";
          points->add(the_mesh.nodes[i].positions, X, name.str());
        }
    return points;
  }
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/node_points.h>
#include <slender/models/rods/discrete_elastic_rod.h>

#include <string>

namespace slender
{
  std::unique_ptr<TouchingPoints>
  DiscreteElasticRod::touching_points() const
  {
    auto points = std::make_unique<NodePoints>(*this, body.length);
    for (Index i = begin; i < end; ++i)
      points->add(
        {{positions[4 * i], positions[4 * i + 1], positions[4 * i + 2]}},
        Vector3::Zero(),
        "node " + std::to_string(i));
    return points;
  }
} // namespace slender

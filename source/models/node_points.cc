// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/node_points.h>

#include <algorithm>

namespace slender
{
  NodePoints::NodePoints(const System &the_system,
                         const double  length_unit,
                         const bool    gives_way_by_diagonal)
    : system(the_system)
    , unit(length_unit)
    , by_diagonal(gives_way_by_diagonal)
  {}

  void
  NodePoints::add(const std::array<Index, 3> &positions,
                  const Vector3              &offset,
                  const std::string          &name)
  {
    const Index n = system.layout().n_local();
    if (std::any_of(positions.begin(),
                    positions.end(),
                    [n](const Index position) { return position < n; }))
      nodes.push_back({positions, offset, name});
  }

  Eigen::Matrix3Xd
  NodePoints::places(const Vector &q) const
  {
    const Vector     full = system.full_state(q);
    Eigen::Matrix3Xd x(3, size());
    for (Index i = 0; i < size(); ++i)
      for (int c = 0; c < 3; ++c)
        x(c, i) = nodes[i].offset(c) + unit * full(nodes[i].positions[c]);
    return x;
  }

  std::vector<TouchingPoints::Rates>
  NodePoints::rates(const Vector & /*q*/,
                    const std::vector<Index> &points) const
  {
    const Index        n = system.layout().n_local();
    std::vector<Rates> result(points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
      {
        for (const Index position : nodes[points[i]].positions)
          result[i].unknowns.push_back(position < n ? position : -1);
        result[i].rates = unit * Eigen::Matrix3d::Identity();
      }
    return result;
  }
} // namespace slender

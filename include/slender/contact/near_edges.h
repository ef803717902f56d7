// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_contact_near_edges_h
#define slender_contact_near_edges_h

#include <slender/base/types.h>

#include <functional>
#include <utility>
#include <vector>

namespace slender::contact
{
  /// An edge of a rod by the numbers of its two nodes.
  struct Edge
  {
    Index  first = 0, second = 0;
    Index  chain = 0;
    double begin = 0., end = 0.; ///< along the rod at rest
    double radius = 0.;
  };

  using EdgePair = std::pair<Index, Index>;

  /**
   * All pairs of edges, the smaller number first and in ascending order, whose
   * surfaces are nearer than a margin, and for which `may_touch` says yes.
   * A uniform grid of boxes keeps edges that are far from each other from being
   * compared, so that time grows with the number of edges and not with its
   * square.
   *
   * @param x places of the nodes, in columns
   */
  std::vector<EdgePair>
  near_edges(const std::vector<Edge>                               &edges,
             const Eigen::Matrix3Xd                                &x,
             double                                                 margin,
             const std::function<bool(const Edge &, const Edge &)> &may_touch);
} // namespace slender::contact

#endif

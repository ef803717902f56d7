// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/contact/near_edges.h>
#include <slender/contact/segment_distance.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace slender::contact
{
  namespace
  {
    /// Three numbers in one, of 21 bits each.
    using Box = std::int64_t;

    constexpr Box
    box_of(const Box i, const Box j, const Box k)
    {
      return (i * (Box(1) << 21) + j) * (Box(1) << 21) + k;
    }

    /// With room for neighbours on either side.
    constexpr double most_boxes = (1 << 21) - 4;

    struct Entry
    {
      Box   box;
      Index edge;
    };

    bool
    operator<(const Entry &a, const Entry &b)
    {
      return a.box != b.box ? a.box < b.box : a.edge < b.edge;
    }
  } // namespace

  std::vector<EdgePair>
  near_edges(const std::vector<Edge>                               &edges,
             const Eigen::Matrix3Xd                                &x,
             const double                                           margin,
             const std::function<bool(const Edge &, const Edge &)> &may_touch)
  {
    std::vector<EdgePair> result;
    if (edges.empty() || !x.allFinite())
      return result;
    // Midpoints of edges that are near each other are in neighbouring boxes.
    double longest = 0., thickest = 0.;
    for (const Edge &edge : edges)
      {
        longest =
          std::max(longest, (x.col(edge.second) - x.col(edge.first)).norm());
        thickest = std::max(thickest, edge.radius);
      }
    const Vector3 corner = x.rowwise().minCoeff();
    const double  width  = (x.rowwise().maxCoeff() - corner).maxCoeff();
    const double  size =
      std::max(longest + 2. * thickest + margin, width / most_boxes);

    std::vector<Entry> entries;
    entries.reserve(edges.size());
    for (std::size_t i = 0; i < edges.size(); ++i)
      {
        const Vector3 middle =
          0.5 * (x.col(edges[i].first) + x.col(edges[i].second));
        // Not negative, so that this is a floor.
        const auto number = [&](const int c) {
          return static_cast<Box>((middle(c) - corner(c)) / size) + 1;
        };
        entries.push_back(
          {box_of(number(0), number(1), number(2)), static_cast<Index>(i)});
      }
    std::sort(entries.begin(), entries.end());

    const auto compare = [&](const Index a, const Index b) {
      const EdgePair pair  = std::minmax(a, b);
      const Edge    &first = edges[pair.first], &second = edges[pair.second];
      const Vector3  m_1 = x.col(first.first) + x.col(first.second),
                    m_2  = x.col(second.first) + x.col(second.second);
      // Midpoints that are so far apart need no closer look.
      if ((m_1 - m_2).squaredNorm() > 4. * size * size ||
          !may_touch(first, second))
        return;
      FourPoints four;
      four << x.col(first.first), x.col(first.second), x.col(second.first),
        x.col(second.second);
      if (distance(four) < first.radius + second.radius + margin)
        result.push_back(pair);
    };
    // Each box with itself and with half of its neighbours, three boxes of a
    // column at once.
    for (std::size_t begin = 0, end; begin < entries.size(); begin = end)
      {
        const Box box = entries[begin].box;
        end           = begin;
        while (end < entries.size() && entries[end].box == box)
          ++end;
        for (std::size_t i = begin; i < end; ++i)
          for (std::size_t j = i + 1; j < end; ++j)
            compare(entries[i].edge, entries[j].edge);
        for (const auto &[dx, dy, first_dz] : {std::array<Box, 3>{0, 0, 1},
                                               {0, 1, -1},
                                               {1, -1, -1},
                                               {1, 0, -1},
                                               {1, 1, -1}})
          {
            const Entry from{box + box_of(dx, dy, first_dz), -1};
            const Entry to{box + box_of(dx, dy, 2), -1};
            const auto  last =
              std::lower_bound(entries.begin(), entries.end(), to);
            for (auto other =
                   std::lower_bound(entries.begin(), entries.end(), from);
                 other != last;
                 ++other)
              for (std::size_t i = begin; i < end; ++i)
                compare(entries[i].edge, other->edge);
          }
      }
    std::sort(result.begin(), result.end());
    return result;
  }
} // namespace slender::contact

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/shells/point_grid.h>

#include <algorithm>

namespace slender
{
  namespace
  {
    /// Cubes along an axis; three numbers of them fit into 64 bits.
    constexpr int    bits   = 20;
    constexpr double n_most = 1 << bits;

    std::uint64_t
    key(const std::uint64_t x, const std::uint64_t y, const std::uint64_t z)
    {
      return (z << (2 * bits)) | (y << bits) | x;
    }
  } // namespace

  PointGrid::PointGrid(const std::vector<Vector3> &all_points,
                       const double                a_spacing)
    : points(all_points)
    , origin(all_points.at(0))
  {
    Vector3 high = origin;
    for (const Vector3 &x : points)
      {
        origin = origin.cwiseMin(x);
        high   = high.cwiseMax(x);
      }
    spacing =
      std::max({a_spacing, (high - origin).maxCoeff() / n_most, 1e-300});
    sorted.reserve(points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
      sorted.emplace_back(key(cube(points[i](0), origin(0)),
                              cube(points[i](1), origin(1)),
                              cube(points[i](2), origin(2))),
                          i);
    std::sort(sorted.begin(), sorted.end());
  }

  std::uint64_t
  PointGrid::cube(const double x, const double start) const
  {
    return static_cast<std::uint64_t>(
      std::clamp((x - start) / spacing, 0., n_most - 1.));
  }

  void
  PointGrid::visit(const Vector3                          &low,
                   const Vector3                          &high,
                   const std::function<void(std::size_t)> &function) const
  {
    const auto look_at = [&](const std::size_t i) {
      if ((points[i].array() >= low.array()).all() &&
          (points[i].array() <= high.array()).all())
        function(i);
    };
    std::uint64_t from[3], to[3];
    for (int c = 0; c < 3; ++c)
      {
        from[c] = cube(low(c), origin(c));
        to[c]   = cube(high(c), origin(c));
      }
    // A row of cubes along x is contiguous. Where there are more rows than
    // points, all points are looked at instead.
    if ((to[1] - from[1] + 1) * (to[2] - from[2] + 1) > points.size())
      for (std::size_t i = 0; i < points.size(); ++i)
        look_at(i);
    else
      for (std::uint64_t z = from[2]; z <= to[2]; ++z)
        for (std::uint64_t y = from[1]; y <= to[1]; ++y)
          {
            const std::uint64_t last = key(to[0], y, z);
            for (auto at = std::lower_bound(sorted.begin(),
                                            sorted.end(),
                                            std::make_pair(key(from[0], y, z),
                                                           std::size_t(0)));
                 at != sorted.end() && at->first <= last;
                 ++at)
              look_at(at->second);
          }
  }
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_shells_point_grid_h
#define slender_models_shells_point_grid_h

#include <slender/base/types.h>

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace slender
{
  /// Finds the points within a box whose sides are along the axes. The points
  /// are sorted into cubes; the memory that is needed depends on their number
  /// alone.
  class PointGrid
  {
  public:
    /// @param points at least one; they must outlive the grid
    /// @param spacing of the cubes, about the size of the boxes to come
    PointGrid(const std::vector<Vector3> &points, double spacing);

    /// Calls a function with the places of the points from `low` to `high`.
    void
    visit(const Vector3                          &low,
          const Vector3                          &high,
          const std::function<void(std::size_t)> &function) const;

  private:
    const std::vector<Vector3> &points;
    Vector3                     origin;
    double                      spacing;
    /// Cubes in ascending order, with the points in them.
    std::vector<std::pair<std::uint64_t, std::size_t>> sorted;

    std::uint64_t
    cube(double x, double start) const;
  };
} // namespace slender

#endif

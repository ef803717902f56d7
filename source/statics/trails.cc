// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/trails.h>

#include <algorithm>
#include <cmath>

namespace slender
{
  namespace
  {
    using Point = std::vector<double>;

    /// How far a curve may be from the chord between two of its points, over
    /// the length of the chord: steps deviate by a tenth from their tangent,
    /// which is a fortieth in the middle.
    constexpr double largest_sag = 0.04;

    /// So many points in a row are no coincidence.
    constexpr std::size_t n_alike = 4;

    double
    dot(const Point &a, const Point &b)
    {
      double sum = 0.;
      for (std::size_t i = 0; i < a.size(); ++i)
        sum += a[i] * b[i];
      return sum;
    }

    Point
    difference(const Point &a, const Point &b)
    {
      Point result(a.size());
      for (std::size_t i = 0; i < a.size(); ++i)
        result[i] = a[i] - b[i];
      return result;
    }

    bool
    is_on_chord(const Point &x, const Point &from, const Point &to)
    {
      const Point  chord = difference(to, from), way = difference(x, from);
      const double square = dot(chord, chord);
      if (square == 0.)
        return false;
      const double t = dot(chord, way) / square;
      return t >= 0. && t <= 1. &&
             dot(way, way) - t * t * square <=
               largest_sag * largest_sag * square;
    }
  } // namespace

  void
  Trails::begin_branch()
  {
    branches.emplace_back();
  }

  void
  Trails::add(std::vector<double> point)
  {
    if (branches.empty())
      begin_branch();
    branches.back().push_back(std::move(point));
  }

  std::optional<int>
  Trails::retraced() const
  {
    if (branches.empty() || branches.back().size() < n_alike + 2)
      return {};
    const auto &present = branches.back();
    for (std::size_t b = 0; b < branches.size(); ++b)
      {
        const auto &earlier = branches[b];
        // Of itself all but what lies just behind.
        const std::size_t n     = &earlier == &present
                                    ? present.size() - (n_alike + 2)
                                    : earlier.size();
        const auto        is_on = [&](const Point &x) {
          for (std::size_t i = 0; i + 1 < n; ++i)
            if (is_on_chord(x, earlier[i], earlier[i + 1]))
              return true;
          return false;
        };
        if (std::all_of(present.end() - n_alike, present.end(), is_on))
          return static_cast<int>(b) + 1;
      }
    return {};
  }

  std::vector<double>
  Trails::numbers() const
  {
    // For each branch the number of its points and of their numbers, then
    // these.
    std::vector<double> result;
    for (const auto &branch : branches)
      {
        result.push_back(static_cast<double>(branch.size()));
        result.push_back(
          branch.empty() ? 0. : static_cast<double>(branch.front().size()));
        for (const Point &point : branch)
          result.insert(result.end(), point.begin(), point.end());
      }
    return result;
  }

  void
  Trails::set_numbers(const std::vector<double> &numbers)
  {
    branches.clear();
    for (auto at = numbers.begin(); at != numbers.end();)
      {
        const auto n_points  = static_cast<std::size_t>(*at++);
        const auto n_numbers = static_cast<std::ptrdiff_t>(*at++);
        begin_branch();
        for (std::size_t i = 0; i < n_points; ++i, at += n_numbers)
          add({at, at + n_numbers});
      }
  }
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/validation/phase_map.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace slender
{
  std::vector<double>
  logspace(const double first, const double last, const std::size_t n)
  {
    std::vector<double> values(n, first);
    for (std::size_t i = 1; i < n; ++i)
      values[i] =
        i + 1 < n ? first * std::pow(last / first, double(i) / (n - 1)) : last;
    return values;
  }

  PhaseMap::PhaseMap(std::vector<double> the_xs, std::vector<double> the_ys)
    : xs(std::move(the_xs))
    , ys(std::move(the_ys))
    , states(xs.size() * ys.size(), false)
  {}

  void
  PhaseMap::set_inside(const std::size_t column,
                       const std::size_t row,
                       const bool        inside)
  {
    states[row * xs.size() + column] = inside;
  }

  bool
  PhaseMap::inside(const std::size_t column, const std::size_t row) const
  {
    return states[row * xs.size() + column];
  }

  std::size_t
  PhaseMap::across_row(const std::size_t column, const std::size_t row) const
  {
    return row * xs.size() + column;
  }

  std::size_t
  PhaseMap::across_column(const std::size_t column, const std::size_t row) const
  {
    return states.size() + row * xs.size() + column;
  }

  Eigen::Vector2d
  PhaseMap::place(const std::size_t number) const
  {
    const std::size_t point  = number % states.size();
    const std::size_t column = point % xs.size(), row = point / xs.size();
    if (number < states.size())
      return {std::sqrt(xs[column] * xs[column + 1]), ys[row]};
    return {xs[column], std::sqrt(ys[row] * ys[row + 1])};
  }

  std::vector<PlaneCurve>
  PhaseMap::frontier() const
  {
    // Which places are joined by a straight piece across a cell of the grid.
    std::vector<std::vector<std::size_t>> joined(2 * states.size());
    std::vector<bool>                     exists(2 * states.size(), false);
    const auto join = [&](const std::size_t a, const std::size_t b) {
      joined[a].push_back(b);
      joined[b].push_back(a);
    };

    for (std::size_t j = 0; j < ys.size(); ++j)
      for (std::size_t i = 0; i < xs.size(); ++i)
        {
          const bool has_right = i + 1 < xs.size(), has_top = j + 1 < ys.size();
          if (has_right && inside(i, j) != inside(i + 1, j))
            exists[across_row(i, j)] = true;
          if (has_top && inside(i, j) != inside(i, j + 1))
            exists[across_column(i, j)] = true;
          if (!has_right || !has_top)
            continue;
          // The four sides of a cell, in order.
          const std::size_t        sides[4]   = {across_row(i, j),
                                                 across_column(i + 1, j),
                                                 across_row(i, j + 1),
                                                 across_column(i, j)};
          const bool               corners[4] = {inside(i, j),
                                                 inside(i + 1, j),
                                                 inside(i + 1, j + 1),
                                                 inside(i, j + 1)};
          std::vector<std::size_t> crossed;
          for (int k = 0; k < 4; ++k)
            if (corners[k] != corners[(k + 1) % 4])
              crossed.push_back(sides[k]);
          if (crossed.size() == 2)
            join(crossed[0], crossed[1]);
          else if (crossed.size() == 4)
            // Around each of the two corners that are inside.
            for (int k = 0; k < 4; ++k)
              if (corners[k])
                join(sides[k], sides[(k + 3) % 4]);
        }

    // From the ends first, then what is closed.
    std::vector<PlaneCurve> pieces;
    std::vector<bool>       is_used(exists.size(), false);
    for (const bool from_ends : {true, false})
      for (std::size_t start = 0; start < exists.size(); ++start)
        {
          if (!exists[start] || is_used[start] ||
              (from_ends && joined[start].size() > 1))
            continue;
          PlaneCurve  piece;
          std::size_t present = start;
          bool        goes_on = true;
          while (goes_on)
            {
              is_used[present] = true;
              piece.push_back(place(present));
              goes_on = false;
              for (const std::size_t next : joined[present])
                if (!is_used[next])
                  {
                    present = next;
                    goes_on = true;
                    break;
                  }
            }
          if (!from_ends)
            piece.push_back(place(start));
          pieces.push_back(piece);
        }
    return pieces;
  }

  PhaseRegion::PhaseRegion(PlaneCurve the_frontier)
    : frontier(std::move(the_frontier))
  {}

  std::vector<double>
  PhaseRegion::crossings(const double y) const
  {
    std::vector<double> result;
    for (std::size_t i = 1; i < frontier.size(); ++i)
      {
        const Eigen::Vector2d &a = frontier[i - 1], &b = frontier[i];
        // Half open, so that a line through a vertex crosses once.
        if ((a.y() < y) != (b.y() < y))
          result.push_back(a.x() +
                           (y - a.y()) / (b.y() - a.y()) * (b.x() - a.x()));
      }
    return result;
  }

  bool
  PhaseRegion::contains(const double x, const double y) const
  {
    const std::vector<double> at = crossings(y);
    return std::count_if(at.begin(),
                         at.end(),
                         [x](const double crossing) { return crossing < x; }) %
             2 ==
           1;
  }

  double
  PhaseRegion::distance(const double x, const double y) const
  {
    double smallest = std::numeric_limits<double>::infinity();
    for (const double crossing : crossings(y))
      smallest = std::min(smallest, std::abs(x / crossing - 1.));
    return smallest;
  }
} // namespace slender

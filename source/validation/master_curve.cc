// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/validation/embedded_tables.h>
#include <slender/validation/master_curve.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace slender
{
  Table
  master_table(const std::string &name)
  {
    for (const EmbeddedTable &table : embedded_tables())
      if (table.name == name)
        {
          std::istringstream in(table.text);
          return Table::read_csv(in, "reference/" + name + ".csv");
        }
    throw std::logic_error("there is no master curve '" + name + "'");
  }

  double
  worse(const double a, const double b)
  {
    return std::isnan(a) || std::isnan(b)
             ? std::numeric_limits<double>::quiet_NaN()
             : std::max(a, b);
  }

  namespace
  {
    double
    distance_to_segment(const Eigen::Vector2d &p,
                        const Eigen::Vector2d &a,
                        const Eigen::Vector2d &b)
    {
      const Eigen::Vector2d along  = b - a;
      const double          square = along.squaredNorm();
      const double          t =
        square > 0. ? std::clamp((p - a).dot(along) / square, 0., 1.) : 0.;
      return (p - a - t * along).norm();
    }

    double
    distance_to_curve(const Eigen::Vector2d &p, const PlaneCurve &curve)
    {
      double smallest = (p - curve.front()).norm();
      for (std::size_t i = 1; i < curve.size(); ++i)
        smallest =
          std::min(smallest, distance_to_segment(p, curve[i - 1], curve[i]));
      return smallest;
    }

    /// The largest distance of a point of `a` from `b`. Along a segment of
    /// `a` the distance has no kink worth more than the spacing of the points,
    /// which is far below the distances that decide; vertices are enough.
    double
    directed_distance(const PlaneCurve &a, const PlaneCurve &b)
    {
      double largest = 0.;
      for (const Eigen::Vector2d &p : a)
        largest = worse(largest, distance_to_curve(p, b));
      return largest;
    }
  } // namespace

  double
  hausdorff_distance(const PlaneCurve &a, const PlaneCurve &b)
  {
    if (a.empty() || b.empty())
      return 1.; // nothing in common: the size of the plot
    return worse(directed_distance(a, b), directed_distance(b, a));
  }

  LogPlot::LogPlot(const MasterCurve &master)
  {
    const auto [x0, x1] = std::minmax_element(master.x.begin(), master.x.end());
    const auto [y0, y1] = std::minmax_element(master.y.begin(), master.y.end());
    x_min               = std::log(*x0);
    x_max               = std::log(*x1);
    y_min               = std::log(*y0);
    y_max               = std::log(*y1);
  }

  Eigen::Vector2d
  LogPlot::operator()(const double x, const double y) const
  {
    return {(std::log(x) - x_min) / (x_max - x_min),
            (std::log(y) - y_min) / (y_max - y_min)};
  }
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/validation/embedded_tables.h>
#include <slender/validation/master_curve.h>

#include <algorithm>
#include <array>
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

  double
  hausdorff_distance(const std::vector<PlaneCurve> &pieces, const PlaneCurve &b)
  {
    if (pieces.empty() || b.empty())
      return 1.;
    double largest = 0.;
    for (const PlaneCurve &piece : pieces)
      largest = worse(largest, directed_distance(piece, b));
    for (const Eigen::Vector2d &p : b)
      {
        double smallest = distance_to_curve(p, pieces.front());
        for (const PlaneCurve &piece : pieces)
          smallest = std::min(smallest, distance_to_curve(p, piece));
        largest = worse(largest, smallest);
      }
    return largest;
  }

  double
  distance_from_smooth_curve(const Eigen::Vector2d &point,
                             const PlaneCurve      &curve)
  {
    std::size_t nearest = 0;
    for (std::size_t i = 1; i < curve.size(); ++i)
      if ((point - curve[i]).squaredNorm() <
          (point - curve[nearest]).squaredNorm())
        nearest = i;
    if (curve.size() < 4)
      return distance_to_curve(point, curve);

    // Lagrange's cubic over the chord lengths.
    const std::size_t first =
      std::min(nearest > 0 ? nearest - 1 : 0, curve.size() - 4);
    std::array<double, 4> at = {{0., 0., 0., 0.}};
    for (int k = 1; k < 4; ++k)
      at[k] = at[k - 1] + (curve[first + k] - curve[first + k - 1]).norm();
    const auto evaluate =
      [&](const double t, Eigen::Vector2d &value, Eigen::Vector2d &derivative) {
        value.setZero();
        derivative.setZero();
        for (int k = 0; k < 4; ++k)
          {
            double weight = 1., slope = 0.;
            for (int l = 0; l < 4; ++l)
              if (l != k)
                {
                  slope  = (slope * (t - at[l]) + weight) / (at[k] - at[l]);
                  weight = weight * (t - at[l]) / (at[k] - at[l]);
                }
            value += weight * curve[first + k];
            derivative += slope * curve[first + k];
          }
      };
    // The foot of the perpendicular, by Gauss-Newton steps.
    double          t = at[nearest - first];
    Eigen::Vector2d value, derivative;
    for (int i = 0; i < 20; ++i)
      {
        evaluate(t, value, derivative);
        t += (point - value).dot(derivative) / derivative.squaredNorm();
      }
    // No further than the table reaches.
    t = std::clamp(t, at.front(), at.back());
    evaluate(t, value, derivative);
    return (point - value).norm();
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

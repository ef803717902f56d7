// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/validation/bend_twist_plane.h>

#include <boost/math/constants/constants.hpp>

namespace slender::bend_twist
{
  double
  phi_of(const double y)
  {
    return boost::math::constants::two_pi<double>() * y;
  }

  double
  gamma_of(const double x, const double y)
  {
    return std::pow(x * phi_of(y), 3);
  }

  PlaneCurve
  master_frontier()
  {
    const Table               table = master_table("bend_twist");
    const std::vector<double> xs    = table.column("x");
    const std::vector<double> ys    = table.column("y");
    PlaneCurve                curve;
    for (std::size_t i = 0; i < xs.size(); ++i)
      curve.emplace_back(xs[i], ys[i]);
    return curve;
  }

  namespace
  {
    Eigen::Vector2d
    logarithms(const Eigen::Vector2d &point)
    {
      return {std::log(point.x()), std::log(point.y())};
    }

    /// All of the master curve, as the ends of another may be a little beyond
    /// those of a part.
    PlaneCurve
    logarithms_of_master()
    {
      PlaneCurve curve;
      for (const Eigen::Vector2d &point : master_frontier())
        curve.push_back(logarithms(point));
      return curve;
    }
  } // namespace

  double
  largest_error_in_x(const PlaneCurve &frontier)
  {
    const PlaneCurve master  = logarithms_of_master();
    double           largest = 0.;
    for (const Eigen::Vector2d &point : frontier)
      largest = worse(largest,
                      point.x() *
                        distance_from_smooth_curve(logarithms(point), master));
    return largest;
  }

  Comparison
  compare(const PlaneCurve &frontier, const double largest_y)
  {
    const LogPlot    to_plot = plot();
    const PlaneCurve smooth  = logarithms_of_master();
    Comparison       result;
    PlaneCurve       master_in_plot, in_plot;
    for (const Eigen::Vector2d &point : master_frontier())
      if (point.y() <= largest_y)
        {
          result.master.push_back(point);
          master_in_plot.push_back(to_plot(point.x(), point.y()));
        }
    for (const Eigen::Vector2d &point : frontier)
      {
        in_plot.push_back(to_plot(point.x(), point.y()));
        const double error =
          distance_from_smooth_curve(logarithms(point), smooth);
        if (!(error <= result.error))
          result.worst = point;
        result.error = worse(result.error, error);
      }
    result.distance = hausdorff_distance(in_plot, master_in_plot);
    return result;
  }

  PlaneCurve
  master_in_box()
  {
    PlaneCurve curve;
    for (const Eigen::Vector2d &point : master_frontier())
      if (point.x() >= first_x && point.x() <= last_x && point.y() <= last_y)
        curve.push_back(point);
    return curve;
  }

  LogPlot
  plot()
  {
    return LogPlot(MasterCurve{{first_x, last_x}, {first_y, last_y}});
  }
} // namespace slender::bend_twist

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/studies/bend_twist_plane.h>

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

  LogPlot
  plot()
  {
    return LogPlot(MasterCurve{{first_x, last_x}, {first_y, last_y}});
  }
} // namespace slender::bend_twist

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/validation/lateral_buckling_plane.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace slender::lateral_buckling
{
  std::optional<MasterFrontier>
  MasterFrontier::find(const double poisson_ratio)
  {
    // Columns "gamma_nu_0.35".
    const std::string prefix = "gamma_nu_";
    const Table       table  = master_table("lateral_buckling");
    for (const std::string &name : table.columns())
      if (name.rfind(prefix, 0) == 0 &&
          std::abs(std::stod(name.substr(prefix.size())) - poisson_ratio) <
            1e-12)
        {
          MasterFrontier result;
          result.widths = table.column("width");
          result.gammas = table.column(name);
          return result;
        }
    return {};
  }

  bool
  MasterFrontier::covers(const double width) const
  {
    return width >= widths.front() * (1. - 1e-12) &&
           width <= widths.back() * (1. + 1e-12);
  }

  double
  MasterFrontier::operator()(const double width) const
  {
    constexpr long n_points = 6;
    const long     n        = static_cast<long>(widths.size());
    const long     next =
      std::lower_bound(widths.begin(), widths.end(), width) - widths.begin();
    const long first =
      std::clamp(next - n_points / 2, 0L, std::max(0L, n - n_points));
    const long last = std::min(n, first + n_points);
    double     sum  = 0.;
    for (long i = first; i < last; ++i)
      {
        double weight = 1.;
        for (long j = first; j < last; ++j)
          if (j != i)
            weight *= (width - widths[j]) / (widths[i] - widths[j]);
        sum += weight * gammas[i];
      }
    return sum;
  }

  Eigen::Vector2d
  in_plot(const double width, const double gamma)
  {
    return {(width - first_width) / (last_width - first_width),
            (gamma - first_gamma) / (last_gamma - first_gamma)};
  }

  PlaneCurve
  master_curve(const MasterFrontier &master,
               const double          first,
               const double          last)
  {
    constexpr int n = 100;
    PlaneCurve    curve;
    for (int i = 0; i <= n; ++i)
      {
        const double width = first + (last - first) * i / n;
        curve.emplace_back(width, master(width));
      }
    return curve;
  }

  namespace
  {
    bool
    is_narrow(const double width)
    {
      return width < first_width * (1. - 1e-12);
    }
  } // namespace

  Comparison
  compare(const PlaneCurve &frontier, const MasterFrontier &master)
  {
    Comparison result;
    PlaneCurve ours, master_in_plot;
    double     first = last_width, last = first_width;
    for (const Eigen::Vector2d &point : frontier)
      {
        const double width = point.x();
        if (!master.covers(width) || is_narrow(width))
          continue;
        const double error = std::abs(point.y() / master(width) - 1.);
        if (!(error <= result.error))
          result.worst = point;
        result.error = worse(result.error, error);
        ours.push_back(in_plot(width, point.y()));
        first = std::min(first, width);
        last  = std::max(last, width);
      }
    if (ours.empty())
      return result;
    result.master = master_curve(master, first, last);
    for (const Eigen::Vector2d &point : result.master)
      master_in_plot.push_back(in_plot(point.x(), point.y()));
    result.distance = hausdorff_distance(ours, master_in_plot);
    return result;
  }

  double
  error_of_narrow(const PlaneCurve &frontier, const MasterFrontier &master)
  {
    double largest = 0.;
    for (const Eigen::Vector2d &point : frontier)
      if (master.covers(point.x()) && is_narrow(point.x()))
        largest = worse(largest, std::abs(point.y() / master(point.x()) - 1.));
    return largest;
  }
} // namespace slender::lateral_buckling

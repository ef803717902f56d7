// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/validation/stick_slip_curve.h>

#include <boost/math/tools/roots.hpp>

#include <algorithm>
#include <cmath>

namespace slender
{
  StickSlipCurve::StickSlipCurve()
  {
    const Table table = master_table("stick_slip");
    epsilons          = table.column("epsilon");
    ratios            = table.column("force_ratio");
    turn              = static_cast<std::size_t>(
      std::max_element(ratios.begin(), ratios.end()) - ratios.begin());
    triple = {epsilons[turn], ratios[turn]};
  }

  double
  StickSlipCurve::force_ratio(const double epsilon) const
  {
    if (epsilon <= 0.)
      return 0.;
    // Q/P is sqrt(epsilon) times a smooth function on either side of the triple
    // point: the polynomial through the nearest six points. The first row is 0.
    const bool        rises = epsilon <= triple.x();
    const std::size_t begin = rises ? 1 : turn;
    const std::size_t end   = rises ? turn + 1 : epsilons.size();
    const auto        next =
      static_cast<std::size_t>(std::lower_bound(epsilons.begin() + begin,
                                                epsilons.begin() + end,
                                                epsilon) -
                               epsilons.begin());
    const std::size_t from = std::min(std::max(next, begin + 3) - 3, end - 6);
    double            sum  = 0.;
    for (std::size_t i = from; i < from + 6; ++i)
      {
        double value = ratios[i] / std::sqrt(epsilons[i]);
        for (std::size_t j = from; j < from + 6; ++j)
          if (j != i)
            value *= (epsilon - epsilons[j]) / (epsilons[i] - epsilons[j]);
        sum += value;
      }
    return sum * std::sqrt(epsilon);
  }

  double
  StickSlipCurve::threshold(const double friction) const
  {
    if (friction <= 0.)
      return 0.;
    if (friction >= triple.y())
      return triple.x();
    const auto [low, high] = boost::math::tools::bisect(
      [&](const double epsilon) { return force_ratio(epsilon) - friction; },
      0.,
      triple.x(),
      boost::math::tools::eps_tolerance<double>(50));
    return 0.5 * (low + high);
  }

  PlaneCurve
  StickSlipCurve::rising_part(const double largest_friction) const
  {
    PlaneCurve curve;
    for (std::size_t i = 0; i <= turn && ratios[i] < largest_friction; ++i)
      curve.emplace_back(epsilons[i], ratios[i]);
    const double last = std::min(largest_friction, triple.y());
    curve.emplace_back(threshold(last), last);
    return curve;
  }

  Comparison
  StickSlipCurve::compare(const PlaneCurve &thresholds,
                          const double      first_friction,
                          const double      last_friction) const
  {
    Comparison result;
    PlaneCurve ours, master_in_plot;
    for (const Eigen::Vector2d &point : thresholds)
      {
        // Above the triple point there is nothing to slip at.
        if (point.y() > triple.y())
          continue;
        ours.push_back(in_plot(point.x(), point.y()));
        // Without friction it slips as soon as it is put down.
        if (!(point.y() > 0.))
          continue;
        const double error = std::abs(point.x() - threshold(point.y()));
        if (!(error <= result.error))
          result.worst = point;
        result.error = worse(result.error, error);
      }
    result.master = rising_part(std::min(last_friction, triple.y()));
    for (const Eigen::Vector2d &point : result.master)
      if (point.y() >= first_friction)
        master_in_plot.push_back(in_plot(point.x(), point.y()));
    // A point alone is no curve.
    if (ours.size() > 1 && master_in_plot.size() > 1)
      result.distance = hausdorff_distance(ours, master_in_plot);
    return result;
  }

  Eigen::Vector2d
  StickSlipCurve::in_plot(const double epsilon, const double friction) const
  {
    return {epsilon / triple.x(), friction / triple.y()};
  }
} // namespace slender

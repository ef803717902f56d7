// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_validation_lateral_buckling_plane_h
#define slender_validation_lateral_buckling_plane_h

#include <slender/validation/master_curve.h>

#include <optional>
#include <vector>

/// The plane of the Lateral Buckling protocol: w/L and Gamma* = rho h g L^3/D.
namespace slender::lateral_buckling
{
  // The recipe's grid (Algorithm 4), which is also the plot in which distances
  // are taken.
  constexpr double first_width = 0.1, last_width = 1.;
  constexpr double first_gamma = 10., last_gamma = 40.;

  /// Gamma* of the frontier over the width of a thin plate, between the points
  /// of reference/lateral_buckling.csv.
  class MasterFrontier
  {
  public:
    /// None for Poisson's ratios that the table does not have.
    static std::optional<MasterFrontier>
    find(double poisson_ratio);

    /// Whether the table covers a width.
    bool
    covers(double width) const;

    /// By a polynomial through the nearest points.
    double
    operator()(double width) const;

  private:
    std::vector<double> widths, gammas;
  };

  /// To the unit square of the plot, whose axes are linear.
  Eigen::Vector2d
  in_plot(double width, double gamma);

  /// The master curve between two widths: width and Gamma*.
  PlaneCurve
  master_curve(const MasterFrontier &master, double first, double last);

  /// Compares points (width, Gamma*) that are within the plot; without a
  /// master curve if there are none.
  Comparison
  compare(const PlaneCurve &frontier, const MasterFrontier &master);

  /// The largest relative error of plates narrower than those of the plot.
  double
  error_of_narrow(const PlaneCurve &frontier, const MasterFrontier &master);
} // namespace slender::lateral_buckling

#endif

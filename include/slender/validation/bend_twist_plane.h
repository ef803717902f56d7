// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_validation_bend_twist_plane_h
#define slender_validation_bend_twist_plane_h

#include <slender/validation/master_curve.h>

/// The plane of the Bend-Twist protocol: x = Gamma^(1/3)/phi, y = phi/2pi.
namespace slender::bend_twist
{
  // The recipe's grid (Algorithm 3), which is also the paper's plot.
  constexpr double first_x = 0.105, last_x = 0.95;
  constexpr double first_y = 0.3, last_y = 10.;

  /// Poisson's ratio of the master curve.
  constexpr double master_poisson_ratio = 0.5;

  double
  phi_of(double y);

  double
  gamma_of(double x, double y);

  /// Down the left branch, through the nose, up the right branch.
  PlaneCurve
  master_frontier();

  /// Compares a frontier that goes up to `largest_y` on both of its branches.
  /// Its error is the distance across the master curve, relative to the
  /// coordinates.
  Comparison
  compare(const PlaneCurve &frontier, double largest_y);

  /// The largest distance across the master curve in units of x, which is
  /// what it is where the curve is steep.
  double
  largest_error_in_x(const PlaneCurve &frontier);

  /// The part of the master curve that is in the plot.
  PlaneCurve
  master_in_box();

  /// To the unit square of the paper's figure.
  LogPlot
  plot();
} // namespace slender::bend_twist

#endif

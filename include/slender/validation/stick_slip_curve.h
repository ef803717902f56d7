// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_validation_stick_slip_curve_h
#define slender_validation_stick_slip_curve_h

#include <slender/validation/master_curve.h>

#include <vector>

namespace slender
{
  /**
   * The master curve of the Stick-Slip protocol (reference/stick_slip.csv):
   * friction over thrust of an elastica that is pressed against a floor, over
   * the strain epsilon. It rises up to the triple point; beyond it a part of
   * the rod lies on the floor, and the curve falls.
   */
  class StickSlipCurve
  {
  public:
    StickSlipCurve();

    /// Q/P at a strain from 0 to 0.6.
    double
    force_ratio(double epsilon) const;

    /// Where the tip slips; the triple point's strain for a friction above it.
    double
    threshold(double friction) const;

    const Eigen::Vector2d &
    triple_point() const
    {
      return triple;
    }

    /// Points (epsilon, Q/P) up to the triple point, or up to a friction.
    PlaneCurve
    rising_part(double largest_friction) const;

    /**
     * Compares strains at which tips slipped, points (epsilon, mu), with the
     * curve between two frictions. The error is that of the strain, as it is:
     * strains go down to zero.
     */
    Comparison
    compare(const PlaneCurve &thresholds,
            double            first_friction,
            double            last_friction) const;

    /// To the unit square of a plot that just holds the rising part.
    Eigen::Vector2d
    in_plot(double epsilon, double friction) const;

  private:
    std::vector<double> epsilons, ratios;
    std::size_t         turn; ///< the row of the triple point
    Eigen::Vector2d     triple;
  };
} // namespace slender

#endif

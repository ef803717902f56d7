// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_validation_cantilever_curve_h
#define slender_validation_cantilever_curve_h

#include <slender/validation/master_curve.h>

namespace slender
{
  /**
   * The master curve of the Cantilever protocol: the aspect ratio H/W of the
   * heavy elastica over Gamma. The table of reference/ and, between its values
   * and beyond them, the elastica itself.
   */
  class CantileverCurve
  {
  public:
    // The recipe's sweep (Algorithm 1).
    static constexpr double first_gamma = 1e-3, last_gamma = 1e4;

    CantileverCurve();

    double
    operator()(double gamma) const;

    /// The same from the cubic through the nearest points of the table, in
    /// logarithms: to 1e-7, and ten thousand times as fast. By the asymptotes'
    /// powers outside of the table.
    double
    interpolated(double gamma) const;

    /// d ln(H/W) / d ln(Gamma), by the same cubic.
    double
    slope(double gamma) const;

    /// The Gamma at which the aspect ratio is reached, by interpolation.
    double
    gamma_of(double aspect_ratio) const;

    /// The part over the range of a sweep.
    MasterCurve
    over(double first, double last) const;

    /// Of samples in any order from the master curve over their range, in the
    /// plot that just holds that.
    double
    distance(const MasterCurve &samples) const;

  private:
    MasterCurve curve;
  };
} // namespace slender

#endif

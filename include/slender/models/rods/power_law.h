// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_rods_power_law_h
#define slender_models_rods_power_law_h

#include <slender/systems/dissipation.h>

#include <cmath>

namespace slender
{
  /**
   * How the viscosity of one strain depends on its rate, x in units of a
   * reference rate: it is multiplied by
   *
   *   g(x) = (x^2 + d^2)^((n - 1)/2),
   *
   * a power of |x| but for rates far below d, where an exponent n below one
   * would make it infinite. With n = 1 it is one.
   */
  class PowerLaw
  {
  public:
    explicit PowerLaw(const double exponent)
      : n(exponent)
    {}

    double
    multiplier(const double x) const
    {
      return std::pow(x * x + rounding * rounding, 0.5 * (n - 1.));
    }

    /// d(x g)/dx over g: the stress x g has this times g for its slope.
    double
    slope(const double x) const
    {
      return 1. + (n - 1.) * x * x / (x * x + rounding * rounding);
    }

    /// The integral of x g, twice: x^2 for n = 1.
    double
    potential(const double x) const
    {
      return 2. / (n + 1.) *
             (std::pow(x * x + rounding * rounding, 0.5 * (n + 1.)) -
              std::pow(rounding, n + 1.));
    }

  private:
    static constexpr double rounding = 1e-3;

    double n;
  };

  /**
   * A quadratic energy of a strain e that has, at a place, the same slope and
   * the same curvature as a power law there: kernels for quadratic energies
   * then serve. Stiffness and distance from the natural strain are those of
   * n = 1, multiplied.
   */
  struct OsculatingLaw
  {
    double stiffness, distance;
  };

  inline OsculatingLaw
  osculating(const PowerLaw &law, const double rate)
  {
    const double slope = law.slope(rate);
    return {law.multiplier(rate) * slope, 1. / slope};
  }
} // namespace slender

#endif

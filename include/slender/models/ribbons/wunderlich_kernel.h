// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_ribbons_wunderlich_kernel_h
#define slender_models_ribbons_wunderlich_kernel_h

#include <Eigen/Core>

#include <cmath>
#include <limits>

/**
 * The energy per length of an inextensible strip (Wunderlich 1962), in units
 * of half the bending stiffness D of a plate times the width,
 *
 *   e = omega^2 (1 + eta^2)^2 Lambda(w eta') - 2 k omega (1 + nu eta^2) + k^2
 *
 * with the normal curvature omega, the twist omega eta and the natural
 * curvature k.
 *
 * The surface is made of straight lines along d1 + eta t, on which its one
 * principal curvature is omega (1 + eta^2)/(1 + y eta'); an element of area is
 * (1 + y eta') dy ds. With the natural form b0 = k t t of a strip that is
 * rolled up, the plate's energy is (tr b - k)^2 - 2 (1 - nu) det(b - b0), with
 * det(b - b0) = - k b_yy as det b = 0, and the integral over the width gives e
 * with
 *
 *   Lambda(z) = 1/z ln((1 + z/2)/(1 - z/2)) = artanh(z/2)/(z/2).
 *
 * Where |w eta'| = 2 lines meet on the edge of the strip: there the energy is
 * infinite, and beyond it is not a number. Lambda = 1 is the limit of narrow
 * strips (Sadowsky 1930).
 */
namespace slender::ribbons
{
  struct WidthFactor
  {
    double value, slope, bend;
  };

  /// Lambda and its derivatives with respect to z.
  inline WidthFactor
  wunderlich_factor(const double z)
  {
    const double x = z / 2.;
    if (!(std::abs(x) < 1.))
      {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        return {nan, nan, nan};
      }
    double value = 0., slope = 0., bend = 0.; // by x
    if (std::abs(x) < 0.1)
      {
        // sum x^(2n)/(2n + 1), of which ten terms are exact to round-off.
        double power = 1.; // x^(2n - 2)
        value        = 1.;
        for (int n = 1; n < 10; ++n, power *= x * x)
          {
            value += power * x * x / (2 * n + 1);
            slope += power * x * (2 * n) / (2 * n + 1);
            bend += power * (2 * n) * (2 * n - 1) / (2 * n + 1);
          }
      }
    else
      {
        const double inside = 1. / (1. - x * x);
        value               = std::atanh(x) / x;
        slope               = (inside - value) / x;
        bend                = 2. * (inside * inside - slope / x);
      }
    return {value, slope / 2., bend / 4.};
  }

  struct Wunderlich
  {
    double width; ///< 0 for Sadowsky's energy
    double poisson;
    double natural; ///< curvature

    double          value;
    Eigen::Vector3d gradient; ///< by (omega, eta, eta')
    Eigen::Matrix3d hessian;

    void
    evaluate(const double omega, const double eta, const double eta_rate)
    {
      const WidthFactor L = wunderlich_factor(width * eta_rate);
      const double      q = 1. + eta * eta, Q = q * q;
      const double      dQ = 4. * eta * q, ddQ = 4. * (1. + 3. * eta * eta);
      const double      ww = omega * omega;
      const double      n = 1. + poisson * eta * eta, dn = 2. * poisson * eta;
      const double      Lz = width * L.slope, Lzz = width * width * L.bend;

      value = ww * Q * L.value - 2. * natural * omega * n + natural * natural;
      gradient << 2. * omega * Q * L.value - 2. * natural * n,
        ww * dQ * L.value - 2. * natural * omega * dn, ww * Q * Lz;
      hessian(0, 0) = 2. * Q * L.value;
      hessian(0, 1) = 2. * omega * dQ * L.value - 2. * natural * dn;
      hessian(0, 2) = 2. * omega * Q * Lz;
      hessian(1, 1) = ww * ddQ * L.value - 4. * natural * omega * poisson;
      hessian(1, 2) = ww * dQ * Lz;
      hessian(2, 2) = ww * Q * Lzz;
      hessian(1, 0) = hessian(0, 1);
      hessian(2, 0) = hessian(0, 2);
      hessian(2, 1) = hessian(1, 2);
    }
  };
} // namespace slender::ribbons

#endif

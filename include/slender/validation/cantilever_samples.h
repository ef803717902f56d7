// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_validation_cantilever_samples_h
#define slender_validation_cantilever_samples_h

#include <slender/validation/sample_columns.h>

namespace slender
{
  constexpr double standard_gravity = 9.81; ///< m/s^2

  /**
   * Gamma of a sample of the Cantilever, from the columns
   *
   *   gamma                                 as it is;
   *   L, EI, mass_per_length                m g L^3 / EI;
   *   L, E, density, radius                 4 rho g L^3 / (E r^2), a round rod;
   *   L, E, density, thickness, poisson     12 (1 - nu^2) rho g L^3 / (E h^2),
   *                                         a strip;
   *
   * all in SI units, with g where it is not 9.81. Throws InputError.
   */
  double
  cantilever_gamma(const SampleColumns &columns, std::size_t sample);

  /// H/W, from `aspect_ratio`, or from H and W. Throws InputError.
  double
  cantilever_aspect_ratio(const SampleColumns &columns, std::size_t sample);
} // namespace slender

#endif

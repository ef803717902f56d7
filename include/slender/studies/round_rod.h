// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_round_rod_h
#define slender_studies_round_rod_h

#include <slender/models/rods/rod_body.h>

namespace dealii
{
  class ParameterHandler;
}

namespace slender
{
  /// A straight rod with a circular section: the section "Rod" of studies that
  /// hold and load it themselves.
  struct RoundRod
  {
    double length        = 1.;
    double radius        = 1.6e-3;
    double young_modulus = 1.8e5;
    double poisson_ratio = 0.5;
    double density       = 1180.;

    void
    declare(dealii::ParameterHandler &prm);

    double
    bending_stiffness() const;

    double
    mass_per_length() const;

    /// Clamped at both ends, from the origin along the x axis.
    RodBody
    body() const;
  };
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_rods_mass_points_h
#define slender_models_rods_mass_points_h

#include <slender/models/rods/rod_body.h>
#include <slender/systems/kinetics.h>

#include <array>
#include <vector>

/**
 * Masses of bodies whose unknowns are strains: at the points of the Gauss rule
 * in each element, three numbers for the place of a section and, with rotary
 * inertia, six more for its directors d1 and d2 (a stride of nine instead of
 * three).
 */
namespace slender::mass_points
{
  constexpr std::array<double, 4> places  = {{0.06943184420297371,
                                              0.33000947820757187,
                                              0.66999052179242813,
                                              0.93056815579702629}};
  constexpr std::array<double, 4> weights = {{0.17392742256872693,
                                              0.32607257743127307,
                                              0.32607257743127307,
                                              0.17392742256872693}};

  /// In the order of the coordinates.
  /// @param lengths of the elements
  Vector
  masses(const std::vector<double> &lengths,
         const RodBody             &body,
         bool                       has_directors);

  Kinetics::Moments
  moments(const Vector &masses,
          Index         stride,
          const Vector &y,
          const Vector &rates);

  /// dy/dt where sections are carried by a field.
  Vector
  rates_in(const VelocityField &field, Index stride, const Vector &y);
} // namespace slender::mass_points

#endif

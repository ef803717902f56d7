// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_stick_slip_samples_h
#define slender_studies_stick_slip_samples_h

#include <slender/studies/pressed_strip.h>
#include <slender/studies/sweep.h>

#include <string>

/// What a sample of the Stick-Slip protocol holds.
namespace slender::stick_slip
{
  enum Value
  {
    tip_value,       ///< how far the tip has gone
    ratio_value,     ///< friction over thrust
    thrust_value,    ///< [EI/L^2]
    length_value,    ///< that lies on the floor
    slipped_value,   ///< 1 once the tip has slipped
    threshold_value, ///< strain at which it did; unknown before
    n_values
  };

  Sample
  sample_of(const PressedStrip::Forces &forces,
            double                      tip_displacement,
            bool                        slipped,
            double                      threshold);

  Sample
  failed(const std::string &why);
} // namespace slender::stick_slip

#endif

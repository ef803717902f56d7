// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/studies/stick_slip_samples.h>

namespace slender::stick_slip
{
  Sample
  sample_of(const PressedStrip::Forces &forces,
            const double                tip_displacement,
            const bool                  slipped,
            const double                threshold)
  {
    Sample sample;
    sample.values.resize(n_values);
    sample.values[tip_value]       = tip_displacement;
    sample.values[ratio_value]     = forces.ratio();
    sample.values[thrust_value]    = forces.thrust;
    sample.values[length_value]    = forces.length;
    sample.values[slipped_value]   = slipped ? 1. : 0.;
    sample.values[threshold_value] = threshold;
    return sample;
  }

  Sample
  failed(const std::string &why)
  {
    Sample sample;
    sample.values.assign(n_values, Table::unknown);
    sample.failure = why;
    return sample;
  }
} // namespace slender::stick_slip

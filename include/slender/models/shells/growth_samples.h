// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_shells_growth_samples_h
#define slender_models_shells_growth_samples_h

#include <slender/models/shells/growth_law.h>

#include <optional>
#include <vector>

namespace slender
{
  /// The fields of a law at numbered points, evaluated when a point is asked
  /// for first, or has moved: formulas cost much more than what is made of
  /// them.
  class GrowthSamples
  {
  public:
    const GrowthSample &
    at(const GrowthLaw  &law,
       const std::size_t number,
       const Vector3    &position,
       const std::size_t cell)
    {
      if (number >= samples.size())
        samples.resize(number + 1);
      std::optional<Kept> &kept = samples[number];
      if (!kept || kept->position != position)
        kept = {position, sample(law, position, cell)};
      return kept->sample;
    }

  private:
    struct Kept
    {
      Vector3      position;
      GrowthSample sample;
    };
    std::vector<std::optional<Kept>> samples;
  };
} // namespace slender

#endif

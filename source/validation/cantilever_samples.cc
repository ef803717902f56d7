// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/validation/cantilever_samples.h>

#include <cmath>

namespace slender
{
  double
  cantilever_gamma(const SampleColumns &columns, const std::size_t i)
  {
    if (columns.has("gamma"))
      {
        for (const char *other : {"EI", "E"})
          if (columns.has(other))
            columns.complain(
              std::string("both 'gamma' and '") + other +
              "' are given; one way to say how heavy it is is expected");
        return columns.positive("gamma", i);
      }
    if (!columns.has("L"))
      columns.require("gamma", "'L' with a stiffness");
    const double g      = columns.positive_or("g", i, standard_gravity);
    const double weight = g * std::pow(columns.positive("L", i), 3);
    if (columns.has("EI"))
      return columns.positive("mass_per_length", i) * weight /
             columns.positive("EI", i);
    columns.require("E", "'EI', nor 'gamma'");
    const double ratio =
      columns.positive("density", i) * weight / columns.positive("E", i);
    if (columns.has("radius"))
      return 4. * ratio / std::pow(columns.positive("radius", i), 2);
    columns.require("thickness", "'radius'");
    const double nu = columns.number("poisson", i);
    if (!(nu > -1. && nu <= 0.5))
      columns.complain(i, "'poisson' is not between -1 and 0.5");
    return 12. * (1. - nu * nu) * ratio /
           std::pow(columns.positive("thickness", i), 2);
  }

  double
  cantilever_aspect_ratio(const SampleColumns &columns, const std::size_t i)
  {
    if (columns.has("aspect_ratio"))
      return columns.positive("aspect_ratio", i);
    columns.require("H", "'aspect_ratio'");
    columns.require("W", "'aspect_ratio'");
    return columns.positive("H", i) / columns.positive("W", i);
  }
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_systems_measurement_h
#define slender_systems_measurement_h

#include <string>

namespace slender
{
  /// A named number that is read off a state, such as "end x".
  struct Measurement
  {
    std::string name;
    double      value;
  };
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/systems/sole_support.h>

namespace slender
{
  void
  let_support_bear(const System             &body,
                   const Vector3            &forces,
                   std::vector<Measurement> &measured)
  {
    const auto *supported = dynamic_cast<const SoleSupport *>(&body);
    if (!supported)
      return;
    for (Measurement &m : measured)
      for (int c = 0; c < 3; ++c)
        if (m.name == supported->support_force() + ' ' + "xyz"[c])
          m.value -= forces(c);
  }
} // namespace slender

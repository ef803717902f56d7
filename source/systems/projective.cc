// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/systems/projective.h>
#include <slender/systems/system.h>

namespace slender
{
  const Projective &
  projective(const System &system)
  {
    if (const auto *found = dynamic_cast<const Projective *>(&system))
      return *found;
    throw InputError("projective dynamics is for 'Model = projective shell'");
  }
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_base_direction_h
#define slender_base_direction_h

#include <slender/base/types.h>

namespace slender
{
  /// The unit vector along a user's vector, which is neither zero nor infinite
  /// but of any length: also where its square overflows or vanishes.
  inline Vector3
  direction_of(const Vector3 &v)
  {
    return (v / v.cwiseAbs().maxCoeff()).normalized();
  }
} // namespace slender

#endif

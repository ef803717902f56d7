// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_base_joined_drawing_h
#define slender_base_joined_drawing_h

#include <slender/base/drawing.h>

namespace slender
{
  /// Several drawings as one, without their globals.
  Drawing
  joined(const std::vector<Drawing> &drawings);
} // namespace slender

#endif

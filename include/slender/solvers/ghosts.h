// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_solvers_ghosts_h
#define slender_solvers_ghosts_h

#include <slender/base/layout.h>

namespace slender
{
  /// A share whose owned values are right, with its ghosts brought up to date.
  /// Collective.
  Vector
  with_ghosts(const Layout &layout, const Vector &share);
} // namespace slender

#endif

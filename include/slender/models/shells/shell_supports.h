// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_shells_shell_supports_h
#define slender_models_shells_shell_supports_h

#include <slender/models/shells/rest_surface.h>
#include <slender/models/shells/shell_body.h>

namespace slender
{
  /// In how many independent ways a shell can move or turn as a whole, to first
  /// order, in spite of what holds its edges and points: 0 to 6.
  int
  n_rigid_motions(const ShellBody &body, const RestSurface &surface);
} // namespace slender

#endif

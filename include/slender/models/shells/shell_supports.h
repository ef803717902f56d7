// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_shells_shell_supports_h
#define slender_models_shells_shell_supports_h

#include <slender/models/shells/rest_surface.h>
#include <slender/models/shells/shell_body.h>

#include <vector>

namespace slender
{
  /// A part of a shell: cells that are joined to each other along their sides.
  /// Cells that have no more than a corner in common are hinged there at best,
  /// and are two parts.
  struct ShellPart
  {
    /// In how many independent ways it can move or turn as a whole, to first
    /// order, in spite of what holds its edges and points: 0 to 6.
    int n_rigid_motions;
    /// A place on it.
    Vector3 place;
  };

  /// All parts of a shell; most shells have one.
  std::vector<ShellPart>
  parts_of(const ShellBody &body, const RestSurface &surface);
} // namespace slender

#endif

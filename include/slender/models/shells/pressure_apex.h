// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_shells_pressure_apex_h
#define slender_models_shells_pressure_apex_h

#include <slender/models/shells/rest_surface.h>
#include <slender/models/shells/shell_body.h>

#include <optional>

namespace slender
{
  /**
   * From where the volume of a follower pressure is measured. Where two edges
   * of symmetry meet, one of their planes has to pass through this point, or
   * the potential pulls at the corner, see FollowerPressure. The body's own
   * apex is kept where it will do; else it is moved into the planes. Nothing,
   * if no point will do: parallel planes of symmetry in two directions.
   */
  std::optional<Vector3>
  pressure_apex(const ShellBody &body, const RestSurface &surface);
} // namespace slender

#endif

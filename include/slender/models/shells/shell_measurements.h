// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_shells_shell_measurements_h
#define slender_models_shells_shell_measurements_h

#include <slender/models/shells/shell_term.h>
#include <slender/systems/measurement.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace slender
{
  class RestSurface;
  struct Layout;
  struct ShellBody;

  /// As (x, y, z) in messages.
  std::string
  text_of(const Vector3 &x);

  /// A state of a shell of any kind, one rank's part of it: nodes by columns.
  struct ShellReading
  {
    const ShellBody   &body;
    const RestSurface &surface;
    const Layout      &layout;
    double             length_unit;       ///< [length]
    double             bending_stiffness; ///< the unit of energy

    const NodalVectors &positions, &rest; ///< in units of length
    /// The gradient of the energy by positions; at prescribed ones it is the
    /// reaction.
    const NodalVectors &gradient;

    /// Nodes of the body's points; -1 where another rank measures.
    const std::vector<Index> &points;
    /// Where the unknowns of a node stand in the extended vector.
    std::function<const std::array<Index, 3> &(Index)> unknowns;
    /// Which edge holds each prescribed value, below zero for none.
    const std::vector<int> &holders;

    double membrane_energy, bending_energy, energy;
  };

  /// Places of points, forces of what holds edges, the largest displacement,
  /// energies, all in the user's units.
  std::vector<Measurement>
  measurements(const ShellReading &shell);
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_dynamics_natural_modes_h
#define slender_dynamics_natural_modes_h

#include <slender/systems/kinetics.h>
#include <slender/systems/system.h>

#include <vector>

namespace slender
{
  /// A way in which a body vibrates about an equilibrium.
  struct NaturalMode
  {
    double squared; ///< w^2 [1/time^2]; negative where the body is unstable
    Vector mode;    ///< this rank's share, with ghosts

    /// w/(2 pi) [1/time]; zero where it does not vibrate.
    double
    frequency() const;

    /// sqrt(-w^2) [1/time]; zero where it does not grow.
    double
    growth_rate() const;
  };

  /**
   * Small vibrations about an equilibrium (SLEPc): the lowest eigenvalues of
   *
   *   K phi = w^2 M phi
   *
   * with the Hessian K of the energy, loads included, and the mass matrix M.
   * Modes have a kinetic energy of 1/2 per unit of squared rate. Unknowns
   * without mass follow those that have some; multipliers, too, so that
   * constraints hold.
   *
   * @param q an equilibrium at the present parameters
   * @return `n` modes, ascending, or as many as were found
   */
  std::vector<NaturalMode>
  natural_modes(const System   &system,
                const Kinetics &kinetics,
                const Vector   &q,
                int             n);
} // namespace slender

#endif

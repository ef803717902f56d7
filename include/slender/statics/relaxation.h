// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_statics_relaxation_h
#define slender_statics_relaxation_h

#include <slender/statics/equilibrium.h>

#include <memory>

namespace slender
{
  /**
   * Goes downhill in energy to a stable equilibrium.
   *
   * Newton's method finds equilibria, stable or not: from a saddle it does not
   * move. The flow dq/dt = -dE/dq leaves it along the unstable direction and
   * comes to rest only where the energy is least. Each step is that of the
   * implicit Euler method,
   *
   *   minimise E(q) + tether/2 |q - q0|^2,
   *
   * which stiff strains do not disturb, and for which the usual Newton method
   * serves. The tether, one over the step in time, gets weaker from step to
   * step; where the tethered energy is not convex at the state that was found,
   * or has not decreased, the step is repeated with a stronger one.
   */
  class Relaxation
  {
  public:
    /// For systems without Lagrange multipliers: else an equilibrium is a
    /// saddle. Throws std::logic_error for others. So do the functions below
    /// where something acts that has no potential: there is no downhill.
    Relaxation(System &system, const NewtonOptions &options);
    ~Relaxation();

    /// From any state at the present parameters; it is committed if it has
    /// converged, and then it is stable.
    Equilibrium
    relax(const Vector &start);

    /// From an unstable equilibrium, off along its most unstable direction.
    Equilibrium
    leave(const Vector &saddle);

  private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation;
  };
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_dynamics_step_potential_h
#define slender_dynamics_step_potential_h

#include <slender/dynamics/integrator.h>
#include <slender/systems/dissipation.h>
#include <slender/systems/kinetics.h>
#include <slender/systems/term.h>

namespace slender
{
  /**
   * What a time step adds to the energy E of a system,
   *
   *   c/2 |y - y0|^2_M + alpha k/2 |y - y1|^2_M + W + beta k_g (E - g.q),
   *
   * inertia, drag, strain-rate damping (see Dissipation) and Rayleigh's
   * damping: its force beta K q' is beta times the rate of dE/dq, for which the
   * difference k_g (dE/dq - g) stands. The whole is divided by 1 + beta k_g,
   * so that E itself has a factor of one.
   */
  class StepPotential : public Term
  {
  public:
    /// `dissipation` may be null.
    StepPotential(const Kinetics &inertia, const Dissipation *dissipation);

    Integrator::Springs springs;
    double              energy_unit = 1.; ///< of the system
    double              drag        = 0.; ///< alpha
    BackwardDifference  strains{0., {}};  ///< rate of strains
    double              stiffness = 0.;   ///< beta
    BackwardDifference  forces{0., {}};   ///< rate of dE/dq

    double
    energy(const Vector &q) const override;
    void
    add_gradient(const Vector &q, Vector &gradient) const override;
    void
    add_hessian(const Vector &q, HessianSink &sink) const override;
    void
    add_hessian_times(const Vector &q,
                      const Vector &direction,
                      Vector       &product) const override;

  private:
    /// What the whole is divided by.
    double
    divisor() const;

    /// Forces on the coordinates, in the unit of the system.
    Vector
    coordinate_forces(const Vector &q) const;

    const Kinetics    &inertia;
    const Dissipation *dissipation;
  };
} // namespace slender

#endif

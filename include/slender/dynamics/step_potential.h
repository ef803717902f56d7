// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_dynamics_step_potential_h
#define slender_dynamics_step_potential_h

#include <slender/dynamics/integrator.h>
#include <slender/systems/dissipation.h>
#include <slender/systems/kinetics.h>
#include <slender/systems/system.h>
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
   *
   * Where forces balance in the middle of a step, at q = (q0 + q1)/2, strains
   * there are not in the middle of those at its ends: a chord is shorter than
   * its arc. Then the rate of the strains is (e(2 q - q0) - e(q0))/h, that of
   * the forces K(q) (q - q0) 2/h. Neither is the gradient of an energy; in the
   * Hessian what is not symmetric is left out, so that Newton's method is not
   * quite one.
   */
  class StepPotential : public Term
  {
  public:
    /// `dissipation` may be null.
    StepPotential(const System      &system,
                  const Kinetics    &inertia,
                  const Dissipation *dissipation);

    Integrator::Springs springs;
    /// Where a step began in whose middle forces balance; else empty.
    Vector             midpoint_of;
    double             drag = 0.;       ///< alpha
    BackwardDifference strains{0., {}}; ///< rate of strains
    /// Whether the system has W in its own energy, see Dissipation::join().
    bool               is_joined = false;
    double             stiffness = 0.; ///< beta
    BackwardDifference forces{0., {}}; ///< rate of dE/dq

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

    /// What the whole is divided by.
    double
    divisor() const;

  private:
    /// Forces on the coordinates, in the unit of the system.
    Vector
    coordinate_forces(const Vector &q) const;

    /// The strains from which their rate is measured, and the forces.
    Vector
    strain_origin(const Vector &q) const;

    Vector
    force_origin(const Vector &q) const;

    const System      &system;
    const Kinetics    &inertia;
    const Dissipation *dissipation;
  };
} // namespace slender

#endif

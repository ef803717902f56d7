// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_dynamics_motion_h
#define slender_dynamics_motion_h

#include <slender/dynamics/integrator.h>
#include <slender/solvers/newton.h>
#include <slender/systems/dissipation.h>
#include <slender/systems/kinetics.h>

#include <functional>
#include <memory>

namespace slender
{
  /// What takes energy out of a motion.
  struct DampingOptions
  {
    DissipationOptions strain_rate;

    // Rayleigh's damping: forces -alpha M v - beta K v with the tangent
    // stiffness K. The former is the drag of a still, thin fluid.
    double alpha = 0.; ///< [1/time]
    double beta  = 0.; ///< [time]
  };

  /**
   * Finds the end of a step where Newton's method alone does not do: bodies
   * that touch something need more.
   *
   * @param stepping what is to be in balance at the end
   * @param begin where the step begins
   * @param previous the full_state() there
   * @param length of the step [time]
   */
  using StepSearch = std::function<Equilibrium(System       &stepping,
                                               const Vector &begin,
                                               const Vector &guess,
                                               const Vector &previous,
                                               double        length)>;

  struct MotionOptions
  {
    IntegratorOptions integrator;
    MassOptions       inertia;
    DampingOptions    damping;
    NewtonOptions     newton;
    StepSearch        search = {}; ///< none: Newton's method
    /// Whether work and dissipation are added up; that takes four energies and
    /// more for each step.
    bool keeps_accounts = true;
  };

  /**
   * A moment of a motion, as a value: all that its future depends on.
   */
  struct MotionState
  {
    double  time = 0.;
    State   state;                      ///< of the system
    Instant unknowns;                   ///< the place is that of the state
    double  dissipated = 0., work = 0.; ///< since the start [energy]
  };

  /// Energies of a moment, in the user's units.
  struct MotionEnergies
  {
    double kinetic    = 0.;
    double potential  = 0.; ///< elastic, and of the loads
    double dissipated = 0.; ///< by damping, since the start
    /// Done by what drives supports and loads, since the start.
    double work = 0.;
  };

  /**
   * A system in motion: each step is an equilibrium of an incremental
   * potential (see Integrator), found by Newton's method.
   */
  class Motion
  {
  public:
    /// Sets the parameters of the system to what they are at a time.
    using Drive = std::function<void(double time)>;

    /// Throws InputError for an inertia, a damping or an integrator that the
    /// system cannot have.
    Motion(System &system, const MotionOptions &options, Drive drive = {});
    ~Motion();

    /// From a place, with a rigid velocity v + w x x, that of a field, or the
    /// given rates of the unknowns, at a time at which the drive has been
    /// before.
    void
    start(const Vector  &q,
          double         time,
          const Vector3 &velocity         = Vector3::Zero(),
          const Vector3 &angular_velocity = Vector3::Zero());

    void
    start(const Vector &q, double time, const VelocityField &field);

    void
    start(const Vector &q, double time, const Vector &rates);

    const MotionState &
    now() const;

    /// Goes on from there.
    void
    set(const MotionState &state);

    struct Step
    {
      Outcome outcome    = Outcome::converged;
      int     iterations = 0;
      double  error = 0.; ///< estimated, root mean square of places [length]

      bool
      converged() const
      {
        return outcome == Outcome::converged;
      }
    };

    /// A step that does not converge leaves everything as it was.
    Step
    step(double length);

    /// Takes the last step back.
    void
    undo();

    /// What comes depends on now() alone, and not on factors that were made for
    /// an earlier step: a motion that is taken up again from what was saved
    /// here goes the same way.
    void
    forget();

    /// Of what the explicit method takes without growing, 2/w with the largest
    /// frequency w of the unloaded and undamped state now.
    double
    stable_step();

    MotionEnergies
    energies() const;

    /// Momenta and the like, over all ranks.
    Kinetics::Moments
    moments() const;

    /// Of inertia and drag on the whole body, the mean over the last step; zero
    /// before there is one. What supports, loads and all else exert together is
    /// the opposite.
    Vector3
    inertial_force() const;

    /// Root mean square of the out-of-balance forces without inertia and
    /// damping [dimensionless]: how far from an equilibrium.
    double
    residual() const;

    const Kinetics &
    inertia() const;

  private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation;
  };
} // namespace slender

#endif

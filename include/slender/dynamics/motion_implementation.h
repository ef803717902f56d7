// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_dynamics_motion_implementation_h
#define slender_dynamics_motion_implementation_h

#include <slender/dynamics/mass_matrix.h>
#include <slender/dynamics/motion.h>
#include <slender/dynamics/step_potential.h>
#include <slender/systems/structure.h>

#include <optional>

namespace slender
{
  /// What the sources of Motion share; nobody else includes this.
  struct Motion::Implementation
  {
    Implementation(System              &the_system,
                   const MotionOptions &the_options,
                   Drive                the_drive)
      : system(the_system)
      , options(the_options)
      , drive(std::move(the_drive))
      , integrator(options.integrator)
      , inertia(system.kinetics(options.inertia))
      , dissipation(options.damping.strain_rate.is_zero()
                      ? nullptr
                      : system.dissipation(options.damping.strain_rate))
      , mass(system, *inertia, options.newton.solver())
      , stepping(system)
      , potential(new StepPotential(system, *inertia, dissipation.get()))
      , newton(stepping, options.newton)
    {
      stepping.add_term("time step", std::unique_ptr<Term>(potential));
      potential->drag      = options.damping.alpha;
      potential->stiffness = options.damping.beta;
      check();
    }

    bool
    is_explicit() const
    {
      return options.integrator.kind == IntegratorKind::verlet;
    }

    void
    check();

    void
    go_to(const double time)
    {
      if (drive)
        drive(time);
    }

    double
    sum(const double value) const
    {
      return sum_over_ranks(system.layout(), value);
    }

    /// How coordinates move because supports do, at the place q and a time; the
    /// system is left at `back`.
    struct Carried
    {
      Vector rate, second;
    };
    Carried
    carried(const Vector &q,
            const Vector &rates,
            double        time,
            double        step,
            double        back);

    /// Of a moment, with what supports carry along; the system is left there.
    Vector3
    momentum(const MotionState &moment);

    /// Those of the coordinates, now.
    Instant
    of_coordinates(double step);

    /// x'' by the balance of forces.
    Vector
    balanced_acceleration(const Vector &q,
                          const Vector &rates,
                          const Vector &carried_acceleration);

    /// Of a quantity at the place before, at its own time.
    template <class Function>
    Vector
    before(const Function &function)
    {
      if (now.unknowns.before.size() == 0 || integrator.order() == 1)
        return Vector();
      go_to(now.time - now.unknowns.step_before);
      Vector value = function(now.unknowns.before);
      go_to(now.time);
      return value;
    }

    Step
    implicit_step(double h);

    Step
    explicit_step(double h);

    /// Work and dissipation between two moments; the system is at the later.
    void
    account(const MotionState &last, double h);

    void
    arrive(Instant unknowns, double h);

    System                      &system;
    MotionOptions                options;
    Drive                        drive;
    Integrator                   integrator;
    std::unique_ptr<Kinetics>    inertia;
    std::unique_ptr<Dissipation> dissipation;
    MassMatrix                   mass;
    Structure                    stepping;
    StepPotential               *potential; ///< of that structure
    Newton                       newton;
    MotionState                  now;
    std::optional<MotionState>   last;
  };
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_systems_system_h
#define slender_systems_system_h

#include <slender/base/drawing.h>
#include <slender/base/layout.h>
#include <slender/base/places.h>
#include <slender/base/types.h>
#include <slender/systems/hessian_sink.h>
#include <slender/systems/measurement.h>
#include <slender/systems/parametrised.h>

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace slender
{
  class Dissipation;
  struct DissipationOptions;
  class Kinetics;
  struct MassOptions;

  /**
   * A point in the life of a system, as a value: all that its energy depends
   * on. It can be copied, kept, saved and put back, at any time.
   */
  struct State
  {
    Vector              q;          ///< this rank's share of the unknowns
    std::vector<double> parameters; ///< in the order of System::parameters()
    Vector              history; ///< this rank's share, see System::history()
  };

  /**
   * What every solver sees: unknowns q, named scalar parameters p, an energy
   * E(q; p) with its derivatives, measurements and a drawing of itself. A body
   * alone is a system (see Model); so are several of them with what acts
   * between them (see Structure).
   *
   * Where something acts that has no potential (see has_potential()), there is
   * a force Q(q; p) besides the energy; an equilibrium has dE/dq = Q.
   *
   * Unknowns and energy are dimensionless and of order one (lengths by the
   * size of the body, energies by its bending stiffness over its length), so
   * that solvers can use absolute tolerances. Parameters and measurements are
   * in the user's units.
   *
   * A system does no input or output and knows nothing of studies or solvers.
   * It lives on the communicator of its layout; functions are collective
   * there, and a Vector is always one rank's share (see Layout) with valid
   * ghosts.
   */
  class System : public Parametrised
  {
  public:
    virtual const Layout &
    layout() const = 0;

    /// What an energy of one means in the user's units [energy].
    virtual double
    energy_unit() const = 0;

    /// 1 for curves, whose unknowns can be put in an order in which each is
    /// coupled with its neighbours only; 2 where there are surfaces.
    virtual int
    dimension() const
    {
      return 1;
    }

    /**
     * How many of the unknowns are Lagrange multipliers, on all ranks together.
     * With multipliers the energy is a Lagrangian and an equilibrium a saddle
     * point of it: at a stable one the Hessian has this many negative
     * eigenvalues.
     */
    virtual Index
    n_multipliers() const;

    /// A state to start from; it satisfies all prescribed values.
    virtual Vector
    initial_state() const = 0;

    /**
     * Whether all that acts at the present parameters has a potential. If not
     * (a pressure on a shell with a free edge, a force that turns with the end
     * of a rod), there is a force Q(q) that energy() does not know; gradient()
     * is what is out of balance, dE/dq - Q, and hessian() its derivative, which
     * is not symmetric. Energies then do not tell stable states, and the signs
     * of eigenvalues do so only without flutter. Collective.
     */
    virtual bool
    has_potential() const
    {
      return true;
    }

    /// This rank's part of the energy: the sum over ranks is E(q; p).
    virtual double
    energy(const Vector &q) const = 0;

    /// This rank's part of dE/dq - Q, ghosts included: what stands at a ghost
    /// is still to be added to its owner's value.
    virtual Vector
    gradient(const Vector &q) const = 0;

    /// The derivative of gradient(): exact, and symmetric where there is a
    /// potential. Every block that can be nonzero under the present pattern()
    /// is added at every call, so that one call shows it.
    virtual void
    hessian(const Vector &q, HessianSink &sink) const = 0;

    /// A number that changes when blocks of the Hessian may have appeared or
    /// gone, on all ranks alike: matrices made before do not fit any more.
    virtual unsigned long
    pattern() const
    {
      return 0;
    }

    /// Called with each iterate of a search before anything is evaluated there:
    /// what acts may change with the place (contacts come and go), and with it
    /// the energy and the pattern(). Most systems have nothing to look for.
    /// Collective.
    virtual void
    survey(const Vector & /*q*/)
    {}

    /// How far a search may go from q along a direction (with valid ghosts), as
    /// a multiple of it: beyond, bodies might pass through each other. The same
    /// on all ranks.
    virtual double
    longest_step(const Vector & /*q*/, const Vector & /*direction*/) const
    {
      return std::numeric_limits<double>::infinity();
    }

    /**
     * The tangent of the mixed-integration-point Newton method (Magisano,
     * Leonetti, Garcea): the Hessian, but with the geometric stiffness of the
     * stiff strains taken from the stress that the previous iterate's
     * linearisation predicts, sigma = C (eps(q0) + B(q0) (q - q0)). It equals
     * the Hessian where q = q0. Without stiff strains it is the Hessian.
     *
     * @param previous the full_state() of the previous iterate
     */
    virtual void
    newton_tangent(const Vector &q,
                   const Vector &previous,
                   HessianSink  &sink) const;

    /// d2E/dq2 times a direction (with valid ghosts), this rank's part like
    /// gradient(). The default multiplies block by block. Models with stiff
    /// strains do better: the strain first, then its stiffness; entries of the
    /// Hessian hold stiffnesses whose round-off would swamp the soft modes.
    virtual Vector
    hessian_times(const Vector &q, const Vector &direction) const;

    /// A state together with the values that are prescribed under the present
    /// parameters, in an order of the system's own.
    virtual Vector
    full_state(const Vector &q) const;

    /// d2E/dq dp for a named parameter, this rank's part like gradient().
    /// Central differences at a step suited to the parameter's scale.
    Vector
    parameter_derivative(const Vector &q, const std::string &name);

    /// How it resists being accelerated. It refers to the system. Throws
    /// InputError for systems that have no inertia.
    virtual std::unique_ptr<Kinetics>
    kinetics(const MassOptions &options) const;

    /// How it resists being deformed quickly. It refers to the system. Throws
    /// InputError for systems that have no such law.
    virtual std::unique_ptr<Dissipation>
    dissipation(const DissipationOptions &options) const;

    /// Accepts a state: history that the energy refers to (such as reference
    /// frames) moves on. The state itself keeps its meaning; true is returned
    /// if directions at it may not, so that tangents and modes are to be
    /// computed anew.
    virtual bool
    commit(const Vector &q);

    /// What commit() has gathered, this rank's share; empty for most systems.
    virtual Vector
    history() const;

    virtual void
    set_history(const Vector &history);

    /// Where this rank's unknowns and history stand in those of the whole,
    /// whatever the number of ranks: what is saved on some ranks can be taken
    /// up on others. By default the unknowns' global numbers, and no history.
    virtual Places
    unknown_places() const;

    virtual Places
    history_places() const;

    /// q under the present parameters and history, as a value ...
    State
    state(const Vector &q) const;

    /// ... and back: the system stands there again.
    void
    set_state(const State &state);

    virtual std::vector<Measurement>
    measure(const Vector &q) const = 0;

    /// This rank's piece of a drawing of the whole. Collective.
    virtual Drawing
    draw(const Vector &q) const = 0;
  };

  /// The value of one measurement; throws InputError, with the names that
  /// exist, if the model does not measure it.
  double
  find_measurement(const std::vector<Measurement> &measurements,
                   const std::string              &name);
} // namespace slender

#endif

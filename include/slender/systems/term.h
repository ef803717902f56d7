// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_systems_term_h
#define slender_systems_term_h

#include <slender/base/places.h>
#include <slender/systems/hessian_sink.h>
#include <slender/systems/measurement.h>
#include <slender/systems/parametrised.h>

#include <limits>
#include <vector>

namespace slender
{
  class Structure;

  /**
   * An energy in the unknowns of one or several members of a structure that is
   * not one of the members' own: a joint, a spring, a load on a marker, the
   * inertia of a time step, a contact.
   *
   * Vectors are those of the structure (see System), energies are in its
   * energy_unit(). All functions are collective.
   */
  class Term : public Parametrised
  {
  public:
    /// Called once, when the term becomes part of a structure, which outlives
    /// it.
    virtual void
    join(const Structure & /*structure*/)
    {}

    /// See System::has_potential().
    virtual bool
    has_potential() const
    {
      return true;
    }

    /// This rank's part.
    virtual double
    energy(const Vector &q) const = 0;

    /// Adds this rank's part.
    virtual void
    add_gradient(const Vector &q, Vector &gradient) const = 0;

    virtual void
    add_hessian(const Vector &q, HessianSink &sink) const = 0;

    virtual void
    add_hessian_times(const Vector &q,
                      const Vector &direction,
                      Vector       &product) const = 0;

    /// See System::pattern().
    virtual unsigned long
    pattern() const
    {
      return 0;
    }

    /// See System::survey().
    virtual void
    survey(const Vector & /*q*/)
    {}

    /// See System::longest_step().
    virtual double
    longest_step(const Vector & /*q*/, const Vector & /*direction*/) const
    {
      return std::numeric_limits<double>::infinity();
    }

    // What a term gathers from one accepted state to the next (where a contact
    // sticks), see System::commit() and System::history().

    virtual bool
    commit(const Vector & /*q*/)
    {
      return false;
    }

    virtual Vector
    history() const
    {
      return Vector();
    }

    virtual void
    set_history(const Vector & /*history*/)
    {}

    virtual Places
    history_places() const
    {
      return {};
    }

    /// What it has to say about a state: forces, gaps.
    virtual std::vector<Measurement>
    measure(const Vector & /*q*/) const
    {
      return {};
    }
  };
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_systems_term_h
#define slender_systems_term_h

#include <slender/systems/hessian_sink.h>
#include <slender/systems/parametrised.h>

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
  };
} // namespace slender

#endif

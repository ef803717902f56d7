// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_contact_contact_springs_h
#define slender_contact_contact_springs_h

#include <slender/contact/contact.h>
#include <slender/solvers/ghosts.h>
#include <slender/solvers/system_tangent.h>
#include <slender/systems/touching_points.h>

#include <vector>

namespace slender
{
  /**
   * How stiff the springs of AugmentedStep are: with every substitution their
   * stretch falls by as much as they are stiffer than the body, seen by the
   * contacts. Of a body that one contact holds, that is its compliance there.
   * Where points side by side are held, each of them sees its own stiffness
   * with its neighbours held, the diagonal of the tangent: a membrane that lies
   * on an obstacle gives way along it to all of them together, and hardly to
   * any of them alone. A body whose diagonal does not tell that has the same
   * springs everywhere, those of one contact; they are too soft for many that
   * lie side by side, which are tried by the diagonal where that fails.
   */
  class ContactSprings
  {
  public:
    /// All have to outlive it.
    ContactSprings(const System         &system,
                   const TouchingPoints &points,
                   const Exchange       &exchange,
                   SystemTangent        &tangent);

    /// By the diagonal even if it does not tell.
    bool by_diagonal = false;

    /// Whether it is known how stiff springs of so many contacts are.
    bool
    known(long n_contacts) const;

    void
    forget();

    /// Whether they are found by a compliance, for which measure() needs the
    /// tangent at q without springs.
    bool
    ask_tangent(long n_contacts) const;

    /// Finds out at q. False if nothing comes of it. Collective.
    bool
    measure(const Vector &q, const std::vector<Touch> &touches);

    /// Gives contacts their springs, none if nothing is known.
    void
    put(std::vector<Touch> &touches, double stiffer = 1.) const;

  private:
    void
    put(Touch &touch, double stiffer) const;

    /// Of the first of all contacts, along its normal.
    double
    compliance(const std::vector<Touch> &touches);

    const System         &system;
    const TouchingPoints &points;
    const Exchange       &exchange;
    SystemTangent        &tangent;
    double                of_one = 0.; ///< by a compliance [force/length]
    Vector                diagonal;    ///< of the tangent; known for many
  };
} // namespace slender

#endif

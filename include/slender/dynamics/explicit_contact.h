// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_dynamics_explicit_contact_h
#define slender_dynamics_explicit_contact_h

#include <slender/contact/contact.h>
#include <slender/contact/obstacle.h>
#include <slender/systems/kinetics.h>
#include <slender/systems/system.h>

#include <functional>
#include <memory>
#include <vector>

namespace slender
{
  /**
   * A body whose nodes have masses, in central differences, as explicit codes
   * treat contact: where the nodes would be at a step's end without obstacles
   * is known, and what is inside there is stopped by the force m depth/h^2 of
   * that step (kinematic contact). Sticking is a spring between point and
   * obstacle, k = part m/h^2, whose force is at most mu times the pressure: a
   * point that sticks has moved by up to mu N/k. Unknowns without mass are
   * kept. One rank.
   */
  class ExplicitContact
  {
  public:
    /// All have to outlive it. `drive` moves the obstacles to where they are at
    /// a time. Throws InputError for a body whose mass matrix is not diagonal.
    ExplicitContact(System                     &system,
                    const Obstacles            &obstacles,
                    double                      drag,
                    double                      part,
                    std::function<void(double)> drive);

    void
    start(const Vector &q, double time);

    /// False if numbers have overflowed.
    bool
    step(double length);

    /// Below it nothing grows, of the present state without contacts.
    double
    stable_step() const;

    const Vector &
    place() const
    {
      return q;
    }

    double
    time() const
    {
      return now;
    }

    const std::vector<Contact> &
    contacts() const
    {
      return found;
    }

  private:
    System                         &system;
    const Obstacles                &obstacles;
    double                          drag, part;
    std::function<void(double)>     drive;
    std::unique_ptr<TouchingPoints> points;
    Vector                          inverse_mass; ///< zero where there is none
    Vector                          q, rate;      ///< half a step before
    double                          now   = 0.;
    long                            steps = 0;
    /// How far the springs of points at obstacles are stretched.
    std::vector<Eigen::Matrix3Xd> stretch;
    std::vector<Contact>          found;
  };
} // namespace slender

#endif

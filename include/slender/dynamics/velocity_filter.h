// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_dynamics_velocity_filter_h
#define slender_dynamics_velocity_filter_h

#include <slender/contact/contact.h>
#include <slender/contact/obstacle.h>
#include <slender/dynamics/mass_matrix.h>
#include <slender/dynamics/motion.h>

#include <memory>
#include <vector>

namespace slender
{
  /// Of a velocity filter.
  struct FilterOptions
  {
    int    rounds    = 10;   ///< of impulses, one contact after the other
    double thickness = 1e-3; ///< nearer points are repelled [length]
    double repulsion = 1e3;  ///< [force/length]
  };

  /**
   * A body in motion whose velocities are corrected after each step that knows
   * nothing of obstacles (Bridson et al. 2002, Harmon et al. 2008):
   *
   * - points nearer than a thickness are repelled by a spring, as long as they
   *   do not leave faster than a tenth of the thickness per step;
   * - a point that would be inside at the step's end gets the impulse that
   *   stops it, one point after the other, for some rounds, and friction turns
   *   its tangential velocity into max(0, 1 - mu dv_n/|v_t|) v_t;
   * - what is inside nevertheless is stopped all at once, by the smallest
   *   change of velocities in the metric of the masses.
   *
   * Impulses know of the masses alone and not of the stiffness: forces of
   * contact and the body's own do not balance at the end of a step. One rank.
   */
  class FilteredMotion
  {
  public:
    /// All have to outlive it. The motion has no search of its own; its drive
    /// moves the obstacles.
    FilteredMotion(System              &system,
                   Motion              &motion,
                   const Obstacles     &obstacles,
                   const FilterOptions &options);

    Motion::Step
    step(double length);

    /// Of the last step; forces are impulses over its length.
    const std::vector<Contact> &
    contacts() const
    {
      return found;
    }

  private:
    /// A point that may hit something, and its velocity in the contact's frame,
    /// relative to the obstacle.
    struct Hit;

    std::vector<Hit>
    near_points(const Vector &q, const Vector &rates, double length);

    System                         &system;
    Motion                         &motion;
    const Obstacles                &obstacles;
    FilterOptions                   options;
    std::unique_ptr<TouchingPoints> points;
    MassMatrix                      mass;
    std::vector<Contact>            found;
  };
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_contact_augmented_step_h
#define slender_contact_augmented_step_h

#include <slender/contact/contact.h>
#include <slender/solvers/ghosts.h>
#include <slender/solvers/system_tangent.h>

namespace slender
{
  /**
   * One step of Newton's method for a body and its contacts together, by the
   * method of multipliers. A contact that sticks is a stiff spring with a force
   * r~ of its own,
   *
   *   r = r~ - rho (u + H dq),
   *
   * one that slips is such a spring along its normal, with friction
   * mu r_n a/|a|, a = r~_t - rho (u_t + H_t dq) across it. The springs are a
   * part of the tangent, so that a solution costs one substitution, however
   * many contacts there are; r~ takes the value of r until springs do not
   * stretch any more, which is then exact and not a matter of rho; Anderson's
   * acceleration spares substitutions. What sticks, slips or opens thereafter
   * follows from r by Alart's and Curnier's projection. That is asked as soon
   * as forces are known well enough to tell.
   */
  class AugmentedStep
  {
  public:
    /// All have to outlive it.
    AugmentedStep(const Layout   &layout,
                  const Exchange &exchange,
                  SystemTangent  &tangent,
                  double          energy_unit,
                  double         &seconds_in_contacts);

    /// Springs that stretch by less are at rest [length].
    double resolution = 0.;

    /// In a time step inertia holds the body, and forces on their way to rest
    /// tell what sticks; those on a body that contacts alone hold may not.
    bool in_motion = false;

    /// What a contact adds to the tangent, as a stiffness of its point in
    /// space.
    Eigen::Matrix3d
    stiffness(const Touch &touch) const;

    struct Result
    {
      Vector step;               ///< of the unknowns
      bool   solved     = false; ///< the tangent is not singular
      bool   settled    = false; ///< springs and forces have come to rest
      bool   changed    = false; ///< another contact sticks, slips or opens
      int    iterations = 0;
    };

    /**
     * @param touches their forces and states are tried, and become those after
     *   the step
     * @param gradient of body and forces of before, accumulated
     * @param before those forces, in space
     * @param is_repeated the body has had its own solution, so that all of this
     *   is the contacts' time
     */
    Result
    solve(std::vector<Touch>         &touches,
          const Vector               &gradient,
          const std::vector<Vector3> &before,
          bool                        is_repeated = false);

  private:
    /// Of a contact that slips.
    struct Friction
    {
      Eigen::Vector2d direction = Eigen::Vector2d::Zero();
      Eigen::Vector2d aside     = Eigen::Vector2d::Zero(); ///< a force
      Eigen::Matrix2d turning   = Eigen::Matrix2d::Zero(); ///< a stiffness
    };

    Friction
    friction(const Touch &touch) const;

    const Layout   &layout;
    const Exchange &exchange;
    SystemTangent  &tangent;
    double          unit;
    double         &seconds;
  };
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_contact_lagged_friction_h
#define slender_contact_lagged_friction_h

#include <slender/base/types.h>

namespace slender::contact
{
  /**
   * Friction at a contact in a time step (Li et al. 2020): the energy
   *
   *   mu N f(|w|) ,  f(w) = w - w0/3 beyond w0, w^2/w0 - w^3/(3 w0^2) up to it,
   *
   * of the tangential displacement w since the last accepted state, with the
   * normal n and the normal force N that were there. So a contact sticks up to
   * a creep, and beyond it the force is mu N against the motion.
   */
  struct LaggedFriction
  {
    double  limit  = 0.; ///< mu N
    double  width  = 1.; ///< w0
    Vector3 normal = Vector3::UnitZ();

    struct Slip
    {
      Vector3 tangential;
      double  length, energy, slope_over_length, bend;
    };

    Slip
    slip(const Vector3 &displacement) const;

    /// Its derivative by the displacement.
    Vector3
    force(const Vector3 &displacement) const;

    enum class Stiffness
    {
      tangent, ///< the second derivative
      secant   ///< force over displacement, in all tangential directions
    };

    /**
     * With the tangent, Newton's method overshoots where friction will hold: it
     * is zero along the motion of what slides. As f is concave in w^2, the
     * secant is never too soft: it leads towards sticking without overshoot,
     * but to the end of a slide only little by little.
     */
    Eigen::Matrix3d
    stiffness(const Vector3 &displacement,
              Stiffness      kind = Stiffness::tangent) const;

    /// The kind for an iteration of a search: what slides steadily is found by
    /// tangents in a few; where it is not, secants help.
    static Stiffness
    stiffness_of_iteration(const int iteration)
    {
      return iteration >= first_secant && iteration < last_secant
               ? Stiffness::secant
               : Stiffness::tangent;
    }
    static constexpr int first_secant = 4, last_secant = 10;

    /// What counts iterations, while there is no search.
    static constexpr int outside_a_step = 1000000;
  };
} // namespace slender::contact

#endif

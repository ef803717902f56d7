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

    Eigen::Matrix3d
    stiffness(const Vector3 &displacement) const;
  };
} // namespace slender::contact

#endif

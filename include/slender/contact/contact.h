// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_contact_contact_h
#define slender_contact_contact_h

#include <slender/contact/coulomb.h>
#include <slender/systems/touching_points.h>

namespace slender
{
  /// A point at an obstacle.
  struct Contact
  {
    Index        point;    ///< of this rank's
    std::size_t  obstacle; ///< its number
    double       gap;
    Vector3      normal; ///< of the obstacle
    Vector3      force;  ///< on the point
    Vector3      slip;   ///< along the obstacle, since the step began
    ContactState state;

    double
    pressure() const
    {
      return force.dot(normal);
    }

    Vector3
    friction() const
    {
      return force - pressure() * normal;
    }
  };

  /// A contact within a search: how it moves with the unknowns, in its own
  /// frame of the normal and two tangents.
  struct Touch
  {
    Contact contact;
    double  friction = 0.; ///< Coulomb's coefficient
    /// Where it is not zero, friction is this times the slip, against it, and
    /// nothing sticks [force/length].
    double          viscosity = 0.;
    Eigen::Matrix3d frame     = Eigen::Matrix3d::Zero();
    Vector3 moved = Vector3::Zero(); ///< gap, and slip since the beginning
    std::vector<Index> unknowns;     ///< local numbers, negative if prescribed
    Eigen::Matrix3Xd   rows;         ///< how `moved` changes with them
    /// How stiff a spring is that holds it, along its normal and along the
    /// obstacle [force/length]; zero if that is not known yet.
    double spring_across = 0., spring_along = 0.;
    /// That of the body along the obstacle, with which slip becomes a force
    /// when it is asked what sticks.
    double own_along = 0.;

    Vector3
    springs() const
    {
      return {spring_across, spring_along, spring_along};
    }

    /// What a change of the unknowns adds to `moved`.
    Vector3
    rate(const Vector &direction) const
    {
      Vector3 sum = Vector3::Zero();
      for (std::size_t k = 0; k < unknowns.size(); ++k)
        if (unknowns[k] >= 0)
          sum += direction(unknowns[k]) * rows.col(static_cast<Index>(k));
      return sum;
    }
  };

  /// What a contact is tried as that has just come about, by where it would be
  /// without a force, as Alart's and Curnier's projection has it.
  ContactState
  first_state(const Touch &touch, const Vector3 &moved);
} // namespace slender

#endif

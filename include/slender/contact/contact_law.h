// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_contact_contact_law_h
#define slender_contact_contact_law_h

#include <slender/contact/pair_energy.h>

namespace slender
{
  /// How rods keep out of each other.
  enum class ContactMethod
  {
    imc,     ///< a soft hinge of the smooth distance
    barrier, ///< a barrier of the exact distance: nothing penetrates
    spt      ///< forces that undo what has penetrated, found by repetition
  };
} // namespace slender

namespace slender::contact
{
  /// The energy between two edges as a method has it; lengths and forces are in
  /// the user's units.
  struct ContactLaw
  {
    ContactMethod method    = ContactMethod::imc;
    double        force     = 1.; ///< F, see pair_energy.h
    double        sharpness = 50.;
    double        smoothing = 50.;
    double        depth     = 0.; ///< of imc, see SoftHinge
    double        gap       = 1.; ///< of the barrier
    double        reach     = 1.; ///< nothing acts beyond it

    /// Nothing acts between edges whose axes are further apart.
    double
    cutoff(double touching) const;

    PairEnergy
    energy(const FourPoints &x, double touching, Derivatives wanted) const;

    /// The normal force between two edges at a distance.
    double
    normal_force(double touching, double distance) const;
  };
} // namespace slender::contact

#endif

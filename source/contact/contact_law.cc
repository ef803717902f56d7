// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/contact/contact_law.h>

namespace slender::contact
{
  double
  ContactLaw::cutoff(const double touching) const
  {
    return touching + (method == ContactMethod::barrier ? gap : reach);
  }

  PairEnergy
  ContactLaw::energy(const FourPoints &x,
                     const double      touching,
                     const Derivatives wanted) const
  {
    if (method == ContactMethod::barrier)
      return barrier_contact(x, {touching, gap, force}, wanted);
    return soft_contact(x,
                        {touching, 0.5 * touching, sharpness, force, depth},
                        smoothing,
                        wanted);
  }

  double
  ContactLaw::normal_force(const double touching, const double distance) const
  {
    if (method == ContactMethod::barrier)
      return -Barrier{touching, gap, force}(distance).slope;
    return -SoftHinge{touching, 0.5 * touching, sharpness, force, depth}(
              distance)
              .slope;
  }
} // namespace slender::contact

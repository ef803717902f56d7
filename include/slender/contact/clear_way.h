// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_contact_clear_way_h
#define slender_contact_clear_way_h

#include <slender/contact/segment_distance.h>

namespace slender::contact
{
  /**
   * How far along x + s dx, up to `least`, two edges go until no more than a
   * part `remains` is left of the room that they have above `floor`; all of it
   * if they are nearer already.
   *
   * Conservative advancement: two edges that are g away from where they may not
   * be cannot get there before their points have moved by g towards each other.
   */
  double
  clear_way(const FourPoints &x,
            const FourPoints &dx,
            double            floor,
            double            remains,
            double            least);
} // namespace slender::contact

#endif

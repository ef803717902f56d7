// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_statics_buckled_state_h
#define slender_statics_buckled_state_h

#include <slender/statics/equilibrium.h>

namespace slender
{
  /**
   * From an equilibrium that is unstable along a mode to a stable one in that
   * direction, at the present parameters.
   *
   * The mode's amplitude is held and made larger step by step; every other
   * motion is free. The force that holds it pulls back at first, as the
   * equilibrium is unstable. How it changes tells where it vanishes, and near
   * that Newton's method finds the buckled state. If that is unstable along
   * another mode, it is left downhill.
   *
   * @param step of the amplitude, for the point that moves most [dimensionless]
   */
  Equilibrium
  buckled_state(System              &system,
                const NewtonOptions &newton,
                const Vector        &unstable,
                const Vector        &mode,
                double               step = 0.1);
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_statics_linear_buckling_h
#define slender_statics_linear_buckling_h

#include <slender/systems/system.h>

#include <string>
#include <vector>

namespace slender
{
  /// A way in which a body may buckle, as linear analysis sees it.
  struct BucklingMode
  {
    double load; ///< critical value of the parameter
    Vector mode; ///< this rank's share, with ghosts
  };

  /**
   * Linear buckling analysis (SLEPc): the lowest positive loads at which the
   * Hessian K of a body without load, and its change K_g in proportion to the
   * load, have a common null vector,
   *
   *   K x + load K_g x = 0,   K_g = d/ds of the Hessian at q + s u,
   *   K u = - d2E/dq dp,
   *
   * in which u is the linear response to a load of one. The difference quotient
   * for K_g is central, over the response to plus and minus `load_scale`.
   *
   * @param q a stable equilibrium without load
   * @param load the name of the parameter of a dead load, which is zero: one
   *        that does not change the Hessian by itself, as a pressure that
   *        follows the surface does
   * @param load_scale a load whose response is well above round-off and still
   *        a tiny displacement
   * @return at most `n` modes, ascending
   */
  std::vector<BucklingMode>
  buckling_modes(System            &system,
                 const Vector      &q,
                 const std::string &load,
                 double             load_scale,
                 int                n);
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_validation_elastica_h
#define slender_validation_elastica_h

namespace slender
{
  /**
   * The aspect ratio H/W of the heavy elastica that is clamped horizontally,
   *
   *   theta'' + Gamma (1 - s) cos theta = 0, theta(0) = 0, theta'(1) = 0,
   *
   * for any gravito-bending parameter Gamma > 0, to about twelve digits: what
   * the Cantilever is compared with where its table has no value.
   *
   * The boundary-value problem is shot from the free end, the direction in
   * which it is well conditioned, in v = Gamma^(1/3) (1 - s) and Gudermann's
   * variable y with sin theta = tanh y; it then reads
   * y'' = -v + y'^2 tanh y, y'(0) = 0, y(Gamma^(1/3)) = 0, in which nothing
   * over- or underflows however long the rod hangs vertically.
   */
  double
  elastica_aspect_ratio(double gamma);
} // namespace slender

#endif

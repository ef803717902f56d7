// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_thin_limit_h
#define slender_studies_thin_limit_h

#include <slender/models/shells/rest_surface.h>
#include <slender/models/shells/shell_body.h>

#include <functional>

namespace slender
{
  struct ThinLimitEnergy
  {
    double membrane = 0., bending = 0.;
  };

  /**
   * Koiter's energy of a deformed surface,
   *
   *   int h/8 |a - a_0|^2_A + h^3/24 |b - b_0|^2_A dA_0,
   *
   * without any discretisation: Gauss points in pieces of the patches, and
   * derivatives by differences of high order. Right to about eight digits for
   * shapes that vary over lengths not far below the size of a piece.
   */
  ThinLimitEnergy
  thin_limit_energy(const RestSurface                             &surface,
                    const ShellBody                               &body,
                    const std::function<Vector3(const Vector3 &)> &deformed);
} // namespace slender

#endif

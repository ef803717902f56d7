// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_systems_projective_h
#define slender_systems_projective_h

#include <slender/systems/hessian_sink.h>

namespace slender
{
  class System;

  /**
   * What a system also is if its energy is a sum of w/2 |A q - p|^2, each with
   * the point p of some set that is nearest to A q, and of dead loads.
   */
  class Projective
  {
  public:
    virtual ~Projective() = default;

    /// The Hessian with all p held, sum w A^T A: the same at every state. Its
    /// blocks are among those of the Hessian. Throws InputError where something
    /// acts, or has been chosen, that is not of this kind.
    virtual void
    projective_tangent(HessianSink &sink) const = 0;
  };

  /// Throws InputError for a system that is not.
  const Projective &
  projective(const System &system);
} // namespace slender

#endif

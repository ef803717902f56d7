// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_statics_stability_count_h
#define slender_statics_stability_count_h

#include <slender/solvers/system_tangent.h>

namespace slender
{
  /// How many directions are unstable.
  struct StabilityCount
  {
    Index n_negative   = 0;
    bool  is_undecided = false; ///< see BranchPoint
  };

  /// Whether a body is so large that signs of its pivots may be round-off.
  bool
  has_many_unknowns(const System &system);

  /**
   * Whether a factorisation of the Hessian at q is worse than the Hessian: a
   * soft mode v is not regained from H v, which System::hessian_times gives
   * accurately. The bending stiffness of a segment is n^3 times that of a rod
   * of n segments, and from some 10^4 on round-off of the matrix's entries is
   * as large as the lowest eigenvalues; signs of pivots then say nothing.
   * Bodies of a few thousand unknowns are not asked. Collective.
   */
  bool
  is_lost_in_round_off(const System  &system,
                       SystemTangent &tangent,
                       const Vector  &q);

  /// Whether signs of pivots are round-off: as above, or because some are
  /// negative that no Rayleigh quotient confirms. Of large bodies only, as
  /// above; collective.
  bool
  has_wrong_signs(const System  &system,
                  SystemTangent &tangent,
                  const Vector  &q);

  /// A count of negative pivots that is in doubt, by Rayleigh quotients: as
  /// many directions as have negative ones certainly are unstable. Collective.
  StabilityCount
  verified_count(const System  &system,
                 SystemTangent &tangent,
                 const Vector  &q,
                 Index          count);

  /// Unstable directions at a state: by the signs of pivots, unless round-off
  /// decides these. Collective.
  StabilityCount
  count_unstable(const System &system, SystemTangent &tangent, const Vector &q);
} // namespace slender

#endif

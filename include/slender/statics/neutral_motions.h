// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_statics_neutral_motions_h
#define slender_statics_neutral_motions_h

#include <slender/systems/system.h>

#include <vector>

namespace slender
{
  /**
   * The motions of an equilibrium that cost no energy, so that there is not one
   * equilibrium but a family of them, and the Hessian has as many eigenvalues
   * zero: a body that nothing holds moves rigidly; a round rod that has buckled
   * between two clamps turns about the line between them while its sections
   * spin the other way.
   *
   * They are those combinations of the system's free_motions() on which the
   * Hessian does nothing (products strain first, see System::hessian_times):
   * neither a load nor a support nor a section that is not round minds them.
   * That is found by eliminating, one after another, the motions that meet the
   * largest resistance. A mode that happens to be critical is not among them,
   * however soft it is.
   *
   * Orthonormal; collective. With multipliers (see System::n_multipliers) a
   * state is not what free_motions() move, and there are none.
   */
  std::vector<Vector>
  neutral_motions(const System &system, const Vector &q);
} // namespace slender

#endif

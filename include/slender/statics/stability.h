// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_statics_stability_h
#define slender_statics_stability_h

#include <slender/solvers/spectral.h>

#include <vector>

namespace slender
{
  /// An eigenvalue of a system's Hessian with its eigenvector of unit length.
  struct Eigenpair
  {
    double value;
    Vector mode; ///< this rank's share, with ghosts; see orientation()
  };

  /**
   * The `n` lowest eigenpairs of the Hessian at a state (SLEPc, shift and
   * invert), ascending; fewer if not all converged. The unknowns are
   * dimensionless, so it is the signs and the shapes of the modes that have a
   * meaning; the magnitudes depend on the mesh.
   */
  std::vector<Eigenpair>
  lowest_eigenpairs(const System &system, const Vector &q, int n);
} // namespace slender

#endif

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
   * An orthonormal basis of the space that some orthonormal modes span, which
   * does not depend on the choice of these: the first one moves a component as
   * far as it can be moved; it is the component that moves furthest, and of
   * several that move as far but for round-off the first one in the whole
   * body's state. So of all directions in which a round column may buckle the
   * same one is taken always. Each is turned as orientation() says.
   */
  std::vector<Vector>
  arranged(const System &system, std::vector<Vector> modes);

  /**
   * The `n` lowest eigenpairs of the Hessian at a state (SLEPc, shift and
   * invert), ascending; fewer if not all converged. The unknowns are
   * dimensionless, so it is the signs and the shapes of the modes that have a
   * meaning; the magnitudes depend on the mesh.
   *
   * Without a potential: of those nearest to zero, the real parts and the real
   * parts of the modes.
   */
  std::vector<Eigenpair>
  lowest_eigenpairs(const System &system, const Vector &q, int n);
} // namespace slender

#endif

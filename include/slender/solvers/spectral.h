// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_solvers_spectral_h
#define slender_solvers_spectral_h

#include <slender/systems/system.h>

// SLEPc's handle, without its headers.
using EPS = struct _p_EPS *;

namespace slender
{
  /**
   * Which of a mode and its mirror image is meant wherever one has to be
   * chosen, as the factor 1 or -1 that turns a mode into it: the one whose
   * components have a positive sum; if that is zero but for round-off, the one
   * whose largest component is positive; of several that are as large but for
   * round-off, the first one in the whole body's state. So the choice depends
   * neither on the number of ranks nor on digits that differ from run to run.
   */
  double
  orientation(const System &system, const Vector &mode);

  /// What eigenvalue problems with a shift have in common.
  namespace spectral
  {
    /// Makes the spectral transformation shift and invert, with MUMPS.
    void
    factorise_with_mumps(EPS eps);

    /// How many eigenvalues lie below the shift of a spectral transformation
    /// that is set up, from the signs of its pivots.
    int
    n_below_shift(EPS eps);
  } // namespace spectral
} // namespace slender

#endif

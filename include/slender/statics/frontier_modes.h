// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_statics_frontier_modes_h
#define slender_statics_frontier_modes_h

#include <slender/solvers/ghosts.h>

#include <Eigen/Core>

namespace slender
{
  /// Eigenvalues of a Hessian that differ by less than this over the number of
  /// unknowns are one, and such as are below it vanish by a symmetry: round-off
  /// decides between their modes, and of their signs. In units of that of a
  /// body which an energy of one deforms by its own size.
  constexpr double same_eigenvalue = 1e-6;

  /// Columns over the ranks' unknowns; the first one keeps its direction.
  void
  orthonormalise(Eigen::MatrixXd &columns, const Exchange &exchange);
} // namespace slender

#endif

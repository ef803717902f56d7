// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_base_types_h
#define slender_base_types_h

#include <Eigen/Core>

namespace slender
{
  /// Numbers of unknowns, global or local. PETSc is built with 32-bit indices.
  using Index = int;

  /// A vector of unknowns as one rank sees it, see Layout.
  using Vector = Eigen::VectorXd;

  using Vector3 = Eigen::Vector3d;

  /// A quaternion as four plain numbers (scalar part first), not necessarily
  /// of unit length: rods use it as an additive unknown.
  using Vector4 = Eigen::Vector4d;
} // namespace slender

#endif

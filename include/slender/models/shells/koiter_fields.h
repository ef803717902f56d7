// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_shells_koiter_fields_h
#define slender_models_shells_koiter_fields_h

#include <slender/models/shells/koiter_cells.h>

namespace slender::koiter
{
  /// What a node of a cell looks like, in units of the size and of the bending
  /// stiffness. Principal values: the larger one first.
  struct NodeFields
  {
    Vector3               position, displacement, normal;
    std::array<double, 2> membrane_force, moment, curvature;
    double                membrane_energy, bending_energy; ///< per rest area
    double                thickness;                       ///< factor of it
    /// Natural lengths over those at rest, mean over directions.
    double stretch;
  };

  /**
   * The fields at the nodes of one cell of this rank. Membrane forces mean
   * something at the reduced quadrature points only; they are interpolated
   * from there.
   */
  std::vector<NodeFields>
  node_fields(const ShellMesh    &mesh,
              const NodalVectors &rest,
              const NodalVectors &x,
              const Law          &law,
              std::size_t         cell);
} // namespace slender::koiter

#endif

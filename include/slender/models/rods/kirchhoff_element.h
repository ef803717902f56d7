// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_rods_kirchhoff_element_h
#define slender_models_rods_kirchhoff_element_h

#include <slender/models/finite_elements/density_assembly.h>

#include <vector>

/**
 * Gradient, Hessian and Hessian times a vector of one Kirchhoff element: the
 * sums over its quadrature points of the densities in kirchhoff_kernel.h,
 * carried to its nodes. They are where the time of a rod goes, and therefore
 * plain loops over arrays of fixed shape (see vectorised.h): a node has its
 * quaternion and its position, each padded to four numbers.
 */
namespace slender::kirchhoff
{
  constexpr int n_components = 7; ///< of a node: quaternion, then centreline
  constexpr int most_nodes   = 11;

  /// Values of an element's nodes, or forces on them.
  struct NodeValues
  {
    double at[most_nodes][8];
  };

  struct QuadraturePoint
  {
    double weight; ///< with the element's length
    /// Row 0: values, row 1: derivatives along the rod.
    finite_elements::ShapeValues shape;
  };

  /// Curvatures are evaluated at points of their own, and so are stretches.
  struct ElementPoints
  {
    std::vector<QuadraturePoint> bending, stretching;
  };

  struct ElementLaw
  {
    Vector3 curvature_stiffness, stretch_stiffness, natural;
    Vector3 weight; ///< force per length
  };

  /// `gradient` has been set to zero.
  void
  add_gradient(const ElementPoints &points,
               const ElementLaw    &law,
               int                  n_nodes,
               const NodeValues    &u,
               NodeValues          &gradient);

  /// Of the Hessian at u with the direction v; likewise.
  void
  add_hessian_times(const ElementPoints &points,
                    const ElementLaw    &law,
                    int                  n_nodes,
                    const NodeValues    &u,
                    const NodeValues    &v,
                    NodeValues          &product);

  /// Into a matrix with seven rows and columns for each node. Where `previous`
  /// is given, stretching stresses are those that its linearisation predicts.
  void
  set_hessian(const ElementPoints &points,
              const ElementLaw    &law,
              int                  n_nodes,
              const NodeValues    &u,
              const NodeValues    *previous,
              double              *matrix);
} // namespace slender::kirchhoff

#endif

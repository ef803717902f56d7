// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_finite_elements_density_assembly_h
#define slender_models_finite_elements_density_assembly_h

#include <slender/base/types.h>

#include <array>

/**
 * The way from a density at a point to the unknowns of an element.
 *
 * A density depends on a handful of numbers z at a quadrature point; each is a
 * derivative of one component of the fields,
 *
 *   z_i = sum_a phi_a^{m(i)} u_{a, c(i)},
 *
 * with shape values phi_a^m (m = 0: value, 1: derivative, ...) that do not
 * depend on the state. The element's gradient and Hessian are therefore
 * B^T g and B^T H B with a B that is known at compile time up to the phi_a^m.
 */
namespace slender::finite_elements
{
  /// One input of a density: which component, which derivative.
  struct Input
  {
    int component;
    int derivative;
  };

  /// Shape values at one quadrature point: row m, column a.
  using ShapeValues = Eigen::MatrixXd;

  /// Unknowns of an element: row c, column a (component fastest).
  using ElementUnknowns = Eigen::MatrixXd;

  template <std::size_t n>
  Eigen::Matrix<double, int(n), 1>
  evaluate(const std::array<Input, n> &inputs,
           const ShapeValues          &shape,
           const ElementUnknowns      &u)
  {
    Eigen::Matrix<double, int(n), 1> z;
    for (std::size_t i = 0; i < n; ++i)
      {
        double sum = 0.;
        for (Index a = 0; a < u.cols(); ++a)
          sum += shape(inputs[i].derivative, a) * u(inputs[i].component, a);
        z(i) = sum;
      }
    return z;
  }

  /// Adds weight B^T g.
  template <std::size_t n>
  void
  add_gradient(const std::array<Input, n>             &inputs,
               const ShapeValues                      &shape,
               const double                            weight,
               const Eigen::Matrix<double, int(n), 1> &g,
               ElementUnknowns                        &result)
  {
    for (Index a = 0; a < result.cols(); ++a)
      for (std::size_t i = 0; i < n; ++i)
        result(inputs[i].component, a) +=
          weight * shape(inputs[i].derivative, a) * g(i);
  }

  /// Adds weight B^T H B, in two steps that use how sparse B is: first
  /// T_b = H B_b for each node b, then B_a^T T_b for each pair of nodes.
  template <int n_components, std::size_t n>
  void
  add_hessian(const std::array<Input, n>                  &inputs,
              const ShapeValues                           &shape,
              const double                                 weight,
              const Eigen::Matrix<double, int(n), int(n)> &H,
              Eigen::MatrixXd                             &result)
  {
    const Index n_nodes = static_cast<Index>(shape.cols());
    for (Index b = 0; b < n_nodes; ++b)
      {
        Eigen::Matrix<double, n_components, int(n)> T =
          Eigen::Matrix<double, n_components, int(n)>::Zero();
        for (std::size_t j = 0; j < n; ++j)
          T.row(inputs[j].component) +=
            weight * shape(inputs[j].derivative, b) * H.row(j);
        for (Index a = 0; a < n_nodes; ++a)
          for (std::size_t i = 0; i < n; ++i)
            result.col(a * n_components + inputs[i].component)
              .template segment<n_components>(b * n_components) +=
              shape(inputs[i].derivative, a) * T.col(i);
      }
  }
} // namespace slender::finite_elements

#endif

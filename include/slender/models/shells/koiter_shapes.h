// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_shells_koiter_shapes_h
#define slender_models_shells_koiter_shapes_h

#include <slender/base/types.h>

#include <array>
#include <type_traits>

namespace slender::koiter
{
  template <int rows, int cols>
  using RowMajor = Eigen::Matrix<double, rows, cols, Eigen::RowMajor>;

  /// Pairs of components (c, d), c <= d, of a symmetric matrix over nodes: the
  /// others follow by symmetry.
  constexpr int n_pairs = 6;
  constexpr int pairs[n_pairs][2] =
    {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

  /**
   * Shape functions of degree k on the unit square, and the quadratures of the
   * shell: the same for every cell and every edge, because coordinates are
   * convected.
   *
   * Bending is integrated with k + 1 Gauss points per direction, the membrane
   * with k: there its strain can vanish for every bending of the surface, so
   * that thin shells do not lock.
   */
  template <int k>
  struct Shapes
  {
    static constexpr int n_line    = k + 1;
    static constexpr int n_nodes   = n_line * n_line;
    static constexpr int n_full    = n_nodes;
    static constexpr int n_reduced = k * k;
    /// Five derivatives at each full point, the first two at each reduced one.
    static constexpr int n_rows = 5 * n_full + 2 * n_reduced;

    Shapes();

    /// Of cells: rows in the order of a Jet, columns are nodes.
    RowMajor<n_rows, n_nodes>     derivatives;
    RowMajor<n_full, n_nodes>     values;
    RowMajor<n_reduced, n_nodes>  reduced_values;
    std::array<double, n_full>    full_weights;
    std::array<double, n_reduced> reduced_weights;

    /// Of edges: at each of k + 1 Gauss points along the edge, the values,
    /// first and second derivatives of the functions of a line of nodes.
    std::array<RowMajor<n_line, n_line>, 3> along;
    std::array<double, n_line>              edge_weights;

    /// First and second derivatives into the cell, on the edge, of the function
    /// of each line of nodes.
    std::array<double, n_line> slope, bend;

    /// From the reduced points to the nodes, and derivatives at the nodes: for
    /// drawing.
    RowMajor<n_nodes, n_reduced>   reduced_to_nodes;
    RowMajor<5 * n_nodes, n_nodes> nodal_derivatives;
  };

  /// Calls a function with the degree as a constant: 2, 3 or 4.
  template <class Function>
  auto
  with_degree(const int degree, const Function &function)
  {
    switch (degree)
      {
        case 2:
          return function(std::integral_constant<int, 2>());
        case 3:
          return function(std::integral_constant<int, 3>());
        default:
          return function(std::integral_constant<int, 4>());
      }
  }

  extern template struct Shapes<2>;
  extern template struct Shapes<3>;
  extern template struct Shapes<4>;
} // namespace slender::koiter

#endif

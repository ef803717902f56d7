// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/shells/koiter_shapes.h>

#include <deal.II/base/polynomial.h>
#include <deal.II/base/quadrature_lib.h>

namespace slender::koiter
{
  namespace
  {
    using Polynomials = std::vector<dealii::Polynomials::Polynomial<double>>;

    /// Value, first and second derivative of each polynomial at a point.
    std::vector<std::array<double, 3>>
    evaluate(const Polynomials &polynomials, const double x)
    {
      std::vector<std::array<double, 3>> result;
      std::vector<double>                values(3);
      for (const auto &polynomial : polynomials)
        {
          polynomial.value(x, values);
          result.push_back({{values[0], values[1], values[2]}});
        }
      return result;
    }

    /// Which derivatives along the first and second coordinate a Jet has.
    constexpr int jet_orders[5][2] = {{1, 0}, {0, 1}, {2, 0}, {0, 2}, {1, 1}};
  } // namespace

  template <int k>
  Shapes<k>::Shapes()
  {
    const dealii::QGaussLobatto<1> nodes(n_line);
    const dealii::QGauss<1>        full(n_line), reduced(k);
    const Polynomials              polynomials =
      dealii::Polynomials::generate_complete_Lagrange_basis(nodes.get_points());

    // Rows of `target` from `row` on: the first n derivatives of a Jet at the
    // points (x, y) of a tensor product.
    const auto fill = [&](auto                        &target,
                          int                          row,
                          const int                    n,
                          const dealii::Quadrature<1> &points) {
      for (unsigned int q = 0; q < points.size() * points.size(); ++q)
        {
          const auto x =
            evaluate(polynomials, points.point(q % points.size())[0]);
          const auto y =
            evaluate(polynomials, points.point(q / points.size())[0]);
          for (int m = 0; m < n; ++m, ++row)
            for (int a = 0; a < n_nodes; ++a)
              target(row, a) = x[a % n_line][jet_orders[m][0]] *
                               y[a / n_line][jet_orders[m][1]];
        }
    };
    fill(derivatives, 0, 5, full);
    fill(derivatives, 5 * n_full, 2, reduced);
    fill(nodal_derivatives, 0, 5, nodes);

    const auto fill_values =
      [&](auto &weights, auto &target, const dealii::Quadrature<1> &points) {
        const unsigned int n = points.size();
        for (unsigned int q = 0; q < n * n; ++q)
          {
            weights[q]   = points.weight(q % n) * points.weight(q / n);
            const auto x = evaluate(polynomials, points.point(q % n)[0]);
            const auto y = evaluate(polynomials, points.point(q / n)[0]);
            for (int a = 0; a < n_nodes; ++a)
              target(q, a) = x[a % n_line][0] * y[a / n_line][0];
          }
      };
    fill_values(full_weights, values, full);
    fill_values(reduced_weights, reduced_values, reduced);

    for (int q = 0; q < n_line; ++q)
      {
        edge_weights[q] = full.weight(q);
        const auto x    = evaluate(polynomials, full.point(q)[0]);
        for (int j = 0; j < n_line; ++j)
          for (int order = 0; order < 3; ++order)
            along[order](q, j) = x[j][order];
      }
    const auto at_edge = evaluate(polynomials, 0.);
    for (int i = 0; i < n_line; ++i)
      {
        slope[i] = at_edge[i][1];
        bend[i]  = at_edge[i][2];
      }

    const Polynomials of_reduced =
      dealii::Polynomials::generate_complete_Lagrange_basis(
        reduced.get_points());
    for (int a = 0; a < n_nodes; ++a)
      {
        const auto x = evaluate(of_reduced, nodes.point(a % n_line)[0]);
        const auto y = evaluate(of_reduced, nodes.point(a / n_line)[0]);
        for (int q = 0; q < n_reduced; ++q)
          reduced_to_nodes(a, q) = x[q % k][0] * y[q / k][0];
      }
  }

  template struct Shapes<2>;
  template struct Shapes<3>;
  template struct Shapes<4>;
} // namespace slender::koiter

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/shells/koiter_shapes.h>
#include <slender/models/shells/shell_loads.h>

#include <deal.II/base/polynomial.h>
#include <deal.II/base/quadrature_lib.h>

#include <Eigen/Geometry>

#include <algorithm>

namespace slender
{
  namespace
  {
    /// Values and first two derivatives at the full points, and weights.
    struct PointShapes
    {
      Eigen::MatrixXd     rows; ///< three for each point
      std::vector<double> weights;
      Eigen::MatrixXd     edge_values, edge_derivatives;
      std::vector<double> edge_weights;
    };

    PointShapes
    point_shapes(const int degree)
    {
      return koiter::with_degree(degree, [](auto k) {
        using S            = koiter::Shapes<decltype(k)::value>;
        const auto  shapes = std::make_unique<S>();
        PointShapes result;
        result.rows.resize(3 * S::n_full, S::n_nodes);
        for (int q = 0; q < S::n_full; ++q)
          {
            result.rows.row(3 * q)     = shapes->values.row(q);
            result.rows.row(3 * q + 1) = shapes->derivatives.row(5 * q);
            result.rows.row(3 * q + 2) = shapes->derivatives.row(5 * q + 1);
          }
        result.weights.assign(shapes->full_weights.begin(),
                              shapes->full_weights.end());
        result.edge_values      = shapes->along[0];
        result.edge_derivatives = shapes->along[1];
        result.edge_weights.assign(shapes->edge_weights.begin(),
                                   shapes->edge_weights.end());
        return result;
      });
    }

    /// a x b, column by column.
    Eigen::Matrix3Xd
    cross(const Eigen::Matrix3Xd &a, const Eigen::Matrix3Xd &b)
    {
      Eigen::Matrix3Xd c(3, a.cols());
      for (Index i = 0; i < a.cols(); ++i)
        c.col(i) = Vector3(a.col(i)).cross(Vector3(b.col(i)));
      return c;
    }
  } // namespace

  NodalAreas
  nodal_areas(const ShellMesh                              &mesh,
              const NodalVectors                           &positions,
              const std::function<double(const Vector3 &)> &factor)
  {
    const PointShapes shapes = point_shapes(mesh.degree);
    const int         n      = mesh.n_nodes_per_cell();
    NodalAreas        result{Vector::Zero(positions.cols()),
                      NodalVectors::Zero(3, positions.cols())};
    for (std::size_t cell = 0; cell < mesh.cell_orientation.size(); ++cell)
      {
        const Index *nodes = &mesh.cell_nodes[n * cell];
        for (std::size_t q = 0; q < shapes.weights.size(); ++q)
          {
            Vector3 a = Vector3::Zero(), b = Vector3::Zero();
            for (int i = 0; i < n; ++i)
              {
                a += shapes.rows(3 * q + 1, i) * positions.col(nodes[i]);
                b += shapes.rows(3 * q + 2, i) * positions.col(nodes[i]);
              }
            Vector3 normal =
              mesh.cell_orientation[cell] * shapes.weights[q] * a.cross(b);
            if (factor)
              {
                Vector3 at = Vector3::Zero();
                for (int i = 0; i < n; ++i)
                  at += shapes.rows(3 * q, i) * positions.col(nodes[i]);
                normal *= factor(at);
              }
            for (int i = 0; i < n; ++i)
              {
                result.area(nodes[i]) += shapes.rows(3 * q, i) * normal.norm();
                result.normal.col(nodes[i]) += shapes.rows(3 * q, i) * normal;
              }
          }
      }
    return result;
  }

  Vector
  nodal_lengths(const ShellMesh    &mesh,
                const NodalVectors &positions,
                const int           edge_id)
  {
    const PointShapes shapes = point_shapes(mesh.degree);
    const int         n      = mesh.n_nodes_per_cell();
    Vector            result = Vector::Zero(positions.cols());
    for (std::size_t e = 0; e < mesh.boundary_edges.size(); ++e)
      if (mesh.boundary_edges[e].id == edge_id)
        {
          const Index *nodes = &mesh.boundary_edge_nodes[n * e];
          for (std::size_t q = 0; q < shapes.edge_weights.size(); ++q)
            {
              Vector3 t = Vector3::Zero();
              for (int j = 0; j <= mesh.degree; ++j)
                t += shapes.edge_derivatives(q, j) * positions.col(nodes[j]);
              for (int j = 0; j <= mesh.degree; ++j)
                result(nodes[j]) +=
                  shapes.edge_weights[q] * t.norm() * shapes.edge_values(q, j);
            }
        }
    return result;
  }

  FollowerPressure::FollowerPressure(const ShellMesh &a_mesh)
    : mesh(a_mesh)
  {
    // Products of a function and two derivatives have the degree 3 k - 1 along
    // either coordinate; n points integrate the degree 2 n - 1.
    const int                      k = mesh.degree, n_line = k + 1;
    const dealii::QGauss<1>        points((3 * k + 1) / 2);
    const dealii::QGaussLobatto<1> nodes(n_line);
    const auto                     polynomials =
      dealii::Polynomials::generate_complete_Lagrange_basis(nodes.get_points());
    const auto n = static_cast<int>(points.size());
    weighted_values.resize(mesh.n_nodes_per_cell(), n * n);
    derivatives_1 = derivatives_2 = weighted_values;
    std::vector<double> of_x(2), of_y(2);
    for (int q = 0; q < n * n; ++q)
      for (int a = 0; a < mesh.n_nodes_per_cell(); ++a)
        {
          polynomials[a % n_line].value(points.point(q % n)[0], of_x);
          polynomials[a / n_line].value(points.point(q / n)[0], of_y);
          weighted_values(a, q) =
            points.weight(q % n) * points.weight(q / n) * of_x[0] * of_y[0];
          derivatives_1(a, q) = of_x[1] * of_y[0];
          derivatives_2(a, q) = of_x[0] * of_y[1];
        }
  }

  void
  FollowerPressure::set_reference(const NodalVectors &rest_positions,
                                  const NodalVectors &held_positions)
  {
    rest          = rest_positions;
    held          = held_positions;
    is_admissible = true;
    for (std::size_t e = 0; e < mesh.boundary_edges.size(); ++e)
      {
        const Index *nodes =
          &mesh.boundary_edge_nodes[mesh.n_nodes_per_cell() * e];
        int n_free = 0, across = -1; // directions; the last that is held
        for (int c = 0; c < 3; ++c)
          if (std::any_of(nodes, nodes + mesh.degree + 1, [&](const Index i) {
                return mesh.nodes[i].unknowns[c] >= 0;
              }))
            ++n_free;
          else
            across = c;
        if (n_free <= 1)
          continue;
        // With one direction held, the edge has to lie across it.
        const auto lies_across = [&] {
          constexpr double round_off = 1e-11;
          double           least = held(across, nodes[0]), largest = least;
          for (int j = 1; j <= mesh.degree; ++j)
            {
              least   = std::min(least, held(across, nodes[j]));
              largest = std::max(largest, held(across, nodes[j]));
            }
          const double length =
            (held.col(nodes[0]) - held.col(nodes[mesh.degree])).norm();
          return largest - least <=
                 round_off * (length + std::abs(largest) + std::abs(least));
        };
        if (n_free == 3 || !lies_across())
          is_admissible = false;
      }
    has_potential = is_admissible;
  }

  Eigen::Matrix3Xd
  FollowerPressure::of_cell(const std::size_t   cell,
                            const NodalVectors &all) const
  {
    const int        n     = mesh.n_nodes_per_cell();
    const Index     *nodes = &mesh.cell_nodes[n * cell];
    Eigen::Matrix3Xd result(3, n);
    for (int i = 0; i < n; ++i)
      result.col(i) = all.col(nodes[i]);
    return result;
  }

  double
  FollowerPressure::work(const NodalVectors &base, const NodalVectors &u) const
  {
    double sum = 0.;
    for (std::size_t cell = 0; cell < mesh.cell_orientation.size(); ++cell)
      {
        const Eigen::Matrix3Xd X = of_cell(cell, base), U = of_cell(cell, u);
        const Eigen::Matrix3Xd X1 = X * derivatives_1, X2 = X * derivatives_2;
        const Eigen::Matrix3Xd U1 = U * derivatives_1, U2 = U * derivatives_2;
        const Eigen::Matrix3Xd normals = cross(X1, X2) +
                                         0.5 * (cross(U1, X2) + cross(X1, U2)) +
                                         cross(U1, U2) / 3.;
        sum += mesh.cell_orientation[cell] *
               (U * weighted_values).cwiseProduct(normals).sum();
      }
    return sum;
  }

  double
  FollowerPressure::energy(const NodalVectors &x) const
  {
    if (pressure == 0. || !has_potential)
      return 0.;
    return -pressure * (work(rest, held - rest) + work(held, x - held));
  }

  void
  FollowerPressure::add_gradient(const NodalVectors &x, NodalVectors &g) const
  {
    if (pressure == 0.)
      return;
    const int n = mesh.n_nodes_per_cell();
    for (std::size_t cell = 0; cell < mesh.cell_orientation.size(); ++cell)
      {
        const Eigen::Matrix3Xd z = of_cell(cell, x);
        const Eigen::Matrix3Xd forces =
          -pressure * mesh.cell_orientation[cell] *
          cross(z * derivatives_1, z * derivatives_2) *
          weighted_values.transpose();
        for (int i = 0; i < n; ++i)
          g.col(mesh.cell_nodes[n * cell + i]) += forces.col(i);
      }
  }

  void
  FollowerPressure::add_hessian(const NodalVectors &x,
                                const NodalVectors * /*previous*/,
                                HessianSink &sink) const
  {
    // The cells' own blocks have shown the pattern.
    if (pressure == 0.)
      return;
    const int          n = mesh.n_nodes_per_cell();
    Eigen::MatrixXd    H(3 * n, 3 * n), part(n, n);
    std::vector<Index> unknowns(3 * n);
    for (std::size_t cell = 0; cell < mesh.cell_orientation.size(); ++cell)
      {
        // d(x,1 x x,2) = x,1 x dx,2 - x,2 x dx,1. Component c of that vector
        // which is multiplied from the left belongs to the entries (a, b) and
        // (b, a) of a skew matrix, with c, b, a in cyclic order.
        const Eigen::Matrix3Xd z  = of_cell(cell, x);
        const Eigen::Matrix3Xd z1 = z * derivatives_1, z2 = z * derivatives_2;
        H.setZero();
        for (int c = 0; c < 3; ++c)
          {
            part =
              -pressure * mesh.cell_orientation[cell] * weighted_values *
              (z1.row(c).transpose().asDiagonal() * derivatives_2.transpose() -
               z2.row(c).transpose().asDiagonal() * derivatives_1.transpose());
            const int b = (c + 1) % 3, a = (c + 2) % 3;
            for (int j = 0; j < n; ++j)
              for (int i = 0; i < n; ++i)
                {
                  H(3 * i + a, 3 * j + b) += part(i, j);
                  H(3 * i + b, 3 * j + a) -= part(i, j);
                }
          }
        // What is not symmetric cancels between cells, and vanishes on edges.
        if (has_potential)
          H = (0.5 * (H + H.transpose())).eval();
        for (int i = 0; i < n; ++i)
          for (int c = 0; c < 3; ++c)
            unknowns[3 * i + c] =
              mesh.nodes[mesh.cell_nodes[n * cell + i]].unknowns[c];
        sink.add(unknowns.data(), 3 * n, H.data());
      }
  }

  void
  FollowerPressure::add_hessian_times(const NodalVectors &x,
                                      const NodalVectors &dx,
                                      NodalVectors       &g) const
  {
    if (pressure == 0.)
      return;
    const int n = mesh.n_nodes_per_cell();
    for (std::size_t cell = 0; cell < mesh.cell_orientation.size(); ++cell)
      {
        const Eigen::Matrix3Xd z = of_cell(cell, x), dz = of_cell(cell, dx);
        const Eigen::Matrix3Xd forces =
          -pressure * mesh.cell_orientation[cell] *
          (cross(dz * derivatives_1, z * derivatives_2) +
           cross(z * derivatives_1, dz * derivatives_2)) *
          weighted_values.transpose();
        for (int i = 0; i < n; ++i)
          g.col(mesh.cell_nodes[n * cell + i]) += forces.col(i);
      }
  }
} // namespace slender

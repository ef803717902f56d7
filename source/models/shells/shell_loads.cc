// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/shells/koiter_shapes.h>
#include <slender/models/shells/shell_loads.h>

#include <Eigen/Geometry>

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

    Eigen::Matrix3d
    cross_matrix(const Vector3 &v)
    {
      Eigen::Matrix3d M;
      M << 0., -v(2), v(1), v(2), 0., -v(0), -v(1), v(0), 0.;
      return M;
    }

    /// d/d(x, x,1, x,2) of x . (x,1 x x,2), from these three as columns.
    Eigen::Matrix3d
    volume_gradient(const Eigen::Matrix3d &z)
    {
      Eigen::Matrix3d g;
      g.col(0) = z.col(1).cross(z.col(2));
      g.col(1) = z.col(2).cross(z.col(0));
      g.col(2) = z.col(0).cross(z.col(1));
      return g;
    }
  } // namespace

  NodalAreas
  nodal_areas(const ShellMesh &mesh, const NodalVectors &positions)
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
            const Vector3 normal =
              mesh.cell_orientation[cell] * shapes.weights[q] * a.cross(b);
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
    PointShapes of_points = point_shapes(mesh.degree);
    shapes                = of_points.rows;
    weights               = of_points.weights;
    edge_values           = of_points.edge_values;
    edge_derivatives      = of_points.edge_derivatives;
    edge_weights          = of_points.edge_weights;
  }

  void
  FollowerPressure::set_planes(const std::map<int, int> &axis_of_edge,
                               const NodalVectors       &positions)
  {
    pieces.clear();
    for (std::size_t e = 0; e < mesh.boundary_edges.size(); ++e)
      {
        const auto found = axis_of_edge.find(mesh.boundary_edges[e].id);
        if (found == axis_of_edge.end())
          continue;
        const Index *nodes =
          &mesh.boundary_edge_nodes[mesh.n_nodes_per_cell() * e];
        pieces.push_back({nodes,
                          found->second,
                          mesh.boundary_edges[e].orientation[0],
                          positions(found->second, nodes[0])});
      }
  }

  Eigen::Matrix<double, 3, 2>
  FollowerPressure::at_point(const Piece        &piece,
                             const std::size_t   q,
                             const NodalVectors &x) const
  {
    Eigen::Matrix<double, 3, 2> z = Eigen::Matrix<double, 3, 2>::Zero();
    for (int j = 0; j <= mesh.degree; ++j)
      {
        z.col(0) += edge_values(q, j) * x.col(piece.nodes[j]);
        z.col(1) += edge_derivatives(q, j) * x.col(piece.nodes[j]);
      }
    return z;
  }

  Eigen::Matrix3d
  FollowerPressure::at_point(const std::size_t   cell,
                             const std::size_t   q,
                             const NodalVectors &x) const
  {
    const int       n     = mesh.n_nodes_per_cell();
    const Index    *nodes = &mesh.cell_nodes[n * cell];
    Eigen::Matrix3d z     = Eigen::Matrix3d::Zero();
    for (int i = 0; i < n; ++i)
      z += x.col(nodes[i]) * shapes.block<3, 1>(3 * q, i).transpose();
    return z;
  }

  double
  FollowerPressure::energy(const NodalVectors &x) const
  {
    if (pressure == 0.)
      return 0.;
    double volume = 0.;
    for (std::size_t cell = 0; cell < mesh.cell_orientation.size(); ++cell)
      for (std::size_t q = 0; q < weights.size(); ++q)
        {
          const Eigen::Matrix3d z = at_point(cell, q, x);
          volume += mesh.cell_orientation[cell] * weights[q] / 3. *
                    (z.col(0) - apex).dot(z.col(1).cross(z.col(2)));
        }
    double of_planes = 0.;
    for (const Piece &piece : pieces)
      for (std::size_t q = 0; q < edge_weights.size(); ++q)
        {
          const auto z = at_point(piece, q, x);
          of_planes += factor(piece) * edge_weights[q] *
                       (z.col(0) - apex).cross(z.col(1))(piece.axis);
        }
    return of_planes - pressure * volume;
  }

  void
  FollowerPressure::add_gradient(const NodalVectors &x, NodalVectors &g) const
  {
    if (pressure == 0.)
      return;
    const int n = mesh.n_nodes_per_cell();
    for (std::size_t cell = 0; cell < mesh.cell_orientation.size(); ++cell)
      for (std::size_t q = 0; q < weights.size(); ++q)
        {
          Eigen::Matrix3d z = at_point(cell, q, x);
          z.col(0) -= apex;
          const Eigen::Matrix3d of_point = -pressure *
                                           mesh.cell_orientation[cell] *
                                           weights[q] / 3. * volume_gradient(z);
          const Index *nodes = &mesh.cell_nodes[n * cell];
          for (int i = 0; i < n; ++i)
            g.col(nodes[i]) += of_point * shapes.block<3, 1>(3 * q, i);
        }
    for (const Piece &piece : pieces)
      for (std::size_t q = 0; q < edge_weights.size(); ++q)
        {
          const auto    z    = at_point(piece, q, x);
          const Vector3 axis = Vector3::Unit(piece.axis);
          const double  f    = factor(piece) * edge_weights[q];
          for (int j = 0; j <= mesh.degree; ++j)
            g.col(piece.nodes[j]) +=
              f * (edge_values(q, j) * z.col(1).cross(axis) +
                   edge_derivatives(q, j) * axis.cross(z.col(0) - apex));
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
    Eigen::MatrixXd    H(3 * n, 3 * n);
    std::vector<Index> unknowns(3 * n);
    for (std::size_t cell = 0; cell < mesh.cell_orientation.size(); ++cell)
      {
        const Index *nodes = &mesh.cell_nodes[n * cell];
        H.setZero();
        for (std::size_t q = 0; q < weights.size(); ++q)
          {
            Eigen::Matrix3d z = at_point(cell, q, x);
            z.col(0) -= apex;
            const double factor =
              -pressure * mesh.cell_orientation[cell] * weights[q] / 3.;
            const Eigen::Matrix3d of_0 = factor * cross_matrix(z.col(0));
            const Eigen::Matrix3d of_1 = factor * cross_matrix(z.col(1));
            const Eigen::Matrix3d of_2 = factor * cross_matrix(z.col(2));
            for (int i = 0; i < n; ++i)
              for (int j = 0; j < n; ++j)
                {
                  const auto a = shapes.block<3, 1>(3 * q, i);
                  const auto b = shapes.block<3, 1>(3 * q, j);
                  H.block<3, 3>(3 * i, 3 * j) +=
                    (a(2) * b(1) - a(1) * b(2)) * of_0 +
                    (a(0) * b(2) - a(2) * b(0)) * of_1 +
                    (a(1) * b(0) - a(0) * b(1)) * of_2;
                }
          }
        for (int i = 0; i < n; ++i)
          for (int c = 0; c < 3; ++c)
            unknowns[3 * i + c] = mesh.nodes[nodes[i]].unknowns[c];
        sink.add(unknowns.data(), 3 * n, H.data());
      }
    const int n_line = mesh.degree + 1;
    H.resize(3 * n_line, 3 * n_line);
    for (const Piece &piece : pieces)
      {
        H.setZero();
        const Eigen::Matrix3d axis = cross_matrix(Vector3::Unit(piece.axis));
        for (std::size_t q = 0; q < edge_weights.size(); ++q)
          for (int i = 0; i < n_line; ++i)
            for (int j = 0; j < n_line; ++j)
              H.block<3, 3>(3 * i, 3 * j) +=
                factor(piece) * edge_weights[q] *
                (edge_derivatives(q, i) * edge_values(q, j) -
                 edge_values(q, i) * edge_derivatives(q, j)) *
                axis;
        for (int i = 0; i < n_line; ++i)
          for (int c = 0; c < 3; ++c)
            unknowns[3 * i + c] = mesh.nodes[piece.nodes[i]].unknowns[c];
        sink.add(unknowns.data(), 3 * n_line, H.data());
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
      for (std::size_t q = 0; q < weights.size(); ++q)
        {
          Eigen::Matrix3d z = at_point(cell, q, x);
          z.col(0) -= apex;
          const Eigen::Matrix3d dz = at_point(cell, q, dx);
          // The gradient is quadratic.
          const Eigen::Matrix3d of_point =
            -pressure * mesh.cell_orientation[cell] * weights[q] / 3. *
            (volume_gradient(z + dz) - volume_gradient(z) -
             volume_gradient(dz));
          const Index *nodes = &mesh.cell_nodes[n * cell];
          for (int i = 0; i < n; ++i)
            g.col(nodes[i]) += of_point * shapes.block<3, 1>(3 * q, i);
        }
    for (const Piece &piece : pieces)
      for (std::size_t q = 0; q < edge_weights.size(); ++q)
        {
          const auto    dz   = at_point(piece, q, dx);
          const Vector3 axis = Vector3::Unit(piece.axis);
          const double  f    = factor(piece) * edge_weights[q];
          for (int j = 0; j <= mesh.degree; ++j)
            g.col(piece.nodes[j]) +=
              f * (edge_values(q, j) * dz.col(1).cross(axis) +
                   edge_derivatives(q, j) * axis.cross(dz.col(0)));
        }
  }
} // namespace slender

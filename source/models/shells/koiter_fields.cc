// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/shells/koiter_fields.h>
#include <slender/models/shells/koiter_kernel.h>
#include <slender/models/shells/koiter_shapes.h>

#include <Eigen/Dense>

namespace slender::koiter
{
  namespace
  {
    Eigen::Matrix2d
    matrix(const Form &form)
    {
      Eigen::Matrix2d M;
      M << form(0), form(2), form(2), form(1);
      return M;
    }

    /// Eigenvalues of a tensor with one upper and one lower index: those of a
    /// symmetric one with respect to a metric.
    std::array<double, 2>
    principal_values(const Eigen::Matrix2d &mixed)
    {
      const double mean = 0.5 * mixed.trace();
      const double root =
        std::sqrt(std::max(0., mean * mean - mixed.determinant()));
      return {{mean + root, mean - root}};
    }

    template <int k>
    std::vector<NodeFields>
    fields_of_degree(const ShellMesh    &mesh,
                     const NodalVectors &rest,
                     const NodalVectors &x,
                     const Law          &law,
                     const std::size_t   cell)
    {
      using S = Shapes<k>;
      static const S shapes;
      using CellVectors = Eigen::Matrix<double, 3, S::n_nodes>;
      CellVectors X, u;
      for (int a = 0; a < S::n_nodes; ++a)
        {
          const Index node = mesh.cell_nodes[S::n_nodes * cell + a];
          X.col(a)         = rest.col(node);
          u.col(a)         = x.col(node);
        }
      const double orientation = mesh.cell_orientation[cell];

      const auto point_at = [&](const auto &values) {
        return RestPoint{RestPoint::Kind::other,
                         0,
                         X * values.transpose(),
                         mesh.cell_key[cell],
                         &mesh.cell_nodes[S::n_nodes * cell],
                         values.data(),
                         S::n_nodes};
      };

      // K/4 C (a - a0) at the reduced points.
      Eigen::Matrix<double, S::n_reduced, 3> forces;
      for (int q = 0; q < S::n_reduced; ++q)
        {
          const auto rows =
            shapes.derivatives.template middleRows<2>(5 * S::n_full + 2 * q);
          Jet Z = Jet::Zero(), z = Jet::Zero();
          Z.template leftCols<2>() = X * rows.transpose();
          z.template leftCols<2>() = u * rows.transpose();
          const RestForms r        = rest_forms(Z,
                                         point_at(shapes.reduced_values.row(q)),
                                         orientation,
                                         law);
          forces.row(q) = 0.25 * law.membrane_stiffness() * r.membrane *
                          elasticity(inverse(r.metric), law.poisson) *
                          (metric(z) - r.metric);
        }

      std::vector<NodeFields> result(S::n_nodes);
      for (int a = 0; a < S::n_nodes; ++a)
        {
          const auto rows =
            shapes.nodal_derivatives.template middleRows<5>(5 * a);
          const Jet                                  Z = X * rows.transpose();
          const Jet                                  z = u * rows.transpose();
          const Eigen::Matrix<double, 1, S::n_nodes> unit =
            Eigen::Matrix<double, 1, S::n_nodes>::Unit(a);
          const RestForms r = rest_forms(Z, point_at(unit), orientation, law);
          const Surface   surface(z);
          const Eigen::Matrix3d C  = elasticity(inverse(r.metric), law.poisson);
          const Form            db = surface.curvature - r.curvature;
          const Form            moment = r.bending * orientation * C * db;
          const Form            force =
            (shapes.reduced_to_nodes.row(a) * forces).transpose();

          NodeFields &node  = result[a];
          node.position     = u.col(a);
          node.displacement = u.col(a) - X.col(a);
          node.normal       = orientation * surface.n;
          // The off-diagonal component stands for two; the metric is twice
          // the strain.
          node.membrane_force =
            principal_values(matrix({2. * force(0), 2. * force(1), force(2)}) *
                             matrix(r.metric));
          node.moment = principal_values(
            matrix({moment(0), moment(1), 0.5 * moment(2)}) * matrix(r.metric));
          node.curvature =
            principal_values(orientation * matrix(surface.inverse_metric) *
                             matrix(surface.curvature));
          node.membrane_energy =
            r.membrane > 0. ? 2. / (r.membrane * law.membrane_stiffness()) *
                                force.dot(C.inverse() * force)
                            : 0.;
          node.bending_energy = 0.5 * r.bending * db.dot(C * db);
          node.thickness      = r.thickness;
          node.stretch =
            std::pow(inverse(metric(Z)).dot(
                       Form(r.metric(0), r.metric(1), 2. * r.metric(2))) /
                       2.,
                     0.5);
        }
      return result;
    }
  } // namespace

  std::vector<NodeFields>
  node_fields(const ShellMesh    &mesh,
              const NodalVectors &rest,
              const NodalVectors &x,
              const Law          &law,
              const std::size_t   cell)
  {
    return with_degree(mesh.degree, [&](auto k) {
      return fields_of_degree<decltype(k)::value>(mesh, rest, x, law, cell);
    });
  }
} // namespace slender::koiter

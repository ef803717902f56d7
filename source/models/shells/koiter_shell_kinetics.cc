// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/interpolated_masses.h>
#include <slender/models/shells/koiter_shapes.h>
#include <slender/models/shells/koiter_shell.h>

#include <Eigen/Geometry>

namespace slender
{
  std::unique_ptr<Kinetics>
  KoiterShell::kinetics(const MassOptions &options) const
  {
    const double mass_per_area =
      body.density * body.thickness * length_unit * length_unit;
    if (mass_per_area == 0.)
      throw InputError("a shell without density cannot move", "Shell/Density");
    auto result = std::make_unique<InterpolatedMasses>(*this, length_unit);
    if (options.lumped)
      {
        // Sums of the rows of a mass matrix: each rank has its part of a node.
        for (std::size_t i = 0; i < the_mesh.nodes.size(); ++i)
          if (const double area = volumes(static_cast<Index>(i)); area > 0.)
            result->add_node(the_mesh.nodes[i].positions,
                             length_unit * rest.col(static_cast<Index>(i)),
                             mass_per_area * area);
      }
    else
      koiter::with_degree(the_mesh.degree, [&](auto k) {
        using S              = koiter::Shapes<decltype(k)::value>;
        const auto    shapes = std::make_unique<S>();
        constexpr int n      = S::n_nodes;
        for (std::size_t cell = 0; cell < the_mesh.cell_key.size(); ++cell)
          {
            Eigen::Matrix<double, 3, n>           X;
            std::vector<InterpolatedMasses::Node> nodes;
            for (int a = 0; a < n; ++a)
              {
                const Index node = the_mesh.cell_nodes[n * cell + a];
                X.col(a)         = rest.col(node);
                nodes.push_back(the_mesh.nodes[node].positions);
              }
            Vector masses(S::n_full);
            for (int q = 0; q < S::n_full; ++q)
              {
                const Vector3 a =
                  X * shapes->derivatives.row(5 * q).transpose();
                const Vector3 b =
                  X * shapes->derivatives.row(5 * q + 1).transpose();
                masses(q) =
                  mass_per_area * shapes->full_weights[q] * a.cross(b).norm() *
                  thickness_factor(X * shapes->values.row(q).transpose());
              }
            result->add_cell(nodes, length_unit * X, shapes->values, masses);
          }
      });
    result->finish();
    return result;
  }
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/shells/koiter_cells.h>
#include <slender/models/shells/koiter_kernel.h>
#include <slender/models/shells/koiter_shapes.h>

namespace slender::koiter
{
  RestForms
  rest_forms(const Jet       &jet,
             const RestPoint &point,
             const double     orientation,
             const Law       &law)
  {
    const Surface surface(jet);
    if (!law.natural)
      return {metric(jet), surface.curvature};
    // Rows of P: components of the coordinate's directions in the frame.
    const Eigen::Matrix2d P =
      tangent_frame(orientation * surface.n, law.direction).transpose() *
      jet.leftCols<2>();
    const Eigen::Matrix2d Q = P.inverse();
    Eigen::Matrix2d       b;
    b << surface.curvature(0), surface.curvature(2), surface.curvature(2),
      surface.curvature(1);
    const NaturalState natural =
      law.natural(point, orientation * (Q.transpose() * b * Q));
    const auto form = [&](const Eigen::Matrix2d &A) {
      const Eigen::Matrix2d m = P.transpose() * A * P;
      return Form(m(0, 0), m(1, 1), 0.5 * (m(0, 1) + m(1, 0)));
    };
    return {form(natural.metric),
            orientation * form(natural.curvature),
            natural.stiffness * natural.thickness,
            natural.stiffness * std::pow(natural.thickness, 3),
            natural.thickness};
  }

  Eigen::Matrix<double, 3, 2>
  tangent_frame(const Vector3 &n, const Vector3 &direction)
  {
    Vector3 along = direction - direction.dot(n) * n;
    if (along.norm() < 1e-6) // it has none: any will do
      along = n.unitOrthogonal();
    Eigen::Matrix<double, 3, 2> frame;
    frame.col(0) = along.normalized();
    frame.col(1) = n.cross(Vector3(frame.col(0)));
    return frame;
  }

  namespace
  {
    struct FullPoint
    {
      Form   metric, curvature, inverse_metric;
      double bending_weight, membrane_weight;
    };

    struct ReducedPoint
    {
      Form   metric, inverse_metric;
      double weight;
    };

    /// The change of the strain comes before its stiffness.
    void
    add_membrane_times(const Jet             &z,
                       const Jet             &dz,
                       const Eigen::Matrix3d &stiffness,
                       const Form            &rest,
                       Jet                   &g)
    {
      add_membrane_gradient(z, stiffness * metric_change(z, dz), g);
      // The gradient is linear in z: with a fixed force it is the geometric
      // stiffness.
      add_membrane_gradient(dz, stiffness * (metric(z) - rest), g);
    }

    template <int k>
    class CellsOfDegree : public Cells
    {
    public:
      explicit CellsOfDegree(const ShellMesh &a_mesh)
        : mesh(a_mesh)
      {}

      void
      set_rest(const NodalVectors &positions, const Law &a_law) override;

      double
      energy(const NodalVectors &x) const override
      {
        const Energies parts = energies(x);
        return parts.membrane + parts.bending;
      }

      Energies
      energies(const NodalVectors &x) const override;

      Vector
      forms(const NodalVectors &x) const override;

      void
      set_natural(const Vector &forms) override;

      void
      blend_natural(const Vector &forms,
                    double        of_metric,
                    double        of_curvature) override;

      std::unique_ptr<Cells>
      clone() const override
      {
        return std::make_unique<CellsOfDegree>(*this);
      }

      void
      scale(const double membrane, const double bending) override
      {
        for (FullPoint &point : full)
          {
            point.membrane_weight *= membrane;
            point.bending_weight *= bending;
          }
        for (ReducedPoint &point : reduced)
          point.weight *= membrane;
      }

      void
      add_gradient(const NodalVectors &x, NodalVectors &g) const override;

      void
      add_hessian(const NodalVectors &x,
                  const NodalVectors *previous,
                  HessianSink        &sink) const override;

      void
      add_hessian_times(const NodalVectors &x,
                        const NodalVectors &dx,
                        NodalVectors       &g) const override;

    private:
      using S                      = Shapes<k>;
      static constexpr int n_nodes = S::n_nodes;
      using CellVectors            = Eigen::Matrix<double, 3, n_nodes>;
      /// Derivatives at all points of a cell, one column each.
      using PointVectors = Eigen::Matrix<double, 3, S::n_rows>;

      const Index *
      nodes_of(const std::size_t cell) const
      {
        return &mesh.cell_nodes[n_nodes * cell];
      }

      CellVectors
      gather(const std::size_t cell, const NodalVectors &x) const
      {
        CellVectors  u;
        const Index *nodes = nodes_of(cell);
        for (int a = 0; a < n_nodes; ++a)
          u.col(a) = x.col(nodes[a]);
        return u;
      }

      void
      scatter(const std::size_t  cell,
              const CellVectors &u,
              NodalVectors      &g) const
      {
        const Index *nodes = nodes_of(cell);
        for (int a = 0; a < n_nodes; ++a)
          g.col(nodes[a]) += u.col(a);
      }

      std::size_t
      n_cells() const
      {
        return mesh.cell_orientation.size();
      }

      /// A reduced point's first derivatives, as a jet without second ones.
      static Jet
      reduced_jet(const PointVectors &z, const int q)
      {
        Jet jet = Jet::Zero();
        jet.template leftCols<2>() =
          z.template middleCols<2>(5 * S::n_full + 2 * q);
        return jet;
      }

      /// Of all points of a cell, the full ones first.
      template <class Row>
      RestPoint
      rest_point(const std::size_t  cell,
                 const CellVectors &X,
                 const int          q,
                 const Row         &values) const
      {
        return {RestPoint::Kind::cell,
                (S::n_full + S::n_reduced) * cell + q,
                X * values.transpose(),
                mesh.cell_key[cell],
                nodes_of(cell),
                values.data(),
                n_nodes};
      }

      /// K/4 C.
      Eigen::Matrix3d
      membrane_elasticity(const Form &inverse_metric) const
      {
        return 0.25 * law.membrane_stiffness() *
               elasticity(inverse_metric, law.poisson);
      }

      const ShellMesh          &mesh;
      const S                   shapes;
      Law                       law;
      std::vector<FullPoint>    full;
      std::vector<ReducedPoint> reduced;
    };

    template <int k>
    void
    CellsOfDegree<k>::set_rest(const NodalVectors &positions, const Law &a_law)
    {
      law = a_law;
      full.clear();
      reduced.clear();
      for (std::size_t cell = 0; cell < n_cells(); ++cell)
        {
          const CellVectors  X           = gather(cell, positions);
          const PointVectors Z           = X * shapes.derivatives.transpose();
          const double       orientation = mesh.cell_orientation[cell];
          const auto         area        = [](const Form &a) {
            return std::sqrt(a(0) * a(1) - a(2) * a(2));
          };
          double cell_area = 0.;
          for (int q = 0; q < S::n_full; ++q)
            cell_area += shapes.full_weights[q] *
                         area(metric(Jet(Z.template middleCols<5>(5 * q))));
          const double fraction =
            std::min(1., law.thickness * law.thickness / cell_area);

          for (int q = 0; q < S::n_full; ++q)
            {
              const Jet       jet = Z.template middleCols<5>(5 * q);
              const RestForms rest =
                rest_forms(jet,
                           rest_point(cell, X, q, shapes.values.row(q)),
                           orientation,
                           law);
              const double weight = shapes.full_weights[q] * area(rest.metric);
              full.push_back({rest.metric,
                              rest.curvature,
                              inverse(rest.metric),
                              rest.bending * weight,
                              rest.membrane * fraction * weight});
            }
          for (int q = 0; q < S::n_reduced; ++q)
            {
              // The metric does not see second derivatives.
              const Jet       jet = reduced_jet(Z, q);
              const RestForms rest =
                rest_forms(jet,
                           rest_point(cell,
                                      X,
                                      S::n_full + q,
                                      shapes.reduced_values.row(q)),
                           orientation,
                           law);
              reduced.push_back(
                {rest.metric,
                 inverse(rest.metric),
                 (1. - fraction) * rest.membrane * shapes.reduced_weights[q] *
                   area(rest.metric)});
            }
        }
    }

    template <int k>
    Cells::Energies
    CellsOfDegree<k>::energies(const NodalVectors &x) const
    {
      Energies sum;
      for (std::size_t cell = 0; cell < n_cells(); ++cell)
        {
          const PointVectors z =
            gather(cell, x) * shapes.derivatives.transpose();
          for (int q = 0; q < S::n_full; ++q)
            {
              const FullPoint &point = full[S::n_full * cell + q];
              const Jet        jet   = z.template middleCols<5>(5 * q);
              const auto C   = elasticity(point.inverse_metric, law.poisson);
              const Form da  = metric(jet) - point.metric;
              const Form db  = Surface(jet).curvature - point.curvature;
              const Form Cda = C * da, Cdb = C * db;
              sum.bending += 0.5 * point.bending_weight * db.dot(Cdb);
              sum.membrane += 0.125 * law.membrane_stiffness() *
                              point.membrane_weight * da.dot(Cda);
            }
          for (int q = 0; q < S::n_reduced; ++q)
            {
              const ReducedPoint &point = reduced[S::n_reduced * cell + q];
              const Form          da = metric(reduced_jet(z, q)) - point.metric;
              const Form          Cda =
                elasticity(point.inverse_metric, law.poisson) * da;
              sum.membrane +=
                0.125 * law.membrane_stiffness() * point.weight * da.dot(Cda);
            }
        }
      return sum;
    }

    template <int k>
    Vector
    CellsOfDegree<k>::forms(const NodalVectors &x) const
    {
      // Those of all full points, then those of all reduced ones.
      const auto n_full = static_cast<Index>(full.size());
      Vector     result(6 * n_full + 3 * static_cast<Index>(reduced.size()));
      for (std::size_t cell = 0; cell < n_cells(); ++cell)
        {
          const PointVectors z =
            gather(cell, x) * shapes.derivatives.transpose();
          for (int q = 0; q < S::n_full; ++q)
            {
              const auto i   = static_cast<Index>(S::n_full * cell + q);
              const Jet  jet = z.template middleCols<5>(5 * q);
              result.segment<3>(6 * i)     = metric(jet);
              result.segment<3>(6 * i + 3) = Surface(jet).curvature;
            }
          for (int q = 0; q < S::n_reduced; ++q)
            {
              const auto i = static_cast<Index>(S::n_reduced * cell + q);
              result.segment<3>(6 * n_full + 3 * i) = metric(reduced_jet(z, q));
            }
        }
      return result;
    }

    template <int k>
    void
    CellsOfDegree<k>::set_natural(const Vector &forms)
    {
      Index at = 0;
      for (FullPoint &point : full)
        {
          point.metric    = forms.segment<3>(at);
          point.curvature = forms.segment<3>(at + 3);
          at += 6;
        }
      for (ReducedPoint &point : reduced)
        {
          point.metric = forms.segment<3>(at);
          at += 3;
        }
    }

    template <int k>
    void
    CellsOfDegree<k>::blend_natural(const Vector &forms,
                                    const double  of_metric,
                                    const double  of_curvature)
    {
      Index at = 0;
      for (FullPoint &point : full)
        {
          point.metric += of_metric * (forms.segment<3>(at) - point.metric);
          point.curvature +=
            of_curvature * (forms.segment<3>(at + 3) - point.curvature);
          at += 6;
        }
      for (ReducedPoint &point : reduced)
        {
          point.metric += of_metric * (forms.segment<3>(at) - point.metric);
          at += 3;
        }
    }

    template <int k>
    void
    CellsOfDegree<k>::add_gradient(const NodalVectors &x, NodalVectors &g) const
    {
      for (std::size_t cell = 0; cell < n_cells(); ++cell)
        {
          const PointVectors z =
            gather(cell, x) * shapes.derivatives.transpose();
          PointVectors dz;
          for (int q = 0; q < S::n_full; ++q)
            {
              const FullPoint &point = full[S::n_full * cell + q];
              const Jet        jet   = z.template middleCols<5>(5 * q);
              const Surface    surface(jet);
              const auto C      = elasticity(point.inverse_metric, law.poisson);
              Jet        result = Jet::Zero();
              add_bending_gradient(surface,
                                   point.bending_weight * C *
                                     (surface.curvature - point.curvature),
                                   result);
              add_membrane_gradient(jet,
                                    0.25 * law.membrane_stiffness() *
                                      point.membrane_weight * C *
                                      (metric(jet) - point.metric),
                                    result);
              dz.template middleCols<5>(5 * q) = result;
            }
          for (int q = 0; q < S::n_reduced; ++q)
            {
              const ReducedPoint &point  = reduced[S::n_reduced * cell + q];
              const Jet           jet    = reduced_jet(z, q);
              Jet                 result = Jet::Zero();
              add_membrane_gradient(
                jet,
                point.weight * membrane_elasticity(point.inverse_metric) *
                  (metric(jet) - point.metric),
                result);
              dz.template middleCols<2>(5 * S::n_full + 2 * q) =
                result.template leftCols<2>();
            }
          scatter(cell, dz * shapes.derivatives, g);
        }
    }

    template <int k>
    void
    CellsOfDegree<k>::add_hessian(const NodalVectors &x,
                                  const NodalVectors *previous,
                                  HessianSink        &sink) const
    {
      // H = sum over points of B^T H_q B, all points of a cell at once: first
      // the rows T = H_q B for each pair of components, then Phi^T T.
      using Rows =
        Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
      Rows T(S::n_rows, n_pairs * n_nodes);
      Rows blocks(n_nodes, n_pairs * n_nodes);
      Eigen::Matrix<double, 3 * n_nodes, 3 * n_nodes> H;
      std::array<Index, 3 * n_nodes>                  unknowns;
      std::array<int, n_nodes>                        order;

      // Rows of T for the n derivatives from `row` on.
      const auto multiply =
        [&](auto derivatives, const int row, const auto &Hq) {
          constexpr int n = decltype(derivatives)::value;
          const double *phi[n];
          for (int m = 0; m < n; ++m)
            phi[m] = shapes.derivatives.data() + (row + m) * n_nodes;
          for (int m = 0; m < n; ++m)
            for (int p = 0; p < n_pairs; ++p)
              {
                double *t = &T(row + m, p * n_nodes);
                double  h[n];
                for (int l = 0; l < n; ++l)
                  h[l] = Hq(3 * m + pairs[p][0], 3 * l + pairs[p][1]);
                for (int b = 0; b < n_nodes; ++b)
                  {
                    double sum = h[0] * phi[0][b];
                    for (int l = 1; l < n; ++l)
                      sum += h[l] * phi[l][b];
                    t[b] = sum;
                  }
              }
        };

      for (std::size_t cell = 0; cell < n_cells(); ++cell)
        {
          const PointVectors z =
            gather(cell, x) * shapes.derivatives.transpose();
          PointVectors z0;
          if (previous)
            z0 = gather(cell, *previous) * shapes.derivatives.transpose();
          for (int q = 0; q < S::n_full; ++q)
            {
              const FullPoint      &point = full[S::n_full * cell + q];
              const Jet             jet   = z.template middleCols<5>(5 * q);
              const Surface         surface(jet);
              const Eigen::Matrix3d C =
                elasticity(point.inverse_metric, law.poisson);
              const Eigen::Matrix3d bending = point.bending_weight * C;
              const Eigen::Matrix3d membrane =
                0.25 * law.membrane_stiffness() * point.membrane_weight * C;
              const Form a =
                previous
                  ? predicted_metric(jet, Jet(z0.template middleCols<5>(5 * q)))
                  : metric(jet);
              JetHessian Hq = JetHessian::Zero();
              add_bending_material(surface, bending, Hq);
              add_bending_geometric(
                surface, bending * (surface.curvature - point.curvature), Hq);
              add_membrane_material(jet, membrane, Hq);
              add_membrane_geometric(membrane * (a - point.metric), Hq);
              multiply(std::integral_constant<int, 5>(), 5 * q, Hq);
            }
          for (int q = 0; q < S::n_reduced; ++q)
            {
              const ReducedPoint   &point = reduced[S::n_reduced * cell + q];
              const Jet             jet   = reduced_jet(z, q);
              const Eigen::Matrix3d membrane =
                point.weight * membrane_elasticity(point.inverse_metric);
              const Form                  a = previous
                                                ? predicted_metric(jet, reduced_jet(z0, q))
                                                : metric(jet);
              Eigen::Matrix<double, 6, 6> Hq =
                Eigen::Matrix<double, 6, 6>::Zero();
              add_membrane_material(jet, membrane, Hq);
              add_membrane_geometric(membrane * (a - point.metric), Hq);
              multiply(std::integral_constant<int, 2>(),
                       5 * S::n_full + 2 * q,
                       Hq);
            }
          blocks.noalias() = shapes.derivatives.transpose() * T;
          mesh.sort_by_number(nodes_of(cell), n_nodes, order);
          for (int p = 0; p < n_pairs; ++p)
            {
              const int c = pairs[p][0], d = pairs[p][1];
              for (int a = 0; a < n_nodes; ++a)
                for (int b = 0; b < n_nodes; ++b)
                  {
                    const double value =
                      blocks(order[a], p * n_nodes + order[b]);
                    H(3 * b + d, 3 * a + c) = value;
                    if (c != d)
                      H(3 * a + c, 3 * b + d) = value;
                  }
            }
          for (int a = 0; a < n_nodes; ++a)
            for (int c = 0; c < 3; ++c)
              unknowns[3 * a + c] =
                mesh.nodes[nodes_of(cell)[order[a]]].unknowns[c];
          sink.add(unknowns.data(), 3 * n_nodes, H.data());
        }
    }

    template <int k>
    void
    CellsOfDegree<k>::add_hessian_times(const NodalVectors &x,
                                        const NodalVectors &dx,
                                        NodalVectors       &g) const
    {
      for (std::size_t cell = 0; cell < n_cells(); ++cell)
        {
          const PointVectors z =
            gather(cell, x) * shapes.derivatives.transpose();
          const PointVectors v =
            gather(cell, dx) * shapes.derivatives.transpose();
          PointVectors dz;
          for (int q = 0; q < S::n_full; ++q)
            {
              const FullPoint      &point  = full[S::n_full * cell + q];
              const Jet             jet    = z.template middleCols<5>(5 * q);
              const Jet             change = v.template middleCols<5>(5 * q);
              const Surface         surface(jet);
              const Eigen::Matrix3d C =
                elasticity(point.inverse_metric, law.poisson);
              const Eigen::Matrix3d bending = point.bending_weight * C;
              const Form            moment =
                bending * (surface.curvature - point.curvature);
              Jet result = Jet::Zero();
              add_bending_gradient(surface,
                                   bending * curvature_change(surface, change),
                                   result);
              add_bending_geometric_times(surface, moment, change, result);
              add_membrane_times(jet,
                                 change,
                                 0.25 * law.membrane_stiffness() *
                                   point.membrane_weight * C,
                                 point.metric,
                                 result);
              dz.template middleCols<5>(5 * q) = result;
            }
          for (int q = 0; q < S::n_reduced; ++q)
            {
              const ReducedPoint &point  = reduced[S::n_reduced * cell + q];
              Jet                 result = Jet::Zero();
              add_membrane_times(reduced_jet(z, q),
                                 reduced_jet(v, q),
                                 point.weight *
                                   membrane_elasticity(point.inverse_metric),
                                 point.metric,
                                 result);
              dz.template middleCols<2>(5 * S::n_full + 2 * q) =
                result.template leftCols<2>();
            }
          scatter(cell, dz * shapes.derivatives, g);
        }
    }
  } // namespace

  std::unique_ptr<Cells>
  make_cells(const ShellMesh &mesh)
  {
    return with_degree(mesh.degree, [&](auto degree) -> std::unique_ptr<Cells> {
      return std::make_unique<CellsOfDegree<decltype(degree)::value>>(mesh);
    });
  }
} // namespace slender::koiter

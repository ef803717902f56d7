// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/shells/koiter_edge_kernel.h>
#include <slender/models/shells/koiter_edges.h>
#include <slender/models/shells/koiter_shapes.h>

namespace slender::koiter
{
  namespace
  {
    /**
     * An edge sees of its two cells only their traces: the positions along the
     * edge, and on either side the first and second derivative into the cell,
     * each a combination of the lines of nodes. These are the blocks from which
     * the eight inputs of the kernel are made, by value or derivative along
     * the edge.
     */
    constexpr int n_inputs_of[3] = {0, 5, 8};
    constexpr int input_block[8] = {0, 0, 1, 2, 1, 3, 4, 3};
    constexpr int input_order[8] = {1, 2, 0, 0, 1, 0, 0, 1};

    template <int k>
    class EdgesOfDegree : public Edges
    {
    public:
      explicit EdgesOfDegree(const ShellMesh &a_mesh)
        : mesh(a_mesh)
      {}

      void
      set_rest(const NodalVectors &positions,
               const Law          &law,
               const EdgeSupports &supports) override;

      void
      set_supports(const EdgeSupports &supports) override;

      void
      commit(const NodalVectors &x) override;

      Vector
      history() const override;

      void
      set_history(const Vector &history) override;

      Places
      history_places() const override;

      double
      energy(const NodalVectors &x) const override;

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
      using S                        = Shapes<k>;
      static constexpr int n_line    = S::n_line;
      static constexpr int n_nodes   = S::n_nodes;
      static constexpr int max_trace = 5 * n_line;
      static constexpr int max_nodes = 2 * n_nodes - n_line;
      using Traces                   = Eigen::Matrix<double, 3, max_trace>;

      /// The nodes of an edge: those of the first cell, then those of the
      /// second that are not on the edge.
      struct Place
      {
        int                          n_sides;
        std::array<Index, max_nodes> nodes;

        int
        n() const
        {
          return n_sides == 2 ? max_nodes : n_nodes;
        }
      };

      /// A boundary edge that is tied or loaded.
      struct Tied
      {
        std::size_t                 edge;      ///< in the mesh
        std::array<Vector3, n_line> outward;   ///< at rest
        std::array<Vector3, n_line> direction; ///< at present
      };

      Place
      interior(const std::size_t edge) const
      {
        Place        place{2, {}};
        const Index *nodes = &mesh.interior_edge_nodes[2 * n_nodes * edge];
        std::copy(nodes, nodes + n_nodes, place.nodes.begin());
        std::copy(nodes + n_nodes + n_line,
                  nodes + 2 * n_nodes,
                  place.nodes.begin() + n_nodes);
        return place;
      }

      Place
      boundary(const std::size_t edge) const
      {
        Place        place{1, {}};
        const Index *nodes = &mesh.boundary_edge_nodes[n_nodes * edge];
        std::copy(nodes, nodes + n_nodes, place.nodes.begin());
        return place;
      }

      Traces
      traces(const Place &place, const NodalVectors &x) const
      {
        Traces t = Traces::Zero();
        for (int side = 0; side < place.n_sides; ++side)
          for (int i = 0; i < n_line; ++i)
            for (int j = 0; j < n_line; ++j)
              {
                const Vector3 value = x.col(place.nodes[node(side, i, j)]);
                t.col((1 + 2 * side) * n_line + j) += shapes.slope[i] * value;
                t.col((2 + 2 * side) * n_line + j) += shapes.bend[i] * value;
                if (side == 0 && i == 0)
                  t.col(j) = value;
              }
        return t;
      }

      /// The other way round, for gradients.
      void
      scatter(const Place &place, const Traces &t, NodalVectors &g) const
      {
        for (int side = 0; side < place.n_sides; ++side)
          for (int i = 0; i < n_line; ++i)
            for (int j = 0; j < n_line; ++j)
              {
                auto value = g.col(place.nodes[node(side, i, j)]);
                value += shapes.slope[i] * t.col((1 + 2 * side) * n_line + j) +
                         shapes.bend[i] * t.col((2 + 2 * side) * n_line + j);
                if (side == 0 && i == 0)
                  value += t.col(j);
              }
      }

      /// Number in a Place of node j of line i.
      static int
      node(const int side, const int i, const int j)
      {
        return side == 0 || i == 0 ? n_line * i + j
                                   : n_nodes + n_line * (i - 1) + j;
      }

      /// With one side, `outward` is where the boundary continues.
      EdgeJet
      jet(const Traces  &t,
          const int      q,
          const int      n_sides,
          const Vector3 *outward = nullptr) const
      {
        EdgeJet z = EdgeJet::Zero();
        if (outward)
          z.col(5) = outward[q];
        for (int m = 0; m < n_inputs_of[n_sides]; ++m)
          z.col(m) = t.template middleCols<n_line>(n_line * input_block[m]) *
                     shapes.along[input_order[m]].row(q).transpose();
        return z;
      }

      void
      add(const EdgeJet &z, const int q, const int n_sides, Traces &t) const
      {
        for (int m = 0; m < n_inputs_of[n_sides]; ++m)
          t.template middleCols<n_line>(n_line * input_block[m]) +=
            z.col(m) * shapes.along[input_order[m]].row(q);
      }

      /// The rows of a matrix over traces as rows over nodes.
      template <class Matrix>
      void
      expand_rows(const Place &place, const Matrix &from, Matrix &to) const
      {
        for (int side = 0; side < place.n_sides; ++side)
          for (int i = 0; i < n_line; ++i)
            for (int j = 0; j < n_line; ++j)
              {
                auto       row      = to.row(node(side, i, j));
                const auto of_slope = from.row((1 + 2 * side) * n_line + j);
                const auto of_bend  = from.row((2 + 2 * side) * n_line + j);
                if (i > 0)
                  row = shapes.slope[i] * of_slope + shapes.bend[i] * of_bend;
                else if (side == 0)
                  row = from.row(j) + shapes.slope[0] * of_slope +
                        shapes.bend[0] * of_bend;
                else
                  row += shapes.slope[0] * of_slope + shapes.bend[0] * of_bend;
              }
      }

      /// Calls f(place, points, direction into which a boundary continues).
      template <class Function>
      void
      for_each_edge(const Function &f) const
      {
        for (std::size_t e = 0; e < mesh.interior_edges.size(); ++e)
          f(interior(e), &points[n_line * e], nullptr);
        const std::size_t n = mesh.interior_edges.size();
        for (std::size_t e = 0; e < tied.size(); ++e)
          f(boundary(tied[e].edge),
            &points[n_line * (n + e)],
            tied[e].direction.data());
      }

      /// A point of an edge as the cell on one side sees it. `edge` counts the
      /// interior ones, then all of the boundary.
      RestPoint
      rest_point(const Place  &place,
                 const Traces &t,
                 const Jet    &z,
                 std::size_t   edge,
                 int           q,
                 int           side) const
      {
        // A little off the edge: fields may jump there.
        constexpr double  off        = 1e-7;
        const auto        row        = shapes.along[0].row(q);
        const std::size_t n_interior = mesh.interior_edges.size();
        return {RestPoint::Kind::edge,
                2 * (n_line * edge + q) + side,
                t.template leftCols<n_line>() * row.transpose() +
                  off * z.col(0),
                n_interior > edge
                  ? mesh.interior_edges[edge].cells[side]
                  : mesh.boundary_edges[edge - n_interior].cells[0],
                place.nodes.data(),
                row.data(),
                n_line};
      }

      void
      add_rest_side(const Jet       &z,
                    const RestPoint &at,
                    double           orientation,
                    double           share,
                    int              side,
                    const Law       &law,
                    EdgePoint       &point) const;

      const ShellMesh       &mesh;
      const S                shapes;
      std::vector<EdgePoint> points; ///< of interior edges, then tied ones
      std::vector<Tied>      tied;
    };

    template <int k>
    void
    EdgesOfDegree<k>::add_rest_side(const Jet       &z,
                                    const RestPoint &at,
                                    const double     orientation,
                                    const double     share,
                                    const int        side,
                                    const Law       &law,
                                    EdgePoint       &point) const
    {
      const RestForms rest = rest_forms(z, at, orientation, law);
      // Across the edge the cell has the height l; s = -l mu + c t, so that
      // M_mumu = l^2 M^ss. It acts on the natural length of the edge, which may
      // differ from that at rest, and from that on the other side.
      const double l2 = 1. / inverse(rest.metric)(0);
      const double factor =
        rest.bending * std::sqrt(rest.metric(1)) / z.col(1).norm();
      point.moment[side] = share * factor * l2 *
                           elasticity(inverse(rest.metric), law.poisson).row(0);
      point.curvature[side] = rest.curvature;
      point.penalty += share * share * factor * law.penalty / std::sqrt(l2);
      point.angle = 0.;
    }

    template <int k>
    void
    EdgesOfDegree<k>::set_rest(const NodalVectors &positions,
                               const Law          &law,
                               const EdgeSupports &supports)
    {
      const std::vector<EdgePoint> before = points;
      points.clear();
      tied.clear();
      for (std::size_t e = 0; e < mesh.interior_edges.size(); ++e)
        {
          const Place  place = interior(e);
          const Traces t     = traces(place, positions);
          for (int q = 0; q < n_line; ++q)
            {
              const EdgeJet z = jet(t, q, 2);
              EdgePoint     point;
              for (int side = 0; side < 2; ++side)
                add_rest_side(
                  side_jet(z, side),
                  rest_point(place, t, side_jet(z, side), e, q, side),
                  mesh.interior_edges[e].orientation[side],
                  0.5,
                  side,
                  law,
                  point);
              point.angle  = edge_angle(z);
              point.weight = shapes.edge_weights[q] * z.col(0).norm();
              points.push_back(point);
            }
        }

      for (std::size_t e = 0; e < mesh.boundary_edges.size(); ++e)
        {
          const auto found = supports.find(mesh.boundary_edges[e].id);
          if (found == supports.end())
            continue;
          const EdgeSupport &support = found->second;
          const Place        place   = boundary(e);
          const Traces       t       = traces(place, positions);
          Tied               edge{e, {}, {}};
          for (int q = 0; q < n_line; ++q)
            {
              EdgeJet       z     = jet(t, q, 1);
              const Vector3 along = z.col(0).normalized();
              const Vector3 inward =
                (z.col(2) - z.col(2).dot(along) * along).normalized();
              edge.outward[q] = -inward;
              if (support.symmetry_axis >= 0)
                {
                  const Vector3 axis = Vector3::Unit(support.symmetry_axis);
                  edge.outward[q] =
                    inward.dot(axis) < 0. ? axis : Vector3(-axis);
                }
              z.col(5) = edge.outward[q];
              EdgePoint point;
              if (support.normal_fixed)
                add_rest_side(side_jet(z, 0),
                              rest_point(place,
                                         t,
                                         side_jet(z, 0),
                                         mesh.interior_edges.size() + e,
                                         q,
                                         0),
                              mesh.boundary_edges[e].orientation[0],
                              1.,
                              0,
                              law,
                              point);
              point.angle  = edge_angle(z);
              point.weight = shapes.edge_weights[q] * z.col(0).norm();
              points.push_back(point);
            }
          tied.push_back(edge);
        }
      // Turns that were made are not forgotten.
      if (before.size() == points.size())
        for (std::size_t i = 0; i < points.size(); ++i)
          points[i].near = before[i].near;
      set_supports(supports);
    }

    template <int k>
    void
    EdgesOfDegree<k>::set_supports(const EdgeSupports &supports)
    {
      const std::size_t n = mesh.interior_edges.size();
      for (std::size_t e = 0; e < tied.size(); ++e)
        {
          const ShellMesh::Edge &edge    = mesh.boundary_edges[tied[e].edge];
          const EdgeSupport     &support = supports.at(edge.id);
          for (int q = 0; q < n_line; ++q)
            {
              tied[e].direction[q] = support.rotation * tied[e].outward[q];
              // The angle is counted with the normal s x t, from the outside
              // inwards.
              points[n_line * (n + e) + q].torque =
                edge.orientation[0] * support.moment;
            }
        }
    }

    template <int k>
    void
    EdgesOfDegree<k>::commit(const NodalVectors &x)
    {
      const std::size_t n = mesh.interior_edges.size();
      for (std::size_t e = 0; e < tied.size(); ++e)
        {
          const Traces t = traces(boundary(tied[e].edge), x);
          for (int q = 0; q < n_line; ++q)
            {
              const EdgeJet z     = jet(t, q, 1, tied[e].direction.data());
              EdgePoint    &point = points[n_line * (n + e) + q];
              point.near          = Edge(z, point, 1).angle;
            }
        }
    }

    template <int k>
    Vector
    EdgesOfDegree<k>::history() const
    {
      const std::size_t first = n_line * mesh.interior_edges.size();
      Vector            angles(static_cast<Index>(n_line * tied.size()));
      for (Index i = 0; i < angles.size(); ++i)
        angles(i) = points[first + i].near;
      return angles;
    }

    template <int k>
    void
    EdgesOfDegree<k>::set_history(const Vector &angles)
    {
      const std::size_t first = n_line * mesh.interior_edges.size();
      for (Index i = 0; i < angles.size(); ++i)
        points[first + i].near = angles(i);
    }

    template <int k>
    Places
    EdgesOfDegree<k>::history_places() const
    {
      // Every edge of the boundary has its places, be it tied or not.
      Places places;
      places.size = n_line * mesh.n_boundary_edges;
      for (const Tied &edge : tied)
        for (int q = 0; q < n_line; ++q)
          {
            places.numbers.push_back(static_cast<Index>(places.places.size()));
            places.places.push_back(
              n_line * mesh.boundary_edges[edge.edge].number + q);
          }
      return places;
    }

    template <int k>
    double
    EdgesOfDegree<k>::energy(const NodalVectors &x) const
    {
      double sum = 0.;
      for_each_edge([&](const Place     &place,
                        const EdgePoint *point,
                        const Vector3   *outward) {
        const Traces t = traces(place, x);
        for (int q = 0; q < n_line; ++q)
          {
            const EdgeJet z = jet(t, q, place.n_sides, outward);
            sum += point[q].weight * Edge(z, point[q], place.n_sides).energy();
          }
      });
      return sum;
    }

    template <int k>
    void
    EdgesOfDegree<k>::add_gradient(const NodalVectors &x, NodalVectors &g) const
    {
      for_each_edge([&](const Place     &place,
                        const EdgePoint *point,
                        const Vector3   *outward) {
        const Traces t      = traces(place, x);
        Traces       result = Traces::Zero();
        for (int q = 0; q < n_line; ++q)
          {
            const EdgeJet z = jet(t, q, place.n_sides, outward);
            add(point[q].weight * Edge(z, point[q], place.n_sides).gradient(),
                q,
                place.n_sides,
                result);
          }
        scatter(place, result, g);
      });
    }

    template <int k>
    void
    EdgesOfDegree<k>::add_hessian_times(const NodalVectors &x,
                                        const NodalVectors &dx,
                                        NodalVectors       &g) const
    {
      for_each_edge([&](const Place     &place,
                        const EdgePoint *point,
                        const Vector3   *outward) {
        const Traces t = traces(place, x), dt = traces(place, dx);
        Traces       result = Traces::Zero();
        for (int q = 0; q < n_line; ++q)
          {
            const EdgeJet z = jet(t, q, place.n_sides, outward);
            add(point[q].weight * Edge(z, point[q], place.n_sides)
                                    .hessian_times(jet(dt, q, place.n_sides)),
                q,
                place.n_sides,
                result);
          }
        scatter(place, result, g);
      });
    }

    template <int k>
    void
    EdgesOfDegree<k>::add_hessian(const NodalVectors &x,
                                  const NodalVectors * /*previous*/,
                                  HessianSink &sink) const
    {
      using Square = RowMajor<max_nodes, max_nodes>;
      Square                           over_traces, half, block;
      std::vector<double>              H(9 * max_nodes * max_nodes);
      std::array<Index, 3 * max_nodes> unknowns;
      std::array<EdgeHessian, n_line>  at_points;
      std::array<int, max_nodes>       order;
      for_each_edge([&](const Place     &place,
                        const EdgePoint *point,
                        const Vector3   *outward) {
        const int    n_inputs = n_inputs_of[place.n_sides];
        const int    n        = place.n();
        const Traces t        = traces(place, x);
        for (int q = 0; q < n_line; ++q)
          {
            const EdgeJet z = jet(t, q, place.n_sides, outward);
            at_points[q] =
              point[q].weight * Edge(z, point[q], place.n_sides).hessian();
          }
        mesh.sort_by_number(place.nodes.data(), n, order);
        for (int p = 0; p < n_pairs; ++p)
          {
            const int c = pairs[p][0], d = pairs[p][1];
            over_traces.template topLeftCorner<max_trace, max_trace>()
              .setZero();
            for (int q = 0; q < n_line; ++q)
              for (int m = 0; m < n_inputs; ++m)
                {
                  Eigen::Matrix<double, 1, max_trace> row =
                    Eigen::Matrix<double, 1, max_trace>::Zero();
                  for (int l = 0; l < n_inputs; ++l)
                    row.template segment<n_line>(n_line * input_block[l]) +=
                      at_points[q](3 * m + c, 3 * l + d) *
                      shapes.along[input_order[l]].row(q);
                  for (int j = 0; j < n_line; ++j)
                    over_traces.row(n_line * input_block[m] + j)
                      .template head<max_trace>() +=
                      shapes.along[input_order[m]](q, j) * row;
                }
            expand_rows(place, over_traces, half);
            over_traces = half.transpose();
            expand_rows(place, over_traces, block);
            // block is the transpose: its row is that of component d.
            for (int b = 0; b < n; ++b)
              for (int a = 0; a < n; ++a)
                {
                  const double value = block(order[b], order[a]);
                  H[(3 * b + d) * 3 * n + 3 * a + c] = value;
                  H[(3 * a + c) * 3 * n + 3 * b + d] = value;
                }
          }
        for (int a = 0; a < n; ++a)
          for (int c = 0; c < 3; ++c)
            unknowns[3 * a + c] = mesh.nodes[place.nodes[order[a]]].unknowns[c];
        sink.add(unknowns.data(), 3 * n, H.data());
      });
    }
  } // namespace

  std::unique_ptr<Edges>
  make_edges(const ShellMesh &mesh)
  {
    return with_degree(mesh.degree, [&](auto degree) -> std::unique_ptr<Edges> {
      return std::make_unique<EdgesOfDegree<decltype(degree)::value>>(mesh);
    });
  }
} // namespace slender::koiter

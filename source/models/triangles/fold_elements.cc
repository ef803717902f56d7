// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/triangles/edge_ghost.h>
#include <slender/models/triangles/fold_elements.h>
#include <slender/models/triangles/triangle_membranes.h>

#include <Eigen/LU>

namespace slender
{
  namespace triangles
  {
    namespace
    {
      /// The numbers that a triangle's energy depends on: its own corners, the
      /// opposite corner beyond each edge, and the tilts of its edges.
      template <FoldRule rule>
      struct Stencil
      {
        static constexpr int n = has_tilt(rule) ? 21 : 18;

        using Block   = PaddedBlock<n>;
        using Columns = ThreeColumns<n>;

        /// Of the corner (i, p, q, l) of the edge opposite to `corner`.
        static int
        vertex(const int corner, const int side, const int of_edge)
        {
          const int next = (corner + 1) % 3, last = (corner + 2) % 3;
          const int from_first[4]  = {corner, next, last, 3 + corner};
          const int from_second[4] = {3 + corner, last, next, corner};
          return side == 0 ? from_first[of_edge] : from_second[of_edge];
        }
      };

      /// The columns of B C.
      template <class Columns>
      void
      combine(const Columns &B, const Eigen::Matrix3d &C, Columns &BC)
      {
        constexpr int n = sizeof(B.entries[0]) / sizeof(double);
        for (int c = 0; c < 3; ++c)
          for (int i = 0; i < n; ++i)
            BC.entries[c][i] = C(0, c) * B.entries[0][i] +
                               C(1, c) * B.entries[1][i] +
                               C(2, c) * B.entries[2][i];
      }

      template <FoldRule rule>
      class ElementsOf : public Elements
      {
      public:
        std::vector<Forms>
        forms(const Configuration &at) const override
        {
          const Folds        folds = evaluate(at, nullptr);
          std::vector<Forms> result(triangles.size());
          for (std::size_t t = 0; t < triangles.size(); ++t)
            {
              const Triangle             &T = triangles[t];
              Eigen::Matrix<double, 3, 2> d;
              d << at.x.col(T.vertices[1]) - at.x.col(T.vertices[0]),
                at.x.col(T.vertices[2]) - at.x.col(T.vertices[0]);
              result[t].metric        = d.transpose() * d;
              const Eigen::Vector3d h = folds_of(T, folds);
              const RestFrame       frame(result[t].metric);
              const Eigen::Vector3d K =
                curvature_of_folds(frame) * to_tangents(h);
              Eigen::Matrix2d k;
              k << K(0), K(2), K(2), K(1);
              result[t].curvature = frame.T.transpose() * k * frame.T;
            }
          return result;
        }

        void
        set_rest(const std::vector<Forms> &rest, const Law &law) override
        {
          membranes.set_rest(rest, law);
          data.resize(triangles.size());
          for (std::size_t t = 0; t < triangles.size(); ++t)
            {
              Data                 &of = data[t];
              const RestFrame       frame(rest[t].metric);
              const Eigen::Matrix3d Q = curvature_of_folds(frame);
              const Eigen::Matrix2d k =
                frame.inverse.transpose() * rest[t].curvature * frame.inverse;
              of.rest_folds = from_tangents(
                Q.inverse() * Eigen::Vector3d(k(0, 0), k(1, 1), k(0, 1)));
              if constexpr (rule == FoldRule::angle)
                {
                  // Half of an edge's energy to either of its triangles.
                  of.C.setZero();
                  for (int c = 0; c < 3; ++c)
                    {
                      const Edge &edge = edges[triangles[t].edges[c]];
                      if (is_folded(edge))
                        of.C(c, c) = 0.5 * rest[t].bending * law.fold_factor *
                                     edge.length * edge.length / edge.area;
                    }
                }
              else
                of.C = rest[t].bending * membranes.area(t) * Q.transpose() *
                       plane_stress(law.poisson) * Q;
            }
        }

        std::unique_ptr<Elements>
        clone() const override
        {
          return std::make_unique<ElementsOf>(*this);
        }

        Vector
        strains(const Configuration &at) const override
        {
          const Folds folds = evaluate(at, nullptr);
          Vector      e(6 * static_cast<Index>(triangles.size()));
          for (std::size_t t = 0; t < triangles.size(); ++t)
            e.segment<6>(6 * static_cast<Index>(t))
              << membranes.strain(t, triangles[t], at.x),
              folds_of(triangles[t], folds);
          return e;
        }

        void
        blend_natural(const Vector &strains,
                      const double  membrane,
                      const double  bending) override
        {
          for (std::size_t t = 0; t < triangles.size(); ++t)
            {
              const Eigen::Matrix<double, 6, 1> e =
                strains.segment<6>(6 * static_cast<Index>(t));
              membranes.blend_natural(t, e.head<3>(), membrane);
              data[t].rest_folds +=
                bending * (e.tail<3>() - data[t].rest_folds);
            }
        }

        void
        scale(const double membrane, const double bending) override
        {
          membranes.scale(membrane);
          for (Data &of : data)
            of.C *= bending;
        }

        Energies
        energies(const Configuration &at) const override
        {
          Energies sum;
          for (const Energies &of : energies_of_triangles(at))
            {
              sum.membrane += of.membrane;
              sum.bending += of.bending;
            }
          return sum;
        }

        std::vector<Energies>
        energies_of_triangles(const Configuration &at) const override
        {
          const Folds           folds = evaluate(at, nullptr);
          std::vector<Energies> result(triangles.size());
          for (std::size_t t = 0; t < triangles.size(); ++t)
            {
              const Eigen::Vector3d h = bending_strain(t, folds);
              result[t].bending       = 0.5 * h.dot(data[t].C * h);
              result[t].membrane      = membranes.energy(t, triangles[t], at.x);
            }
          return result;
        }

        void
        add_gradient(const Configuration &at, Configuration &g) const override
        {
          std::vector<Slopes> slopes;
          const Folds         folds = evaluate(at, &slopes);
          for (std::size_t t = 0; t < triangles.size(); ++t)
            {
              const Triangle       &T = triangles[t];
              const Eigen::Vector3d M = data[t].C * bending_strain(t, folds);
              for (int c = 0; c < 3; ++c)
                add(edges[T.edges[c]],
                    M(c) * slopes[T.edges[c]].of(T.sides[c]),
                    g);
              membranes.add_gradient(t, T, at.x, g.x);
            }
        }

        void
        add_hessian(const Configuration                     &at,
                    const NodalVectors                      *previous,
                    const std::vector<std::array<Index, 3>> &vertices,
                    const std::vector<Index>                &tilts,
                    HessianSink &sink) const override
        {
          using S = Stencil<rule>;
          std::vector<Slopes> slopes;
          const Folds         folds = evaluate(at, &slopes);

          // What both sides of this rank do to a fold.
          std::vector<std::array<double, 2>> moments(edges.size(), {{0., 0.}});
          for (std::size_t t = 0; t < triangles.size(); ++t)
            {
              const Triangle       &T = triangles[t];
              const Eigen::Vector3d M = data[t].C * bending_strain(t, folds);
              for (int c = 0; c < 3; ++c)
                moments[T.edges[c]][T.sides[c]] += M(c);
            }

          typename S::Block       block;
          std::array<Index, S::n> unknowns;
          for (std::size_t t = 0; t < triangles.size(); ++t)
            {
              const Triangle     &T = triangles[t];
              typename S::Columns B, BC;
              std::fill(unknowns.begin(), unknowns.end(), -1);
              for (int c = 0; c < 3; ++c)
                {
                  for (int k = 0; k < 3; ++k)
                    unknowns[3 * c + k] = vertices[T.vertices[c]][k];
                  const Edge &edge = edges[T.edges[c]];
                  if (!is_folded(edge))
                    continue;
                  const Gradient &d = slopes[T.edges[c]].of(T.sides[c]);
                  for (int v = 0; v < 4; ++v)
                    {
                      if (edge.corners[v] < 0)
                        continue;
                      const int at_v = 3 * S::vertex(c, T.sides[c], v);
                      for (int k = 0; k < 3; ++k)
                        B.entries[c][at_v + k] = d(3 * v + k);
                      if (at_v >= 9)
                        for (int k = 0; k < 3; ++k)
                          unknowns[at_v + k] = vertices[edge.corners[v]][k];
                    }
                  if constexpr (has_tilt(rule))
                    if (edge.tilt >= 0)
                      {
                        B.entries[c][18 + c] = d(12);
                        unknowns[18 + c]     = tilts[edge.tilt];
                      }
                }
              combine(B, data[t].C, BC);
              set_products(BC, B, block);

              for (int c = 0; c < 3; ++c)
                {
                  const Index number = T.edges[c];
                  const Edge &edge   = edges[number];
                  const Index first  = edge.triangles[0] >= 0
                                         ? edge.triangles[0]
                                         : edge.triangles[1];
                  if (first != static_cast<Index>(t) || !is_folded(edge))
                    continue;
                  add_fold_hessian(
                    edge, c, T.sides[c], at, moments[number], block);
                }
              membranes.add_hessian(t, T, at.x, previous, block);
              sink.add(unknowns.data(), S::n, block.entries);
            }
        }

        void
        add_hessian_times(const Configuration &at,
                          const Configuration &direction,
                          Configuration       &g) const override
        {
          std::vector<Slopes>                slopes;
          const Folds                        folds = evaluate(at, &slopes);
          std::vector<std::array<double, 2>> moments(edges.size(), {{0., 0.}});
          std::vector<Gradient>              moved(edges.size());
          for (std::size_t e = 0; e < edges.size(); ++e)
            moved[e] = gather(edges[e], direction);
          for (std::size_t t = 0; t < triangles.size(); ++t)
            {
              const Triangle       &T  = triangles[t];
              const Eigen::Vector3d M  = data[t].C * bending_strain(t, folds);
              Eigen::Vector3d       dh = Eigen::Vector3d::Zero();
              for (int c = 0; c < 3; ++c)
                {
                  moments[T.edges[c]][T.sides[c]] += M(c);
                  if (is_folded(edges[T.edges[c]]))
                    dh(c) =
                      slopes[T.edges[c]].of(T.sides[c]).dot(moved[T.edges[c]]);
                }
              const Eigen::Vector3d dM = data[t].C * dh;
              for (int c = 0; c < 3; ++c)
                add(edges[T.edges[c]],
                    dM(c) * slopes[T.edges[c]].of(T.sides[c]),
                    g);
              membranes.add_hessian_times(t, T, at.x, direction.x, g.x);
            }
          for (std::size_t e = 0; e < edges.size(); ++e)
            if (is_folded(edges[e]))
              {
                const FoldHessian H = fold_hessian(edges[e], at, moments[e]);
                Gradient          force;
                force.head<12>() =
                  H.corners * moved[e].head<12>() + H.by_tilt * moved[e](12);
                force(12) =
                  H.by_tilt.dot(moved[e].head<12>()) + H.tilt * moved[e](12);
                add(edges[e], force, g);
              }
        }

      private:
        /// (K_11, K_22, K_12) of one fold after the other.
        static Eigen::Matrix3d
        curvature_of_folds(const RestFrame &frame)
        {
          Eigen::Matrix3d Q;
          for (int i = 0; i < 3; ++i)
            {
              const Eigen::RowVector2d n = frame.N.row(i);
              const double             s =
                rule == FoldRule::half_tangent || rule == FoldRule::angle
                              ? 1. / n.norm()
                              : 1.;
              Q.col(i) = -2. * s *
                         Eigen::Vector3d(n(0) * n(0), n(1) * n(1), n(0) * n(1));
            }
          return Q;
        }

        struct Data
        {
          Eigen::Matrix3d C;
          Eigen::Vector3d rest_folds;
        };

        struct Slopes
        {
          std::array<Gradient, has_tilt(rule) ? 2 : 1> sides;

          const Gradient &
          of(const int side) const
          {
            return sides[has_tilt(rule) ? side : 0];
          }
        };

        using Folds = std::vector<std::array<double, 2>>;

        /// Angles make curvatures as tangents of their halves do.
        static Eigen::Vector3d
        to_tangents(const Eigen::Vector3d &folds)
        {
          if constexpr (rule == FoldRule::angle)
            return (0.5 * folds.array()).tan();
          else
            return folds;
        }

        static Eigen::Vector3d
        from_tangents(const Eigen::Vector3d &tangents)
        {
          if constexpr (rule == FoldRule::angle)
            return 2. * tangents.array().atan();
          else
            return tangents;
        }

        /// Beyond a free edge there is nothing to fold, unless its normal may
        /// tilt.
        static bool
        is_folded(const Edge &edge)
        {
          return has_tilt(rule) || edge.ghost != Ghost::plane;
        }

        static double
        tilt_of(const Edge &edge, const Configuration &at)
        {
          return has_tilt(rule) && edge.tilt >= 0 ? at.tilt(edge.tilt) : 0.;
        }

        Folds
        evaluate(const Configuration &at, std::vector<Slopes> *slopes) const
        {
          Folds folds(edges.size(), {{0., 0.}});
          if (slopes)
            slopes->resize(edges.size());
          for (std::size_t e = 0; e < edges.size(); ++e)
            {
              const Edge &edge = edges[e];
              if (!is_folded(edge))
                {
                  if (slopes)
                    for (Gradient &g : (*slopes)[e].sides)
                      g.setZero();
                  continue;
                }
              const Corners        x = corners_of(edge, at.x);
              const EdgeFold<rule> fold(x, tilt_of(edge, at));
              folds[e] = {{fold.value(0), fold.value(1)}};
              if (!slopes)
                continue;
              for (std::size_t s = 0; s < (*slopes)[e].sides.size(); ++s)
                {
                  Gradient &g = (*slopes)[e].sides[s];
                  g           = fold.gradient(static_cast<int>(s));
                  if (edge.ghost != Ghost::none)
                    GhostMap(edge).fold(g);
                }
            }
          return folds;
        }

        static Eigen::Vector3d
        folds_of(const Triangle &T, const Folds &folds)
        {
          Eigen::Vector3d h;
          for (int c = 0; c < 3; ++c)
            h(c) = folds[T.edges[c]][T.sides[c]];
          return h;
        }

        Eigen::Vector3d
        bending_strain(const std::size_t t, const Folds &folds) const
        {
          return folds_of(triangles[t], folds) - data[t].rest_folds;
        }

        static Gradient
        gather(const Edge &edge, const Configuration &from)
        {
          Gradient g = Gradient::Zero();
          for (int v = 0; v < 4; ++v)
            if (edge.corners[v] >= 0)
              g.segment<3>(3 * v) = from.x.col(edge.corners[v]);
          g(12) = tilt_of(edge, from);
          return g;
        }

        static void
        add(const Edge &edge, const Gradient &of_edge, Configuration &g)
        {
          for (int v = 0; v < 4; ++v)
            if (edge.corners[v] >= 0)
              g.x.col(edge.corners[v]) += of_edge.segment<3>(3 * v);
          if (has_tilt(rule) && edge.tilt >= 0)
            g.tilt(edge.tilt) += of_edge(12);
        }

        static FoldHessian
        fold_hessian(const Edge                  &edge,
                     const Configuration         &at,
                     const std::array<double, 2> &moments)
        {
          const Corners x = corners_of(edge, at.x);
          FoldHessian   H = EdgeFold<rule>(x, tilt_of(edge, at))
                            .hessian(moments[0], moments[1]);
          if (edge.ghost != Ghost::none)
            GhostMap(edge).fold(H);
          return H;
        }

        static void
        add_fold_hessian(const Edge                    &edge,
                         const int                      corner,
                         const int                      side,
                         const Configuration           &at,
                         const std::array<double, 2>   &moments,
                         typename Stencil<rule>::Block &block)
        {
          const FoldHessian H = fold_hessian(edge, at, moments);
          const int         n = edge.ghost == Ghost::none ? 4 : 3;
          int               places[4];
          for (int v = 0; v < 4; ++v)
            places[v] = 3 * Stencil<rule>::vertex(corner, side, v);
          for (int v = 0; v < n; ++v)
            for (int k = 0; k < 3; ++k)
              for (int w = 0; w < n; ++w)
                for (int m = 0; m < 3; ++m)
                  block(places[w] + m, places[v] + k) +=
                    H.corners(3 * w + m, 3 * v + k);
          if constexpr (has_tilt(rule))
            if (edge.tilt >= 0)
              {
                const int at_tilt = 18 + corner;
                for (int v = 0; v < n; ++v)
                  for (int k = 0; k < 3; ++k)
                    {
                      block(places[v] + k, at_tilt) += H.by_tilt(3 * v + k);
                      block(at_tilt, places[v] + k) += H.by_tilt(3 * v + k);
                    }
                block(at_tilt, at_tilt) += H.tilt;
              }
        }

        TriangleMembranes membranes;
        std::vector<Data> data;
      };
    } // namespace

    std::unique_ptr<Elements>
    make_fold_elements(const FoldRule rule)
    {
      switch (rule)
        {
          case FoldRule::average:
            return std::make_unique<ElementsOf<FoldRule::average>>();
          case FoldRule::sine:
            return std::make_unique<ElementsOf<FoldRule::sine>>();
          case FoldRule::tangent:
            return std::make_unique<ElementsOf<FoldRule::tangent>>();
          case FoldRule::half_tangent:
            return std::make_unique<ElementsOf<FoldRule::half_tangent>>();
          default:
            return std::make_unique<ElementsOf<FoldRule::angle>>();
        }
    }
  } // namespace triangles
} // namespace slender

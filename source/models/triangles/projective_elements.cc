// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/triangles/edge_ghost.h>
#include <slender/models/triangles/projective_elements.h>
#include <slender/models/triangles/triangle_membranes.h>

namespace slender
{
  namespace triangles
  {
    namespace
    {
      /**
       * The energies of projective dynamics (Bouaziz et al. 2014) for a surface
       * that is flat at rest,
       *
       *   E = sum_T S A/2 |F - R(F)|^2 + sum_e k D/2 |e|^2 / A_e |z_e|^2,
       *
       * where R(F) is the nearest isometry to the deformation gradient F (see
       * MembraneKind::isometric) and z, linear in the positions, the jump of
       * the slope across an edge,
       *
       *   z = (w_i p + (1 - w_i) q - i)/H_i + (w_l p + (1 - w_l) q - l)/H_l,
       *
       * with the altitudes H and the feet of i and l on the edge at rest. Its
       * length is 2 sin(theta/2) where nothing is stretched: the quadratic
       * bending of Bergou et al. (2006). Its projection is zero.
       *
       * With projections held, the Hessian is S A N N^T and that of |z|^2: the
       * same everywhere.
       */
      class ProjectiveElements : public Elements
      {
      public:
        std::vector<Forms>
        forms(const Configuration &at) const override
        {
          std::vector<Forms> result(triangles.size());
          for (std::size_t t = 0; t < triangles.size(); ++t)
            {
              const Triangle             &T = triangles[t];
              Eigen::Matrix<double, 3, 2> d;
              d << at.x.col(T.vertices[1]) - at.x.col(T.vertices[0]),
                at.x.col(T.vertices[2]) - at.x.col(T.vertices[0]);
              result[t].metric = d.transpose() * d;
            }
          return result;
        }

        void
        set_rest(const std::vector<Forms> &rest, const Law &law) override
        {
          for (const Forms &form : rest)
            if (form.curvature.norm() > 0.)
              throw InputError("the projective shell is flat at rest; others "
                               "may have a curvature");
          for (const Forms &form : rest)
            if (form.membrane != 1. || form.bending != 1.)
              throw InputError("thickness and stiffness of the projective "
                               "shell are the same everywhere; those of others "
                               "may vary");
          membranes.set_rest(rest, law);
          factor             = law.fold_factor;
          membrane_stiffness = isometric_stiffness(law.poisson, law.thickness);
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
          std::vector<Energies> result(triangles.size());
          for (std::size_t t = 0; t < triangles.size(); ++t)
            result[t].membrane = membranes.energy(t, triangles[t], at.x);
          for (const Edge &edge : edges)
            if (edge.ghost != Ghost::plane)
              for (const Index t : edge.triangles)
                if (t >= 0)
                  result[t].bending +=
                    0.25 * stiffness(edge) * jump(edge, at.x).squaredNorm();
          return result;
        }

        void
        add_gradient(const Configuration &at, Configuration &g) const override
        {
          for (std::size_t t = 0; t < triangles.size(); ++t)
            membranes.add_gradient(t, triangles[t], at.x, g.x);
          add_bending_forces(at.x, g.x);
        }

        void
        add_hessian(const Configuration                     &at,
                    const NodalVectors                      *previous,
                    const std::vector<std::array<Index, 3>> &vertices,
                    const std::vector<Index> &,
                    HessianSink &sink) const override
        {
          for (std::size_t t = 0; t < triangles.size(); ++t)
            {
              PaddedBlock<9> block{};
              membranes.add_hessian(t, triangles[t], at.x, previous, block);
              send(triangles[t], block, vertices, sink);
            }
          add_bending_hessian(vertices, sink);
        }

        void
        add_hessian_times(const Configuration &at,
                          const Configuration &direction,
                          Configuration       &g) const override
        {
          for (std::size_t t = 0; t < triangles.size(); ++t)
            membranes.add_hessian_times(
              t, triangles[t], at.x, direction.x, g.x);
          add_bending_forces(direction.x, g.x);
        }

        void
        add_projective_hessian(
          const std::vector<std::array<Index, 3>> &vertices,
          HessianSink                             &sink) const override
        {
          for (std::size_t t = 0; t < triangles.size(); ++t)
            {
              const auto           &N = membranes.gradients(t);
              const Eigen::Matrix3d s =
                (membrane_stiffness * membranes.area(t)) * N * N.transpose();
              PaddedBlock<9> block{};
              for (int c = 0; c < 3; ++c)
                for (int d = 0; d < 3; ++d)
                  for (int k = 0; k < 3; ++k)
                    block(3 * c + k, 3 * d + k) = s(c, d);
              send(triangles[t], block, vertices, sink);
            }
          add_bending_hessian(vertices, sink);
        }

      private:
        static void
        send(const Triangle                          &triangle,
             const PaddedBlock<9>                    &block,
             const std::vector<std::array<Index, 3>> &vertices,
             HessianSink                             &sink)
        {
          std::array<Index, 9> unknowns;
          for (int c = 0; c < 3; ++c)
            for (int k = 0; k < 3; ++k)
              unknowns[3 * c + k] = vertices[triangle.vertices[c]][k];
          sink.add(unknowns.data(), 9, block.entries);
        }

        double
        stiffness(const Edge &edge) const
        {
          return factor * edge.length * edge.length / edge.area;
        }

        /// The part of an edge that this rank answers for: half of it for each
        /// of its triangles.
        static double
        share(const Edge &edge)
        {
          return 0.5 * (edge.triangles[0] >= 0) +
                 0.5 * (edge.triangles[1] >= 0);
        }

        /// Of the corners (i, p, q, l) in z.
        static Eigen::Vector4d
        weights(const Edge &edge)
        {
          const double a = 1. / edge.altitudes[0], b = 1. / edge.altitudes[1];
          return {-a,
                  edge.feet[0] * a + edge.feet[1] * b,
                  (1. - edge.feet[0]) * a + (1. - edge.feet[1]) * b,
                  -b};
        }

        static Vector3
        jump(const Edge &edge, const NodalVectors &x)
        {
          return corners_of(edge, x) * weights(edge);
        }

        void
        add_bending_forces(const NodalVectors &x, NodalVectors &g) const
        {
          for (const Edge &edge : edges)
            {
              if (edge.ghost == Ghost::plane)
                continue;
              const Vector3 M = share(edge) * stiffness(edge) * jump(edge, x);
              const Eigen::Vector4d w     = weights(edge);
              Gradient              slope = Gradient::Zero();
              for (int v = 0; v < 4; ++v)
                slope.segment<3>(3 * v) = w(v) * M;
              if (edge.ghost == Ghost::mirror)
                GhostMap(edge).fold(slope);
              for (int v = 0; v < 4; ++v)
                if (edge.corners[v] >= 0)
                  g.col(edge.corners[v]) += slope.segment<3>(3 * v);
            }
        }

        void
        add_bending_hessian(const std::vector<std::array<Index, 3>> &vertices,
                            HessianSink                             &sink) const
        {
          for (const Edge &edge : edges)
            {
              if (edge.ghost == Ghost::plane)
                continue;
              const Eigen::Vector4d w = weights(edge);
              Hessian               H = Hessian::Zero();
              for (int v = 0; v < 4; ++v)
                for (int u = 0; u < 4; ++u)
                  H.block<3, 3>(3 * v, 3 * u)
                    .diagonal()
                    .setConstant(share(edge) * stiffness(edge) * w(v) * w(u));
              if (edge.ghost == Ghost::mirror)
                GhostMap(edge).fold(H);
              const Eigen::Matrix<double, 12, 12> block =
                H.topLeftCorner<12, 12>();
              std::array<Index, 12> unknowns;
              unknowns.fill(-1);
              for (int v = 0; v < 4; ++v)
                if (edge.corners[v] >= 0)
                  for (int k = 0; k < 3; ++k)
                    unknowns[3 * v + k] = vertices[edge.corners[v]][k];
              sink.add(unknowns.data(), 12, block.data());
            }
        }

        TriangleMembranes membranes;
        double            factor = 0., membrane_stiffness = 0.;
      };
    } // namespace

    std::unique_ptr<Elements>
    make_projective_elements()
    {
      return std::make_unique<ProjectiveElements>();
    }
  } // namespace triangles
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_triangles_triangle_membranes_h
#define slender_models_triangles_triangle_membranes_h

#include <slender/models/triangles/block_products.h>
#include <slender/models/triangles/rest_frame.h>
#include <slender/models/triangles/triangle_elements.h>

namespace slender
{
  namespace triangles
  {
    /**
     * How triangles resist being stretched: the energy A W(a) of each (see
     * MembraneEnergy), with a = F^T F for the constant deformation gradient
     * F = sum_c x_c N_c^T.
     */
    class TriangleMembranes
    {
    public:
      using DeformationGradient = Eigen::Matrix<double, 3, 2>;

      void
      set_rest(const std::vector<Forms> &forms, const Law &law)
      {
        the_law = law;
        rest.resize(forms.size());
        for (std::size_t t = 0; t < forms.size(); ++t)
          {
            const RestFrame frame(forms[t].metric);
            rest[t].area   = 0.5 * frame.T(0, 0) * frame.T(1, 1);
            rest[t].weight = forms[t].membrane * rest[t].area;
            rest[t].N      = frame.N;
            rest[t].metric = Metric(1., 1., 0.);
          }
      }

      /// What the energy is a function of.
      Metric
      strain(const std::size_t   t,
             const Triangle     &triangle,
             const NodalVectors &x) const
      {
        return metric(gradient_of(t, triangle, x));
      }

      /// Moves the stress-free metric a part of the way to another one; areas
      /// and frames remain.
      void
      blend_natural(const std::size_t t, const Metric &a, const double part)
      {
        rest[t].metric += part * (a - rest[t].metric);
      }

      /// Multiplies all energies.
      void
      scale(const double factor)
      {
        for (Rest &of : rest)
          of.weight *= factor;
      }

      double
      area(const std::size_t t) const
      {
        return rest[t].area;
      }

      /// Gradients of the barycentric coordinates.
      const Eigen::Matrix<double, 3, 2> &
      gradients(const std::size_t t) const
      {
        return rest[t].N;
      }

      double
      energy(const std::size_t   t,
             const Triangle     &triangle,
             const NodalVectors &x) const
      {
        return rest[t].weight *
               membrane(t, metric(gradient_of(t, triangle, x))).value;
      }

      void
      add_gradient(const std::size_t   t,
                   const Triangle     &triangle,
                   const NodalVectors &x,
                   NodalVectors       &g) const
      {
        const DeformationGradient F = gradient_of(t, triangle, x);
        const Eigen::Matrix3d     f =
          F * as_matrix(rest[t].weight * membrane(t, metric(F)).stress) *
          rest[t].N.transpose();
        for (int c = 0; c < 3; ++c)
          g.col(triangle.vertices[c]) += f.col(c);
      }

      /// Into the first nine rows and columns of a block: the corners' places.
      template <int n>
      void
      add_hessian(const std::size_t   t,
                  const Triangle     &triangle,
                  const NodalVectors &x,
                  const NodalVectors *previous,
                  PaddedBlock<n>     &block) const
      {
        const DeformationGradient F  = gradient_of(t, triangle, x);
        const MembraneEnergy  energy = tangent_energy(t, triangle, F, previous);
        const auto           &N      = rest[t].N;
        const Eigen::Matrix3d C      = rest[t].weight * energy.stiffness;
        ThreeColumns<9>       B, BC;
        for (int c = 0; c < 3; ++c)
          for (int k = 0; k < 3; ++k)
            {
              const int    at  = 3 * c + k;
              const double b0  = 2. * N(c, 0) * F(k, 0),
                           b1  = 2. * N(c, 1) * F(k, 1),
                           b2  = N(c, 0) * F(k, 1) + N(c, 1) * F(k, 0);
              B.entries[0][at] = b0;
              B.entries[1][at] = b1;
              B.entries[2][at] = b2;
              for (int m = 0; m < 3; ++m)
                BC.entries[m][at] = b0 * C(0, m) + b1 * C(1, m) + b2 * C(2, m);
            }
        add_products(BC, B, n, block.entries);
        const Eigen::Matrix3d s =
          N * as_matrix(rest[t].weight * energy.stress) * N.transpose();
        for (int c = 0; c < 3; ++c)
          for (int d = 0; d < 3; ++d)
            for (int k = 0; k < 3; ++k)
              block(3 * c + k, 3 * d + k) += s(c, d);
      }

      void
      add_hessian_times(const std::size_t   t,
                        const Triangle     &triangle,
                        const NodalVectors &x,
                        const NodalVectors &dx,
                        NodalVectors       &g) const
      {
        const DeformationGradient F  = gradient_of(t, triangle, x),
                                  G  = gradient_of(t, triangle, dx);
        const MembraneEnergy  energy = membrane(t, metric(F));
        const Eigen::Vector3d dS     = energy.stiffness * metric(F, G);
        const Eigen::Matrix3d f =
          rest[t].weight * (F * as_matrix(dS) + G * as_matrix(energy.stress)) *
          rest[t].N.transpose();
        for (int c = 0; c < 3; ++c)
          g.col(triangle.vertices[c]) += f.col(c);
      }

    private:
      struct Rest
      {
        Eigen::Matrix<double, 3, 2> N;
        Metric                      metric; ///< without stress: (1, 1, 0)
        double                      area, weight;
      };

      MembraneEnergy
      membrane(const std::size_t t, const Metric &a) const
      {
        return {the_law.membrane,
                the_law.poisson,
                the_law.thickness,
                a - (rest[t].metric - Metric(1., 1., 0.))};
      }

      DeformationGradient
      gradient_of(const std::size_t   t,
                  const Triangle     &triangle,
                  const NodalVectors &x) const
      {
        const auto                 &v = triangle.vertices;
        Eigen::Matrix<double, 3, 3> X;
        X << x.col(v[0]), x.col(v[1]), x.col(v[2]);
        return X * rest[t].N;
      }

      static Metric
      metric(const DeformationGradient &F)
      {
        return {F.col(0).squaredNorm(),
                F.col(1).squaredNorm(),
                F.col(0).dot(F.col(1))};
      }

      static Metric
      metric(const DeformationGradient &F, const DeformationGradient &G)
      {
        return {2. * F.col(0).dot(G.col(0)),
                2. * F.col(1).dot(G.col(1)),
                F.col(0).dot(G.col(1)) + F.col(1).dot(G.col(0))};
      }

      static Eigen::Matrix2d
      as_matrix(const Eigen::Vector3d &stress)
      {
        Eigen::Matrix2d S;
        S << 2. * stress(0), stress(2), stress(2), 2. * stress(1);
        return S;
      }

      /// What a tangent takes from the membrane. With a previous iterate, the
      /// stress of the geometric part is that which its linearisation
      /// predicts here, and the stiffness that of the predicted strain.
      MembraneEnergy
      tangent_energy(const std::size_t          t,
                     const Triangle            &triangle,
                     const DeformationGradient &F,
                     const NodalVectors        *previous) const
      {
        if (!previous)
          return membrane(t, metric(F));
        const DeformationGradient F0   = gradient_of(t, triangle, *previous);
        const Metric              a0   = metric(F0);
        const Metric              da   = metric(F0, F - F0);
        const MembraneEnergy      here = membrane(t, a0);
        const MembraneEnergy      predicted = membrane(t, a0 + da);
        MembraneEnergy            result =
          std::isfinite(predicted.value) ? predicted : membrane(t, metric(F));
        result.stress = here.stress + here.stiffness * da;
        return result;
      }

      Law               the_law;
      std::vector<Rest> rest;
    };
  } // namespace triangles
} // namespace slender

#endif

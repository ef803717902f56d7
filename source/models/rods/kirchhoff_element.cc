// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/vectorised.h>
#include <slender/models/rods/kirchhoff_element.h>
#include <slender/models/rods/kirchhoff_kernel.h>

namespace slender::kirchhoff
{
  namespace
  {
    /// All components at a point, and their derivatives along the rod.
    struct Interpolated
    {
      double value[8], rate[8];

      Curvature::Input
      curvature_input() const
      {
        Curvature::Input z;
        z << Eigen::Map<const Vector4>(value), Eigen::Map<const Vector4>(rate);
        return z;
      }

      Stretch::Input
      stretch_input() const
      {
        Stretch::Input z;
        z << Eigen::Map<const Vector4>(value),
          Eigen::Map<const Vector3>(rate + 4);
        return z;
      }
    };

    SLENDER_INLINED void
    interpolate(const double *shape,
                const int     n_nodes,
                const double (*u)[8],
                Interpolated &result)
    {
      Four value[2] = {}, rate[2] = {};
      for (int a = 0; a < n_nodes; ++a)
        for (int h = 0; h < 2; ++h)
          {
            value[h] += shape[2 * a] * four(u[a] + 4 * h);
            rate[h] += shape[2 * a + 1] * four(u[a] + 4 * h);
          }
      for (int h = 0; h < 2; ++h)
        {
          four(result.value + 4 * h) = value[h];
          four(result.rate + 4 * h)  = rate[h];
        }
    }

    /// The transpose of interpolate().
    SLENDER_INLINED void
    distribute(const double       *shape,
               const int           n_nodes,
               const double        weight,
               const Interpolated &forces,
               double (*result)[8])
    {
      for (int a = 0; a < n_nodes; ++a)
        for (int h = 0; h < 2; ++h)
          four(result[a] + 4 * h) +=
            weight * shape[2 * a] * four(forces.value + 4 * h) +
            weight * shape[2 * a + 1] * four(forces.rate + 4 * h);
    }

    SLENDER_INLINED void
    put_curvature(const Curvature::Input &g, Interpolated &forces)
    {
      Eigen::Map<Vector4>(forces.value)     = g.head<4>();
      Eigen::Map<Vector4>(forces.rate)      = g.tail<4>();
      Eigen::Map<Vector4>(forces.value + 4) = Vector4::Zero();
      Eigen::Map<Vector4>(forces.rate + 4)  = Vector4::Zero();
    }

    SLENDER_INLINED void
    put_stretch(const Stretch::Input &g, Interpolated &forces)
    {
      Eigen::Map<Vector4>(forces.value)     = g.head<4>();
      Eigen::Map<Vector4>(forces.rate)      = Vector4::Zero();
      Eigen::Map<Vector4>(forces.value + 4) = Vector4::Zero();
      Eigen::Map<Vector3>(forces.rate + 4)  = g.tail<3>();
      forces.rate[7]                        = 0.;
    }
  } // namespace

  SLENDER_VECTORISED __attribute__((flatten)) void
  add_gradient(const ElementPoints &points,
               const ElementLaw    &law,
               const int            n_nodes,
               const NodeValues    &u,
               NodeValues          &gradient)
  {
    Interpolated z, forces;
    for (const QuadraturePoint &point : points.bending)
      {
        const double *shape = point.shape.data();
        interpolate(shape, n_nodes, u.at, z);
        put_curvature(energy_gradient<Curvature>(z.curvature_input(),
                                                 law.curvature_stiffness,
                                                 law.natural),
                      forces);
        Eigen::Map<Vector3>(forces.value + 4) = -law.weight;
        distribute(shape, n_nodes, point.weight, forces, gradient.at);
      }
    for (const QuadraturePoint &point : points.stretching)
      {
        const double *shape = point.shape.data();
        interpolate(shape, n_nodes, u.at, z);
        put_stretch(energy_gradient<Stretch>(z.stretch_input(),
                                             law.stretch_stiffness,
                                             Vector3::Zero()),
                    forces);
        distribute(shape, n_nodes, point.weight, forces, gradient.at);
      }
  }

  SLENDER_VECTORISED __attribute__((flatten)) void
  add_hessian_times(const ElementPoints &points,
                    const ElementLaw    &law,
                    const int            n_nodes,
                    const NodeValues    &u,
                    const NodeValues    &v,
                    NodeValues          &product)
  {
    Interpolated z, dz, forces;
    for (const QuadraturePoint &point : points.bending)
      {
        const double *shape = point.shape.data();
        interpolate(shape, n_nodes, u.at, z);
        interpolate(shape, n_nodes, v.at, dz);
        put_curvature(energy_hessian_times<Curvature>(z.curvature_input(),
                                                      law.curvature_stiffness,
                                                      law.natural,
                                                      dz.curvature_input()),
                      forces);
        distribute(shape, n_nodes, point.weight, forces, product.at);
      }
    for (const QuadraturePoint &point : points.stretching)
      {
        const double *shape = point.shape.data();
        interpolate(shape, n_nodes, u.at, z);
        interpolate(shape, n_nodes, v.at, dz);
        put_stretch(energy_hessian_times<Stretch>(z.stretch_input(),
                                                  law.stretch_stiffness,
                                                  Vector3::Zero(),
                                                  dz.stretch_input()),
                    forces);
        distribute(shape, n_nodes, point.weight, forces, product.at);
      }
  }

  namespace
  {
    /// Hessians of densities times their weights, column by column: first four
    /// inputs, then the others, padded to four.
    struct PointHessian
    {
      const double *shape;
      double        at[64];
    };

    /// The rows of node a and the columns of node b of the whole, in four
    /// parts: quaternions and positions.
    struct NodeBlock
    {
      Four qq[4], rq[4], qr[3], rr[3];
    };

    SLENDER_INLINED void
    add_bending(const PointHessian &H, const int a, const int b, NodeBlock &sum)
    {
      const double f = H.shape[2 * a], d = H.shape[2 * a + 1];
      const double ff = f * H.shape[2 * b], df = d * H.shape[2 * b],
                   fd = f * H.shape[2 * b + 1], dd = d * H.shape[2 * b + 1];
      for (int c = 0; c < 4; ++c)
        sum.qq[c] += ff * four(H.at + 8 * c) + df * four(H.at + 8 * c + 4) +
                     fd * four(H.at + 8 * c + 32) +
                     dd * four(H.at + 8 * c + 36);
    }

    SLENDER_INLINED void
    add_stretching(const PointHessian &H,
                   const int           a,
                   const int           b,
                   NodeBlock          &sum)
    {
      const double f = H.shape[2 * a], d = H.shape[2 * a + 1];
      const double ff = f * H.shape[2 * b], df = d * H.shape[2 * b],
                   fd = f * H.shape[2 * b + 1], dd = d * H.shape[2 * b + 1];
      for (int c = 0; c < 4; ++c)
        {
          sum.qq[c] += ff * four(H.at + 8 * c);
          sum.rq[c] += df * four(H.at + 8 * c + 4);
        }
      for (int c = 0; c < 3; ++c)
        {
          sum.qr[c] += fd * four(H.at + 8 * c + 32);
          sum.rr[c] += dd * four(H.at + 8 * c + 36);
        }
    }

    /// To its place, and its transpose to the place across the diagonal.
    SLENDER_INLINED void
    put(const NodeBlock &block,
        const int        a,
        const int        b,
        const int        n,
        double          *matrix)
    {
      double *const here  = matrix + n_components * (b * n + a);
      double *const there = matrix + n_components * (a * n + b);
      for (int c = 0; c < n_components; ++c)
        for (int i = 0; i < n_components; ++i)
          {
            const Four  &part  = c < 4
                                   ? (i < 4 ? block.qq[c] : block.rq[c])
                                   : (i < 4 ? block.qr[c - 4] : block.rr[c - 4]);
            const double value = part[i % 4];
            here[c * n + i]    = value;
            there[i * n + c]   = value;
          }
    }
  } // namespace

  SLENDER_VECTORISED __attribute__((flatten)) void
  set_hessian(const ElementPoints &points,
              const ElementLaw    &law,
              const int            n_nodes,
              const NodeValues    &u,
              const NodeValues    *previous,
              double              *matrix)
  {
    PointHessian bending[most_nodes], stretching[most_nodes];
    Interpolated z, z0;
    int          n_bending = 0, n_stretching = 0;
    for (const QuadraturePoint &point : points.bending)
      {
        PointHessian &H = bending[n_bending++];
        H.shape         = point.shape.data();
        interpolate(H.shape, n_nodes, u.at, z);
        const Curvature::Input input  = z.curvature_input();
        const auto             strain = Curvature::strain(input);
        Eigen::Map<Eigen::Matrix<double, 8, 8>>(H.at) =
          point.weight *
          energy_hessian<Curvature>(input,
                                    strain,
                                    law.curvature_stiffness,
                                    law.curvature_stiffness.cwiseProduct(
                                      strain.value - law.natural));
      }
    for (const QuadraturePoint &point : points.stretching)
      {
        PointHessian &H = stretching[n_stretching++];
        H.shape         = point.shape.data();
        interpolate(H.shape, n_nodes, u.at, z);
        const Stretch::Input input  = z.stretch_input();
        const auto           strain = Stretch::strain(input);
        Vector3 stress = law.stretch_stiffness.cwiseProduct(strain.value);
        if (previous)
          {
            interpolate(H.shape, n_nodes, previous->at, z0);
            stress = predicted_stress<Stretch>(input,
                                               z0.stretch_input(),
                                               law.stretch_stiffness,
                                               Vector3::Zero());
          }
        Eigen::Map<Eigen::Matrix<double, 8, 8>> padded(H.at);
        padded.setZero();
        padded.topLeftCorner<7, 7>() =
          point.weight *
          energy_hessian<Stretch>(input, strain, law.stretch_stiffness, stress);
      }

    const int n = n_components * n_nodes;
    for (int a = 0; a < n_nodes; ++a)
      for (int b = 0; b <= a; ++b)
        {
          NodeBlock sum = {};
          for (int p = 0; p < n_bending; ++p)
            add_bending(bending[p], a, b, sum);
          for (int p = 0; p < n_stretching; ++p)
            add_stretching(stretching[p], a, b, sum);
          put(sum, a, b, n, matrix);
        }
  }
} // namespace slender::kirchhoff

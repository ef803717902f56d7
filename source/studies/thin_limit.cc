// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/direction.h>
#include <slender/studies/thin_limit.h>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <cmath>
#include <set>

namespace slender
{
  namespace
  {
    /// Five points of Gauss in (0, 1).
    constexpr double points[5]  = {0.046910077030668004,
                                   0.23076534494715845,
                                   0.5,
                                   0.7692346550528416,
                                   0.953089922969332};
    constexpr double weights[5] = {0.11846344252809454,
                                   0.23931433524968324,
                                   0.28444444444444444,
                                   0.23931433524968324,
                                   0.11846344252809454};

    /// Tangents and second derivatives of a surface over (u, v).
    struct Derivatives
    {
      Vector3 u, v, uu, uv, vv;
    };

    /// Differences of sixth order.
    Derivatives
    differentiate(const std::function<Vector3(double, double)> &x,
                  const double                                  u,
                  const double                                  v)
    {
      constexpr double h    = 4e-3;
      constexpr double a[4] = {0., 3. / 4., -3. / 20., 1. / 60.};
      constexpr double b[4] = {-49. / 18., 3. / 2., -3. / 20., 1. / 90.};
      Derivatives      d;
      d.u = d.v = d.uv = Vector3::Zero();
      d.uu = d.vv = b[0] * x(u, v);
      for (int k = 1; k <= 3; ++k)
        {
          const Vector3 right = x(u + k * h, v), left = x(u - k * h, v);
          const Vector3 up = x(u, v + k * h), down = x(u, v - k * h);
          d.u += a[k] * (right - left);
          d.v += a[k] * (up - down);
          d.uu += b[k] * (right + left);
          d.vv += b[k] * (up + down);
          for (int l = 1; l <= 3; ++l)
            d.uv += a[k] * a[l] *
                    (x(u + k * h, v + l * h) - x(u - k * h, v + l * h) -
                     x(u + k * h, v - l * h) + x(u - k * h, v - l * h));
        }
      d.u /= h;
      d.v /= h;
      d.uu /= h * h;
      d.uv /= h * h;
      d.vv /= h * h;
      return d;
    }

    Eigen::Matrix2d
    first_form(const Derivatives &d)
    {
      Eigen::Matrix2d a;
      a << d.u.dot(d.u), d.u.dot(d.v), d.u.dot(d.v), d.v.dot(d.v);
      return a;
    }

    Eigen::Matrix2d
    second_form(const Derivatives &d)
    {
      const Vector3   n = d.u.cross(d.v).normalized();
      Eigen::Matrix2d b;
      b << d.uu.dot(n), d.uv.dot(n), d.uv.dot(n), d.vv.dot(n);
      return b;
    }
  } // namespace

  ThinLimitEnergy
  thin_limit_energy(const RestSurface                             &surface,
                    const ShellBody                               &body,
                    const std::function<Vector3(const Vector3 &)> &deformed)
  {
    const double nu = body.poisson, h = body.thickness;
    const double stiffness = body.young / (1. - nu * nu);
    const auto   density   = [nu](const Eigen::Matrix2d &M) {
      return nu * M.trace() * M.trace() + (1. - nu) * (M * M).trace();
    };
    ThinLimitEnergy sum;
    std::set<int>   patches;
    for (const SurfaceMesh::Cell &cell : surface.mesh().cells)
      patches.insert(cell.patch);
    // Pieces along each side: many patches are small ones.
    const int    n = patches.size() > 30 ? 1 : 8;
    const double d = 1. / n;
    for (const int patch : patches)
      {
        const auto rest = [&](const double u, const double v) {
          return surface.position(patch, u, v);
        };
        const auto present = [&](const double u, const double v) {
          return deformed(rest(u, v));
        };
        for (int i = 0; i < 5 * n; ++i)
          for (int j = 0; j < 5 * n; ++j)
            {
              const double      u      = d * (i / 5 + points[i % 5]);
              const double      v      = d * (j / 5 + points[j % 5]);
              const Derivatives X      = differentiate(rest, u, v);
              const Derivatives x      = differentiate(present, u, v);
              const Vector3     normal = X.u.cross(X.v).normalized();
              const Vector3     d1     = direction_of(body.natural_direction);
              const Vector3 along = (d1 - d1.dot(normal) * normal).normalized();
              const Vector3 across = normal.cross(along);
              Eigen::Matrix2d F; // tangents in the frame of the law
              F << along.dot(X.u), along.dot(X.v), across.dot(X.u),
                across.dot(X.v);
              const Eigen::Matrix2d to_frame = F.inverse();
              const GrownForms      natural =
                grown_forms(body.growth_law,
                            sample(body.growth_law, rest(u, v)),
                            body.growth,
                            to_frame.transpose() * second_form(X) * to_frame,
                            h);
              const Eigen::Matrix2d a0 = F.transpose() * natural.metric * F;
              const Eigen::Matrix2d b0 = F.transpose() * natural.curvature * F;
              const Eigen::Matrix2d inverse = a0.inverse();
              const double area = weights[i % 5] * weights[j % 5] * d * d *
                                  std::sqrt(a0.determinant());
              sum.membrane += area * h / 8. * stiffness *
                              density(inverse * (first_form(x) - a0));
              sum.bending += area * h * h * h / 24. * stiffness *
                             density(inverse * (second_form(x) - b0));
            }
      }
    return sum;
  }
} // namespace slender

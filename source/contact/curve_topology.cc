// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/contact/curve_topology.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace slender::contact
{
  namespace
  {
    /// Directions that differ by less are the same but for round-off.
    constexpr double parallel = 1e-11;
  } // namespace

  std::vector<Crossing>
  crossings(const Eigen::Matrix3Xd &x, const Vector3 &direction)
  {
    const Vector3 n = direction.normalized();
    const Vector3 u = n.unitOrthogonal(), v = n.cross(u);
    const auto    n_edges = static_cast<Index>(x.cols()) - 1;
    const auto    across  = [&](const Vector3 &a, const Vector3 &b) {
      return u.dot(a) * v.dot(b) - v.dot(a) * u.dot(b);
    };
    std::vector<Crossing> result;
    for (Index i = 0; i < n_edges; ++i)
      for (Index j = i + 2; j < n_edges; ++j)
        {
          const Vector3 e1 = x.col(i + 1) - x.col(i),
                        e2 = x.col(j + 1) - x.col(j), r = x.col(j) - x.col(i);
          const double area = across(e1, e2);
          if (std::abs(area) < parallel * e1.norm() * e2.norm())
            continue;
          const double s = across(r, e2) / area, t = across(r, e1) / area;
          if (s < 0. || s >= 1. || t < 0. || t >= 1.)
            continue;
          // The one that is nearer to who looks passes over the other.
          const double height = n.dot(r + t * e2 - s * e1);
          result.push_back({i, j, area * height < 0. ? 1 : -1});
        }
    return result;
  }

  double
  writhe(const Eigen::Matrix3Xd &x)
  {
    const auto n_edges = static_cast<Index>(x.cols()) - 1;
    double     sum     = 0.;
    for (Index i = 0; i < n_edges; ++i)
      for (Index j = i + 2; j < n_edges; ++j)
        {
          const Vector3 r13 = x.col(j) - x.col(i),
                        r14 = x.col(j + 1) - x.col(i),
                        r23 = x.col(j) - x.col(i + 1),
                        r24 = x.col(j + 1) - x.col(i + 1);
          // The solid angle of the directions in which they cross.
          Vector3      normals[4] = {r13.cross(r14),
                                     r14.cross(r24),
                                     r24.cross(r23),
                                     r23.cross(r13)};
          bool         is_flat    = false;
          const double far = std::max(r13.squaredNorm(), r24.squaredNorm());
          for (Vector3 &m : normals)
            {
              const double size = m.norm();
              is_flat           = is_flat || size < parallel * far;
              m /= size;
            }
          if (is_flat)
            continue;
          double angle = 0.;
          for (int k = 0; k < 4; ++k)
            angle += std::asin(
              std::clamp(normals[k].dot(normals[(k + 1) % 4]), -1., 1.));
          const Vector3 e1 = x.col(i + 1) - x.col(i),
                        e2 = x.col(j + 1) - x.col(j);
          sum += e2.cross(e1).dot(r13) > 0. ? angle : -angle;
        }
    constexpr double pi = 3.141592653589793;
    return sum / (2. * pi);
  }

  Eigen::Matrix3Xd
  extended(const Eigen::Matrix3Xd &x, const double length)
  {
    const Index      n = static_cast<Index>(x.cols());
    Eigen::Matrix3Xd result(3, n + 2);
    result.middleCols(1, n) = x;
    result.col(0) = x.col(0) - length * (x.col(1) - x.col(0)).normalized();
    result.col(n + 1) =
      x.col(n - 1) + length * (x.col(n - 1) - x.col(n - 2)).normalized();
    return result;
  }
} // namespace slender::contact

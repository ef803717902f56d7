// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_triangles_edge_ghost_h
#define slender_models_triangles_edge_ghost_h

#include <slender/models/triangles/triangle_elements.h>

namespace slender
{
  namespace triangles
  {
    /// The corners (i, p, q, l) of an edge, of which l may be a ghost.
    inline Corners
    corners_of(const Edge &edge, const NodalVectors &x)
    {
      Corners c;
      for (int v = 0; v < 4; ++v)
        if (edge.corners[v] >= 0)
          c.col(v) = x.col(edge.corners[v]);
      if (edge.ghost == Ghost::plane)
        c.col(3) = c.col(1) + c.col(2) - c.col(0);
      else if (edge.ghost == Ghost::mirror)
        c.col(3) = c.col(0) - 2. * edge.mirror_normal *
                                edge.mirror_normal.dot(
                                  c.col(0) - 0.5 * (c.col(1) + c.col(2)));
      return c;
    }

    /// Derivatives by (i, p, q, l, tilt) where l follows i, p and q: those by
    /// l are handed on.
    struct GhostMap
    {
      Matrix3 by_i, by_end; // dl/di, dl/dp = dl/dq

      explicit GhostMap(const Edge &edge)
      {
        if (edge.ghost == Ghost::plane)
          {
            by_i   = -Matrix3::Identity();
            by_end = Matrix3::Identity();
          }
        else
          {
            by_end = edge.mirror_normal * edge.mirror_normal.transpose();
            by_i   = Matrix3::Identity() - 2. * by_end;
          }
      }

      void
      fold(Gradient &g) const
      {
        const Vector3 l = g.segment<3>(9);
        g.segment<3>(0) += by_i.transpose() * l;
        g.segment<3>(3) += by_end.transpose() * l;
        g.segment<3>(6) += by_end.transpose() * l;
        g.segment<3>(9).setZero();
      }

      void
      fold(Hessian &H) const
      {
        const Eigen::Matrix<double, 13, 3> l = H.middleCols<3>(9);
        H.middleCols<3>(0) += l * by_i;
        H.middleCols<3>(3) += l * by_end;
        H.middleCols<3>(6) += l * by_end;
        const Eigen::Matrix<double, 3, 13> r = H.middleRows<3>(9);
        H.middleRows<3>(0) += by_i.transpose() * r;
        H.middleRows<3>(3) += by_end.transpose() * r;
        H.middleRows<3>(6) += by_end.transpose() * r;
        H.middleCols<3>(9).setZero();
        H.middleRows<3>(9).setZero();
      }

      void
      fold(FoldHessian &H) const
      {
        Hessian all;
        all << H.corners, H.by_tilt, H.by_tilt.transpose(), H.tilt;
        fold(all);
        H.corners = all.topLeftCorner<12, 12>();
        H.by_tilt = all.topRightCorner<12, 1>();
      }
    };
  } // namespace triangles
} // namespace slender

#endif

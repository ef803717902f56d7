// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_triangles_edge_kernel_h
#define slender_models_triangles_edge_kernel_h

#include <slender/base/types.h>
#include <slender/models/triangles/block_products.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace slender
{
  /**
   * How far two triangles are folded along the edge that they share: the
   * numbers of which discrete shells make their curvatures, with first and
   * second derivatives in closed form.
   *
   * The edge runs from p to q. On its first side is the triangle (i, p, q),
   * on its second (l, q, p), both counterclockwise about their normals. The
   * angle theta between the normals is positive where the surface is bent as
   * about a cylinder whose normal points outwards.
   *
   * Arguments are the 13 numbers (i, p, q, l, tilt); `tilt` turns the normal of
   * the edge by an angle, away from the middle between the two triangles'.
   */
  namespace triangles
  {
    using Corners  = Eigen::Matrix<double, 3, 4>; ///< columns i, p, q, l
    using Gradient = Eigen::Matrix<double, 13, 1>;
    using Hessian  = Eigen::Matrix<double, 13, 13>;
    using Matrix3  = Eigen::Matrix3d;
    using Twelve   = Eigen::Matrix<double, 12, 1>;

    /// Second derivatives by (i, p, q, l), by these and the tilt, and by the
    /// tilt.
    struct FoldHessian
    {
      Eigen::Matrix<double, 12, 12> corners;
      Twelve                        by_tilt = Twelve::Zero();
      double                        tilt    = 0.;
    };

    /// Which number measures a fold; see EdgeFold.
    enum class FoldRule
    {
      average,      ///< normal of the edge: both triangles' by area
      sine,         ///< altitude times sine of its angle with the triangle's
      tangent,      ///< altitude times tangent
      half_tangent, ///< tan(theta/2)
      angle,        ///< theta
      vector        ///< jump of the slope across the edge, a vector
    };

    constexpr bool
    has_tilt(const FoldRule rule)
    {
      return rule == FoldRule::sine || rule == FoldRule::tangent;
    }

    inline Matrix3
    cross_matrix(const Vector3 &v)
    {
      Matrix3 m;
      m << 0., -v(2), v(1), v(2), 0., -v(0), -v(1), v(0), 0.;
      return m;
    }

    /**
     * A triangle (i, p, q) as seen from its side pq, with unit vectors t along
     * the side, n normal to the triangle and u = n x t across the side, towards
     * i. With the weight w of p in the foot of i on pq and
     *
     *   g = (1, -w, w - 1),   e = (0, 1, -1),
     *
     * the altitude H and the angle theta about pq have the derivatives
     * dH/dx = g_x u and dtheta/dx = -g_x n / H by the corners x = i, p, q; and
     * as the triangle moves, L being the length of pq,
     *
     *   du = n (n . sum g_y dy) / H + t (u . sum e_y dy) / L,
     *   dn = -u (n . sum g_y dy) / H + t (n . sum e_y dy) / L,
     *   dg_x = -e_x dw,   dw = (-t . sum g_y dy + (H/L) u . sum e_y dy) / L.
     */
    struct Flank
    {
      Vector3 n, u, t;
      double  altitude, length;
      double  g[3];

      Flank(const Vector3 &i,
            const Vector3 &p,
            const Vector3 &q,
            const Vector3 &along,
            const double   side_length)
        : t(along)
        , length(side_length)
      {
        const Vector3 c     = (p - i).cross(q - i);
        const double  cross = c.norm();
        n                   = c / cross;
        u                   = n.cross(t);
        altitude            = cross / length;
        const double w      = (q - i).dot(t) / length;
        g[0]                = 1.;
        g[1]                = -w;
        g[2]                = w - 1.;
      }

      /// Of a d2theta/dx dy + b d2H/dx dy, as three pairs of columns; corner x
      /// stands at places[x].
      void
      second_derivatives(const double a,
                         const double b,
                         const int (&places)[3],
                         SymmetricProducts &pairs,
                         const int          first) const
      {
        constexpr double e[3] = {0., 1., -1.};
        const double     h = 1. / altitude, l = 1. / length;
        // Of both sides together the antisymmetric part of n u^T vanishes.
        const Vector3 with_n = (a * h * h) * u + (0.5 * b * h) * n;
        const Vector3 with_t = l * (b * u - (a * h) * n);
        const Vector3 with_u =
          (0.5 * a * l * l) * n - (0.5 * b * altitude * l * l) * u;
        for (int k = 0; k < 3; ++k)
          {
            std::fill_n(pairs.a[first + k], 12, 0.);
            std::fill_n(pairs.b[first + k], 12, 0.);
          }
        for (int x = 0; x < 3; ++x)
          for (int c = 0; c < 3; ++c)
            {
              const int at           = places[x] + c;
              pairs.a[first][at]     = g[x] * n(c);
              pairs.b[first][at]     = g[x] * with_n(c);
              pairs.a[first + 1][at] = g[x] * t(c);
              pairs.b[first + 1][at] = e[x] * with_t(c);
              pairs.a[first + 2][at] = e[x] * u(c);
              pairs.b[first + 2][at] = e[x] * with_u(c);
            }
      }
    };

    /**
     * The fold of an edge by a rule: a value for either side. For `average`,
     * `sine` and `tangent` it is h = n_e . (p - i), the height of the edge over
     * the opposite corner along the edge's normal n_e (or its continuation as a
     * tangent); for the others both values are the same.
     */
    template <FoldRule rule>
    class EdgeFold
    {
    public:
      EdgeFold(const Corners &x, const double tilt_angle)
        : length((x.col(2) - x.col(1)).norm())
        , t((x.col(2) - x.col(1)) / length)
        , flanks{{x.col(0), x.col(1), x.col(2), t, length},
                 {x.col(3), x.col(2), x.col(1), -t, length}}
        , theta(std::atan2(t.dot(flanks[0].n.cross(flanks[1].n)),
                           flanks[0].n.dot(flanks[1].n)))
        , tilt(tilt_angle)
      {}

      double
      value(const int side) const
      {
        if constexpr (rule == FoldRule::angle)
          return theta;
        else if constexpr (rule == FoldRule::half_tangent)
          return std::tan(0.5 * theta);
        else
          return flanks[side].altitude * Shape(angle_on(side)).f;
      }

      Gradient
      gradient(const int side) const
      {
        Gradient g = Gradient::Zero();
        if constexpr (rule == FoldRule::angle)
          add_angle_gradient(1., g);
        else if constexpr (rule == FoldRule::half_tangent)
          add_angle_gradient(0.5 * Shape(0.5 * theta).df, g);
        else
          {
            const double H = flanks[side].altitude;
            const Shape  shape(angle_on(side));
            add_angle_gradient(0.5 * H * shape.df, g);
            add_altitude_gradient(side, shape.f, g);
            g(12) = sign(side) * H * shape.df;
          }
        return g;
      }

      /// Of weight_1 value(0) + weight_2 value(1).
      FoldHessian
      hessian(const double weight_1, const double weight_2) const
      {
        FoldHessian       H;
        SymmetricProducts pairs;
        int               n_pairs = 6;
        // First derivatives by theta and by the altitudes.
        double of_theta = 0., of_altitude[2] = {0., 0.};
        if constexpr (rule == FoldRule::angle)
          of_theta = weight_1 + weight_2;
        else
          {
            Gradient d = Gradient::Zero();
            add_angle_gradient(1., d);
            Eigen::Map<Twelve> a(pairs.a[6]), b(pairs.b[6]);
            a       = d.head<12>();
            n_pairs = 7;
            if constexpr (rule == FoldRule::half_tangent)
              {
                const Shape shape(0.5 * theta);
                of_theta = 0.5 * (weight_1 + weight_2) * shape.df;
                b        = (0.125 * (weight_1 + weight_2) * shape.ddf) * a;
              }
            else
              {
                // Second ones by theta and the altitudes, and by these and the
                // tilt.
                double of_theta_twice = 0., of_theta_tilt = 0.;
                b.setZero();
                for (const int side : {0, 1})
                  {
                    const double w      = side == 0 ? weight_1 : weight_2;
                    const double H_side = flanks[side].altitude;
                    const Shape  shape(angle_on(side));
                    of_theta += 0.5 * w * H_side * shape.df;
                    of_altitude[side] = w * shape.f;
                    of_theta_twice += 0.25 * w * H_side * shape.ddf;
                    of_theta_tilt += 0.5 * sign(side) * w * H_side * shape.ddf;
                    H.tilt += w * H_side * shape.ddf;
                    add_altitude_gradient(side, 0.5 * w * shape.df, b);
                    add_altitude_gradient(side,
                                          sign(side) * w * shape.df,
                                          H.by_tilt);
                  }
                b += 0.5 * of_theta_twice * a;
                H.by_tilt += of_theta_tilt * a;
              }
          }
        for (const int side : {0, 1})
          flanks[side].second_derivatives(
            of_theta, of_altitude[side], places[side], pairs, 3 * side);
        add_up(pairs, n_pairs, H.corners.data());
        return H;
      }

    private:
      /// How a tilt is measured: f(phi) with its derivatives.
      struct Shape
      {
        double f, df, ddf;

        explicit Shape(const double phi)
        {
          if constexpr (rule == FoldRule::sine)
            {
              f   = std::sin(phi);
              df  = std::cos(phi);
              ddf = -f;
            }
          else
            {
              f   = std::tan(phi);
              df  = 1. + f * f;
              ddf = 2. * f * df;
            }
        }
      };

      static double
      sign(const int side)
      {
        return side == 0 ? 1. : -1.;
      }

      double
      angle_on(const int side) const
      {
        return 0.5 * theta + sign(side) * tilt;
      }

      /// The corners of a flank (opposite one, then the edge as it sees it)
      /// among the 13 numbers.
      static constexpr int places[2][3] = {{0, 3, 6}, {9, 6, 3}};

      void
      add_angle_gradient(const double factor, Gradient &g) const
      {
        for (const int side : {0, 1})
          {
            const Flank  &of = flanks[side];
            const Vector3 m  = (factor / of.altitude) * of.n;
            for (int x = 0; x < 3; ++x)
              g.segment<3>(places[side][x]) -= of.g[x] * m;
          }
      }

      template <class Column>
      void
      add_altitude_gradient(const int    side,
                            const double factor,
                            Column      &g) const
      {
        const Flank  &of = flanks[side];
        const Vector3 u  = factor * of.u;
        for (int x = 0; x < 3; ++x)
          g.template segment<3>(places[side][x]) += of.g[x] * u;
      }

      double  length;
      Vector3 t; ///< along the edge
      Flank   flanks[2];
      double  theta, tilt;
    };

    /**
     * With normals weighted by area, N = c_1 + c_2 is the vector area of the
     * quadrilateral (i, p, l, q): the product of its diagonals. So
     *
     *   h = (p - i) . N / |N|,   N = (l - i) x (q - p),
     *
     * which is the same from either side, and needs no angle.
     */
    template <>
    class EdgeFold<FoldRule::average>
    {
    public:
      EdgeFold(const Corners &x, double)
        : a(x.col(1) - x.col(0))
        , D1(x.col(3) - x.col(0))
        , D2(x.col(2) - x.col(1))
      {
        const Vector3 N = D1.cross(D2);
        r               = N.norm();
        n               = N / r;
        h               = a.dot(n);
        g               = (a - h * n) / r; // dh/dN
      }

      double
      value(int) const
      {
        return h;
      }

      Gradient
      gradient(int) const
      {
        const Vector3 of_1 = D2.cross(g), of_2 = g.cross(D1);
        Gradient      d;
        d << -n - of_1, n - of_2, of_2, of_1, 0.;
        return d;
      }

      /// With P = 1 - n n^T,
      ///
      ///   d2h = 2/r da . P dN + dN . M dN + 2 g . (dD1 x dD2),
      ///   M = -(a n^T + n a^T + h (1 - 3 n n^T)) / r^2.
      ///
      /// In a frame of n and two directions f across it, with the changes J of
      /// N along them, the first two are two pairs of columns, as
      /// n . M n = 0.
      FoldHessian
      hessian(const double weight_1, const double weight_2) const
      {
        const double  w = weight_1 + weight_2, m = -w / (r * r);
        const Vector3 across =
          n.cross(std::abs(n(0)) < 0.6 ? Vector3::UnitX() : Vector3::UnitY());
        const Vector3 f[2] = {across / across.norm(),
                              n.cross(across) / across.norm()};
        // a = p - i, D1 = l - i, D2 = q - p
        const auto change_along = [this](const Vector3 &d) {
          const Vector3 of_1 = D2.cross(d), of_2 = d.cross(D1);
          Twelve        column;
          column << -of_1, -of_2, of_2, of_1;
          return column;
        };
        const Twelve      along_n = change_along(n);
        SymmetricProducts pairs;
        for (const int k : {0, 1})
          {
            Eigen::Map<Twelve> J(pairs.a[k]), b(pairs.b[k]);
            J = change_along(f[k]);
            b = (0.5 * m * h) * J + (m * a.dot(f[k])) * along_n;
            b.segment<3>(0) -= (w / r) * f[k];
            b.segment<3>(3) += (w / r) * f[k];
          }
        FoldHessian H;
        add_up(pairs, 2, H.corners.data());
        const Matrix3 G = w * cross_matrix(g);
        H.corners.block<3, 3>(0, 3) -= G;
        H.corners.block<3, 3>(3, 0) += G;
        H.corners.block<3, 3>(0, 6) += G;
        H.corners.block<3, 3>(6, 0) -= G;
        H.corners.block<3, 3>(9, 3) += G;
        H.corners.block<3, 3>(3, 9) -= G;
        H.corners.block<3, 3>(9, 6) -= G;
        H.corners.block<3, 3>(6, 9) += G;
        return H;
      }

    private:
      Vector3 a, D1, D2, n, g;
      double  r, h;
    };
  } // namespace triangles
} // namespace slender

#endif

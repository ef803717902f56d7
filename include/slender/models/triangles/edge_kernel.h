// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_triangles_edge_kernel_h
#define slender_models_triangles_edge_kernel_h

#include <slender/base/types.h>

#include <Eigen/Geometry>

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

      /// Adds a d2theta/dx dy + b d2H/dx dy; corner x stands at places[x].
      template <class Matrix>
      void
      add_second_derivatives(const double a,
                             const double b,
                             const int (&places)[3],
                             Matrix &H) const
      {
        const double  h = 1. / altitude, l = 1. / length;
        const Matrix3 un = u * n.transpose();
        const Matrix3 P =
          (a * h * h) * (un + un.transpose()) + (b * h) * n * n.transpose();
        const Matrix3 Q = t * (l * (b * u - (a * h) * n)).transpose();
        // Of both sides together the antisymmetric part of n u^T vanishes.
        const Matrix3 R = (0.5 * a * l * l) * (un + un.transpose()) -
                          (b * altitude * l * l) * u * u.transpose();
        constexpr double e[3] = {0., 1., -1.};
        for (int x = 0; x < 3; ++x)
          for (int y = 0; y < 3; ++y)
            H.template block<3, 3>(places[x], places[y]) +=
              (g[x] * g[y]) * P + (g[x] * e[y]) * Q +
              (e[x] * g[y]) * Q.transpose() + (e[x] * e[y]) * R;
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
      Hessian
      hessian(const double weight_1, const double weight_2) const
      {
        Hessian H = Hessian::Zero();
        // First derivatives by theta and by the altitudes.
        double of_theta = 0., of_altitude[2] = {0., 0.};
        if constexpr (rule == FoldRule::angle)
          of_theta = weight_1 + weight_2;
        else if constexpr (rule == FoldRule::half_tangent)
          {
            const Shape shape(0.5 * theta);
            of_theta   = 0.5 * (weight_1 + weight_2) * shape.df;
            Gradient d = Gradient::Zero();
            add_angle_gradient(1., d);
            const auto v = d.head<12>();
            H.topLeftCorner<12, 12>().noalias() =
              (0.25 * (weight_1 + weight_2) * shape.ddf) * v * v.transpose();
          }
        else
          {
            // Second ones by (theta, altitudes), and by these and the tilt.
            Matrix3                      S  = Matrix3::Zero();
            Vector3                      St = Vector3::Zero();
            double                       tt = 0.;
            Eigen::Matrix<double, 13, 3> V =
              Eigen::Matrix<double, 13, 3>::Zero();
            for (const int side : {0, 1})
              {
                const double w      = side == 0 ? weight_1 : weight_2;
                const double H_side = flanks[side].altitude;
                const Shape  shape(angle_on(side));
                of_theta += 0.5 * w * H_side * shape.df;
                of_altitude[side] = w * shape.f;
                S(0, 0) += 0.25 * w * H_side * shape.ddf;
                S(0, side + 1) = S(side + 1, 0) = 0.5 * w * shape.df;
                St(0) += 0.5 * sign(side) * w * H_side * shape.ddf;
                St(side + 1) = sign(side) * w * shape.df;
                tt += w * H_side * shape.ddf;
                Gradient d = Gradient::Zero();
                add_altitude_gradient(side, 1., d);
                V.col(side + 1) = d;
              }
            Gradient d = Gradient::Zero();
            add_angle_gradient(1., d);
            V.col(0)                              = d;
            const auto                         v  = V.topRows<12>();
            const Eigen::Matrix<double, 12, 3> VS = v * S;
            H.topLeftCorner<12, 12>().noalias()   = VS * v.transpose();
            H.block<12, 1>(0, 12).noalias()       = v * St;
            H.block<1, 12>(12, 0) = H.block<12, 1>(0, 12).transpose();
            H(12, 12)             = tt;
          }
        for (const int side : {0, 1})
          flanks[side].add_second_derivatives(of_theta,
                                              of_altitude[side],
                                              places[side],
                                              H);
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

      void
      add_altitude_gradient(const int    side,
                            const double factor,
                            Gradient    &g) const
      {
        const Flank  &of = flanks[side];
        const Vector3 u  = factor * of.u;
        for (int x = 0; x < 3; ++x)
          g.segment<3>(places[side][x]) += of.g[x] * u;
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

      Hessian
      hessian(const double weight_1, const double weight_2) const
      {
        const double  w  = weight_1 + weight_2;
        const Matrix3 an = a * n.transpose();
        const Matrix3 of_N =
          (-w / (r * r)) * (an + an.transpose() + h * Matrix3::Identity() -
                            3. * h * n * n.transpose());
        const Matrix3 P  = (w / r) * (Matrix3::Identity() - n * n.transpose());
        const Matrix3 X1 = cross_matrix(D1), X2 = cross_matrix(D2);
        const Matrix3 a1 = -P * X2, a2 = P * X1;
        const Matrix3 NX1 = of_N * X1, NX2 = of_N * X2;
        const Matrix3 b11 = -X2 * NX2, b22 = -X1 * NX1,
                      b12 = X2 * NX1 - w * cross_matrix(g);
        // a = p - i, D1 = l - i, D2 = q - p
        Hessian       H     = Hessian::Zero();
        const Matrix3 ii    = a1 + a1.transpose() + b11;
        const Matrix3 pp    = -a2 - a2.transpose() + b22;
        const Matrix3 ip    = a2 - a1.transpose() + b12;
        const Matrix3 iq    = -a2 - b12;
        const Matrix3 il    = -a1 - b11;
        const Matrix3 pq    = a2 - b22;
        const Matrix3 pl    = a1 - b12.transpose();
        const Matrix3 ql    = b12.transpose();
        H.block<3, 3>(0, 0) = ii;
        H.block<3, 3>(0, 3) = ip;
        H.block<3, 3>(0, 6) = iq;
        H.block<3, 3>(0, 9) = il;
        H.block<3, 3>(3, 0) = ip.transpose();
        H.block<3, 3>(3, 3) = pp;
        H.block<3, 3>(3, 6) = pq;
        H.block<3, 3>(3, 9) = pl;
        H.block<3, 3>(6, 0) = iq.transpose();
        H.block<3, 3>(6, 3) = pq.transpose();
        H.block<3, 3>(6, 6) = b22;
        H.block<3, 3>(6, 9) = ql;
        H.block<3, 3>(9, 0) = il.transpose();
        H.block<3, 3>(9, 3) = pl.transpose();
        H.block<3, 3>(9, 6) = ql.transpose();
        H.block<3, 3>(9, 9) = b11;
        return H;
      }

    private:
      Vector3 a, D1, D2, n, g;
      double  r, h;
    };
  } // namespace triangles
} // namespace slender

#endif

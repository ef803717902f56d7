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
    using Corners   = Eigen::Matrix<double, 3, 4>; ///< columns i, p, q, l
    using Gradient  = Eigen::Matrix<double, 13, 1>;
    using Hessian   = Eigen::Matrix<double, 13, 13>;
    using Matrix3   = Eigen::Matrix3d;
    using Jacobian9 = Eigen::Matrix<double, 9, 9>;

    /// Which number measures a fold; see EdgeFold.
    enum class FoldRule
    {
      average,      ///< normal of the edge: both triangles' by area
      sine,         ///< altitude times sine of its angle with the triangle's
      tangent,      ///< altitude times tangent
      half_tangent, ///< tan(theta/2)
      angle         ///< theta
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

    /// A triangle (i, p, q) as seen from its side pq.
    struct Flank
    {
      Vector3 normal, m; ///< m = normal / altitude
      Vector3 i_to_q, p_to_i;
      double  cross;    ///< twice its area
      double  altitude; ///< of i over pq
      double  weight;   ///< of p in the foot of i on pq

      Flank(const Vector3 &i,
            const Vector3 &p,
            const Vector3 &q,
            const Vector3 &along,
            const double   length)
        : i_to_q(q - i)
        , p_to_i(i - p)
      {
        const Vector3 c = (p - i).cross(q - i);
        cross           = c.norm();
        normal          = c / cross;
        altitude        = cross / length;
        m               = normal / altitude;
        weight          = i_to_q.dot(along) / length; // along is of length one
      }

      /// How dtheta/d(i, p, q) = (-m, w m, (1 - w) m) changes with (i, p, q).
      void
      add_angle_jacobian(const Vector3 &t,
                         const double   length,
                         Jacobian9     &J) const
      {
        // m = L c / |c|^2 with dc/dx = [side opposite to x]
        const double  s = length / (cross * cross);
        const Vector3 n = normal, D = length * t;
        const Matrix3 mirror =
          s * (Matrix3::Identity() - 2. * n * n.transpose());
        Matrix3 M[3];
        M[0] = mirror * cross_matrix(D);
        M[1] = mirror * cross_matrix(-i_to_q) - n * t.transpose() / cross;
        M[2] = mirror * cross_matrix(-p_to_i) + n * t.transpose() / cross;
        // w = (q - i).D / L^2
        const double  L2    = length * length;
        const Vector3 dw[3] = {-D / L2,
                               (2. * weight * D - i_to_q) / L2,
                               (D + i_to_q - 2. * weight * D) / L2};
        for (int x = 0; x < 3; ++x)
          {
            const Matrix3 mw = m * dw[x].transpose();
            J.block<3, 3>(0, 3 * x) -= M[x];
            J.block<3, 3>(3, 3 * x) += weight * M[x] + mw;
            J.block<3, 3>(6, 3 * x) += (1. - weight) * M[x] - mw;
          }
      }

      /// d(altitude)/d(i, p, q).
      Eigen::Matrix<double, 9, 1>
      altitude_gradient(const Vector3 &t, const double length) const
      {
        Eigen::Matrix<double, 9, 1> g;
        g.segment<3>(0) = normal.cross(t);
        g.segment<3>(3) = (normal.cross(-i_to_q) + altitude * t) / length;
        g.segment<3>(6) = (normal.cross(-p_to_i) - altitude * t) / length;
        return g;
      }

      /// d2(altitude)/d(i, p, q)2 of altitude = |c| / L.
      Jacobian9
      altitude_hessian(const Vector3 &t, const double length) const
      {
        const Matrix3 plane = Matrix3::Identity() - normal * normal.transpose();
        const Vector3 opposite[3] = {length * t, -i_to_q, -p_to_i};
        Matrix3       side[3];
        for (int x = 0; x < 3; ++x)
          side[x] = cross_matrix(opposite[x]);
        const Matrix3 N    = cross_matrix(normal);
        const Matrix3 bend = (Matrix3::Identity() - t * t.transpose()) / length;
        const double  dL[3] = {0., -1., 1.}; // times t
        Jacobian9     H;
        for (int x = 0; x < 3; ++x)
          for (int y = 0; y < 3; ++y)
            {
              Matrix3 b = side[x].transpose() * plane * side[y] / cross;
              if (y == (x + 1) % 3)
                b -= N;
              else if (x == (y + 1) % 3)
                b += N;
              const Vector3 dcx = normal.cross(opposite[x]);
              const Vector3 dcy = normal.cross(opposite[y]);
              b -= (dL[y] / length) * dcx * t.transpose();
              b -= (dL[x] / length) * t * dcy.transpose();
              b -= dL[x] * dL[y] * altitude * bend;
              b += (2. * dL[x] * dL[y] * altitude / length) * t * t.transpose();
              H.block<3, 3>(3 * x, 3 * y) = b / length;
            }
        return H;
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
        : corners(x)
        , length((x.col(2) - x.col(1)).norm())
        , t((x.col(2) - x.col(1)) / length)
        , first(x.col(0), x.col(1), x.col(2), t, length)
        , second(x.col(3), x.col(2), x.col(1), -t, length)
        , theta(std::atan2(t.dot(first.normal.cross(second.normal)),
                           first.normal.dot(second.normal)))
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
          {
            const double phi = 0.5 * theta + (side == 0 ? tilt : -tilt);
            return flank(side).altitude *
                   (rule == FoldRule::sine ? std::sin(phi) : std::tan(phi));
          }
      }

      Gradient
      gradient(const int side) const
      {
        Gradient       g;
        const Gradient d = angle_gradient();
        if constexpr (rule == FoldRule::angle)
          g = d;
        else if constexpr (rule == FoldRule::half_tangent)
          g = f1(0.5 * theta) * 0.5 * d;
        else
          {
            const double sign = side == 0 ? 1. : -1.;
            const double phi  = 0.5 * theta + sign * tilt;
            g                 = flank(side).altitude * f1(phi) * 0.5 * d;
            g(12)             = flank(side).altitude * f1(phi) * sign;
            add_to_flank(side,
                         f0(phi) * flank(side).altitude_gradient(
                                     side == 0 ? t : Vector3(-t), length),
                         g);
          }
        return g;
      }

      /// Of weight_1 value(0) + weight_2 value(1).
      Hessian
      hessian(const double weight_1, const double weight_2) const
      {
        Hessian        H = Hessian::Zero();
        const Gradient d = angle_gradient();
        double         of_theta; // dvalue/dtheta
        if constexpr (rule == FoldRule::angle)
          of_theta = weight_1 + weight_2;
        else if constexpr (rule == FoldRule::half_tangent)
          {
            const double w = weight_1 + weight_2;
            of_theta       = 0.5 * w * f1(0.5 * theta);
            H.noalias() += (0.25 * w * f2(0.5 * theta)) * d * d.transpose();
          }
        else
          {
            of_theta = 0.;
            for (int side = 0; side < 2; ++side)
              {
                const double w = side == 0 ? weight_1 : weight_2;
                if (w == 0.)
                  continue;
                const double  sign = side == 0 ? 1. : -1.;
                const Vector3 s    = side == 0 ? t : Vector3(-t);
                const double  phi  = 0.5 * theta + sign * tilt;
                const Flank  &of   = flank(side);
                Gradient      dphi = 0.5 * d;
                dphi(12)           = sign;
                of_theta += 0.5 * w * of.altitude * f1(phi);
                Gradient dH = Gradient::Zero();
                add_to_flank(side, of.altitude_gradient(s, length), dH);
                H.noalias() +=
                  (w * of.altitude * f2(phi)) * dphi * dphi.transpose();
                const Hessian mixed = (w * f1(phi)) * dH * dphi.transpose();
                H += mixed + mixed.transpose();
                add_to_flank(side,
                             Jacobian9(w * f0(phi) *
                                       of.altitude_hessian(s, length)),
                             H);
              }
          }
        Jacobian9 J = Jacobian9::Zero();
        first.add_angle_jacobian(t, length, J);
        J *= of_theta;
        add_to_flank(0, J, H);
        J.setZero();
        second.add_angle_jacobian(-t, length, J);
        J *= of_theta;
        add_to_flank(1, J, H);
        return H;
      }

      double
      angle() const
      {
        return theta;
      }

    private:
      static double
      f0(const double phi)
      {
        return rule == FoldRule::sine ? std::sin(phi) : std::tan(phi);
      }

      static double
      f1(const double phi)
      {
        if (rule == FoldRule::sine)
          return std::cos(phi);
        const double c = std::cos(phi);
        return 1. / (c * c);
      }

      static double
      f2(const double phi)
      {
        return rule == FoldRule::sine ? -std::sin(phi)
                                      : 2. * std::tan(phi) * f1(phi);
      }

      const Flank &
      flank(const int side) const
      {
        return side == 0 ? first : second;
      }

      /// The numbers of a flank (opposite corner, then the edge as it sees it)
      /// among the 13.
      static constexpr int
      place(const int side, const int corner)
      {
        constexpr int places[2][3] = {{0, 3, 6}, {9, 6, 3}};
        return places[side][corner];
      }

      static void
      add_to_flank(const int                          side,
                   const Eigen::Matrix<double, 9, 1> &of_flank,
                   Gradient                          &g)
      {
        for (int x = 0; x < 3; ++x)
          g.segment<3>(place(side, x)) += of_flank.segment<3>(3 * x);
      }

      static void
      add_to_flank(const int side, const Jacobian9 &of_flank, Hessian &H)
      {
        for (int x = 0; x < 3; ++x)
          for (int y = 0; y < 3; ++y)
            H.block<3, 3>(place(side, x), place(side, y)) +=
              of_flank.block<3, 3>(3 * x, 3 * y);
      }

      Gradient
      angle_gradient() const
      {
        Gradient g = Gradient::Zero();
        for (const int side : {0, 1})
          {
            const Flank &of = flank(side);
            g.segment<3>(place(side, 0)) -= of.m;
            g.segment<3>(place(side, 1)) += of.weight * of.m;
            g.segment<3>(place(side, 2)) += (1. - of.weight) * of.m;
          }
        return g;
      }

      const Corners &corners;
      double         length;
      Vector3        t; ///< along the edge
      Flank          first, second;
      double         theta, tilt;
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

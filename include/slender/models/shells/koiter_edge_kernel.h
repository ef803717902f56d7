// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_shells_koiter_edge_kernel_h
#define slender_models_shells_koiter_edge_kernel_h

#include <slender/models/shells/koiter_kernel.h>

/**
 * What holds two cells together across their common edge, at a point of it.
 *
 * Each side has coordinates (s, t): s into the cell, t along the edge, the same
 * for both. theta is the angle between the two tangent planes about the edge's
 * direction e, counted like a curvature that is concentrated on the edge:
 *
 *   theta = atan2((n+ x n-) . e, n+ . n-),   n+ = s+ x t, n- = t x s- (unit)
 *   density = ({M} + T) (theta - theta0) + P (theta - theta0)^2,
 *
 * {M} being a weighted sum of c . (b - b0), the moment across the edge, over
 * the two sides and T a moment from outside. It depends on eight vectors: t,
 * tt; s, ss, st of either side.
 *
 * On either side let s = l m + c t with the unit vector m into the cell across
 * the edge, and d = ds - c dt. Then
 *
 *   dtheta  = sum over sides of (n . d) / l
 *   d2theta = sum over sides of -2 (m.d)(n.d)/l^2 - 2 (e.d)(n.dt)/(l |t|)
 *                               - (m.dt)(n.dt)/|t|^2,
 *
 * without a coupling of the sides. Along the boundary the outer side is a fixed
 * direction s-, into which the tangent plane is to continue: the conormal of a
 * clamp, or the normal of a plane of symmetry.
 */
namespace slender::koiter
{
  /// Columns t, tt, s+, ss+, st+, s-, ss-, st-.
  using EdgeJet = Eigen::Matrix<double, 3, 8>;

  constexpr int n_edge_inputs = 24;
  using EdgeHessian = Eigen::Matrix<double, n_edge_inputs, n_edge_inputs>;

  /// Where x,1 x,2 x,11 x,22 x,12 of the kernel of a cell stand in an EdgeJet,
  /// for the two sides.
  constexpr int side_inputs[2][5] = {{2, 0, 3, 1, 4}, {5, 0, 6, 1, 7}};

  /// Rest state and coefficients at a point of an edge.
  struct EdgePoint
  {
    Form   moment[2]    = {Form::Zero(), Form::Zero()}; ///< weight times c
    Form   curvature[2] = {Form::Zero(), Form::Zero()}; ///< b0
    double penalty      = 0.;                           ///< P
    double angle        = 0.;                           ///< theta0
    double torque       = 0.; ///< of a moment from outside, on the angle
    double near         = 0.; ///< which of the angles, modulo whole turns
    double weight       = 0.; ///< of the quadrature, with the rest length
  };

  inline Jet
  side_jet(const EdgeJet &z, const int side)
  {
    Jet jet;
    for (int i = 0; i < 5; ++i)
      jet.col(i) = z.col(side_inputs[side][i]);
    return jet;
  }

  /// The angle alone.
  inline double
  edge_angle(const EdgeJet &z)
  {
    const Vector3 t     = z.col(0);
    const Vector3 plus  = z.col(2).cross(t);
    const Vector3 minus = t.cross(z.col(5));
    return std::atan2(plus.cross(minus).dot(t) / t.norm(), plus.dot(minus));
  }

  /**
   * The edge at a point, with the first derivatives of the angle and of the
   * moment. With one side the other one is the fixed direction z.col(5).
   */
  class Edge
  {
  public:
    Edge(const EdgeJet &z, const EdgePoint &edge_point, const int n_sides)
      : point(edge_point)
      , sides(n_sides)
      , surface{Surface(side_jet(z, 0)),
                Surface(n_sides == 2 ? side_jet(z, 1) : side_jet(z, 0))}
    {
      const Vector3 t = z.col(0);
      length          = t.norm();
      e               = t / length;
      angle_gradient.setZero();
      moment_gradient.setZero();
      moment = 0.;
      for (int side = 0; side < 2; ++side)
        {
          const Vector3 s      = z.col(side_inputs[side][0]);
          shear[side]          = s.dot(e) / length;
          const Vector3 across = s - shear[side] * t;
          height[side]         = across.norm();
          m[side]              = across / height[side];
          n[side]              = side == 0 ? m[0].cross(e) : e.cross(m[1]);
          if (side < sides)
            angle_gradient.col(side_inputs[side][0]) += n[side] / height[side];
          angle_gradient.col(0) -= shear[side] / height[side] * n[side];

          if (side < sides)
            {
              coefficients[side] = sign(side) * point.moment[side];
              moment += coefficients[side].dot(surface[side].curvature -
                                               point.curvature[side]);
              Jet g = Jet::Zero();
              add_bending_gradient(surface[side], coefficients[side], g);
              for (int i = 0; i < 5; ++i)
                moment_gradient.col(side_inputs[side][i]) += g.col(i);
            }
        }
      angle = std::atan2(n[0].cross(n[1]).dot(e), n[0].dot(n[1])) - point.angle;
      constexpr double turn = 6.283185307179586;
      angle -= turn * std::round((angle - point.near) / turn);
    }

    double
    energy() const
    {
      return (moment + point.torque + point.penalty * angle) * angle;
    }

    /// d energy/d angle.
    double
    torque() const
    {
      return moment + point.torque + 2. * point.penalty * angle;
    }

    EdgeJet
    gradient() const
    {
      return angle * moment_gradient + torque() * angle_gradient;
    }

    EdgeHessian
    hessian() const
    {
      using Flat = Eigen::Map<const Eigen::Matrix<double, n_edge_inputs, 1>>;
      const Flat  dm(moment_gradient.data()), da(angle_gradient.data());
      EdgeHessian H = (dm + 2. * point.penalty * da) * da.transpose();
      H += da * dm.transpose();
      const double a = torque();
      for (int side = 0; side < 2; ++side)
        {
          if (side < sides)
            {
              JetHessian of_moment = JetHessian::Zero();
              add_bending_geometric(surface[side],
                                    angle * coefficients[side],
                                    of_moment);
              for (int i = 0; i < 5; ++i)
                for (int j = 0; j < 5; ++j)
                  H.block<3, 3>(3 * side_inputs[side][i],
                                3 * side_inputs[side][j]) +=
                    of_moment.block<3, 3>(3 * i, 3 * j);
            }
          const double          l = height[side], c = shear[side];
          const Eigen::Matrix3d mn = m[side] * n[side].transpose();
          const Eigen::Matrix3d P  = a * (mn + mn.transpose());
          const Eigen::Matrix3d en = a / (l * length) * e * n[side].transpose();
          if (side < sides)
            {
              const int s = 3 * side_inputs[side][0];
              H.block<3, 3>(s, s) -= P / (l * l);
              H.block<3, 3>(s, 0) += c / (l * l) * P - en;
              H.block<3, 3>(0, s) += c / (l * l) * P - en.transpose();
            }
          H.block<3, 3>(0, 0) +=
            -(c * c / (l * l) + 0.5 / (length * length)) * P +
            c * (en + en.transpose());
        }
      return H;
    }

    EdgeJet
    hessian_times(const EdgeJet &dz) const
    {
      const double dmoment = moment_gradient.cwiseProduct(dz).sum();
      const double dangle  = angle_gradient.cwiseProduct(dz).sum();
      EdgeJet      g       = dangle * moment_gradient +
                  (dmoment + 2. * point.penalty * dangle) * angle_gradient;
      const double  a  = torque();
      const Vector3 dt = dz.col(0);
      for (int side = 0; side < 2; ++side)
        {
          const double c = shear[side], l = height[side];
          Vector3      d = -c * dt;
          if (side < sides)
            {
              d += dz.col(side_inputs[side][0]);
              Jet of_moment = Jet::Zero();
              add_bending_geometric_times(surface[side],
                                          angle * coefficients[side],
                                          side_jet(dz, side),
                                          of_moment);
              for (int i = 0; i < 5; ++i)
                g.col(side_inputs[side][i]) += of_moment.col(i);
            }
          const Vector3 &nn = n[side], &mm = m[side];
          const double   nd = nn.dot(d), nt = nn.dot(dt);
          // Conjugate to d, and to dt alone.
          const Vector3 to_d =
            -a * ((mm * nd + nn * mm.dot(d)) / (l * l) + e * nt / (l * length));
          const Vector3 to_t =
            -a * (nn * e.dot(d) / (l * length) +
                  0.5 * (mm * nt + nn * mm.dot(dt)) / (length * length));
          if (side < sides)
            g.col(side_inputs[side][0]) += to_d;
          g.col(0) += to_t - c * to_d;
        }
      return g;
    }

    double  angle;  ///< theta - theta0
    double  moment; ///< {M}
    EdgeJet angle_gradient, moment_gradient;

  private:
    /// The kernel of a cell has the normal s x t on both sides.
    static double
    sign(const int side)
    {
      return side == 0 ? 1. : -1.;
    }

    const EdgePoint &point;
    int              sides;
    Surface          surface[2];
    Vector3          e, m[2], n[2];
    Form             coefficients[2];
    double           length, height[2], shear[2];
  };
} // namespace slender::koiter

#endif

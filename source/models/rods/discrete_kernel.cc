// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/vectorised.h>
#include <slender/models/rods/discrete_kernel.h>

#include <boost/math/constants/constants.hpp>

namespace slender::discrete_rod
{
  namespace
  {
    using quaternion::conjugate;

    constexpr double pi = boost::math::constants::pi<double>();

    /// The strains as functions of Z = F0* F1, with their derivatives.
    struct StrainOfRotation
    {
      Vector3                     value;
      Eigen::Matrix<double, 3, 4> gradient;

      StrainOfRotation(const Vector4 &Z, const double previous_twist)
        : z(Z)
        , n(Z(0) * Z(0) + Z(1) * Z(1))
      {
        const double twist = 2. * std::atan2(z(1), z(0));
        // atan2 knows the twist up to two full turns.
        value(0) =
          twist + 4. * pi * std::round((previous_twist - twist) / (4. * pi));
        value(1) = 2. * z(0) * z(2) / n;
        value(2) = 2. * z(0) * z(3) / n;

        gradient.setZero();
        gradient(0, 0) = -2. * z(1) / n;
        gradient(0, 1) = 2. * z(0) / n;
        for (int k = 1; k < 3; ++k)
          {
            gradient(k, 0)     = 2. * (z(k + 1) - value(k) * z(0)) / n;
            gradient(k, 1)     = -2. * value(k) * z(1) / n;
            gradient(k, k + 1) = 2. * z(0) / n;
          }
      }

      /// sum_i stress_i d2 strain_i / dZ2.
      Matrix4
      curvature(const Vector3 &stress) const
      {
        Matrix4 H = Matrix4::Zero();

        const double n2 = n * n;
        const double a = z(0), b = z(1);
        H(0, 0) = stress(0) * 4. * a * b / n2;
        H(0, 1) = stress(0) * 2. * (b * b - a * a) / n2;
        H(1, 1) = -H(0, 0);

        // f = N/n with N = 2 z0 (stress . z).
        const double  f = stress(1) * value(1) + stress(2) * value(2);
        const Vector4 df =
          (stress.tail<2>().transpose() * gradient.bottomRows<2>()).transpose();
        H(0, 0) -= 2. * (2. * a * df(0) + f) / n;
        H(0, 1) -= 2. * (a * df(1) + b * df(0)) / n;
        H(1, 1) -= 2. * (2. * b * df(1) + f) / n;
        for (int k = 2; k < 4; ++k)
          {
            H(0, k) = 2. * (stress(k - 1) - a * df(k)) / n;
            H(1, k) = -2. * b * df(k) / n;
          }
        H.triangularView<Eigen::StrictlyLower>() = H.transpose();
        return H;
      }

    private:
      Vector4 z;
      double  n;
    };

    /// p q of quaternions as a sum of four columns.
    SLENDER_INLINED void
    multiply(const double *p, const double *q, double *result)
    {
      const double c1[4] = {-q[1], q[0], -q[3], q[2]},
                   c2[4] = {-q[2], q[3], q[0], -q[1]},
                   c3[4] = {-q[3], -q[2], q[1], q[0]};
      four(result) =
        p[0] * four(q) + p[1] * four(c1) + p[2] * four(c2) + p[3] * four(c3);
    }

    /// A vector times the matrix with the given columns.
    SLENDER_INLINED void
    combine(const double (&columns)[4][4], const double *x, double *result)
    {
      four(result) = x[0] * four(columns[0]) + x[1] * four(columns[1]) +
                     x[2] * four(columns[2]) + x[3] * four(columns[3]);
    }

    SLENDER_INLINED void
    transpose(const double *columns, double (&result)[4][4])
    {
      for (int k = 0; k < 4; ++k)
        for (int c = 0; c < 4; ++c)
          result[c][k] = columns[4 * k + c];
    }

    /// (e, theta) to the frame F = p (S h) and its derivatives, with the
    /// source's tangent s and |e|:
    ///   dF/de_c = (t_c + s_c, s x unit_c) (S h),   dF/dtheta = F i/2.
    SLENDER_VECTORISED void
    differentiate_frame(const double *s,
                        const double *e,
                        const double  length,
                        const double *turned,
                        double       *frame,
                        double       *gradient)
    {
      const double t[3] = {e[0] / length, e[1] / length, e[2] / length};
      const double p[4] = {length + s[0] * e[0] + s[1] * e[1] + s[2] * e[2],
                           s[1] * e[2] - s[2] * e[1],
                           s[2] * e[0] - s[0] * e[2],
                           s[0] * e[1] - s[1] * e[0]};
      multiply(p, turned, frame);
      const double by_x[4] = {t[0] + s[0], 0., s[2], -s[1]},
                   by_y[4] = {t[1] + s[1], -s[2], 0., s[0]},
                   by_z[4] = {t[2] + s[2], s[1], -s[0], 0.};
      multiply(by_x, turned, gradient);
      multiply(by_y, turned, gradient + 4);
      multiply(by_z, turned, gradient + 8);
      gradient[12] = -0.5 * frame[1];
      gradient[13] = 0.5 * frame[0];
      gradient[14] = 0.5 * frame[3];
      gradient[15] = -0.5 * frame[2];
    }

    /**
     * The part of a joint's Hessian that comes from first derivatives of the
     * frames: with A0 = dF0/d(e0, theta0) and A1 likewise, dZ = G d(..) where
     * G = [R(F1) A0*, L(F0*) A1], and with g = dE/dZ
     *
     *   H = G^T (d2E/dZ2) G + [0, A0^T C A1; its transpose, 0],
     *
     * C_ab = g . (unit_a* unit_b) being what Z has of second derivatives.
     */
    SLENDER_INLINED void
    hessian_of_rotation(const double *F0,
                        const double *A0,
                        const double *F1,
                        const double *A1,
                        const double *H_Z,
                        const double *g,
                        double       *H)
    {
      const double by_F0[4][4]   = {{F1[0], F1[1], F1[2], F1[3]},
                                    {F1[1], -F1[0], F1[3], -F1[2]},
                                    {F1[2], -F1[3], -F1[0], F1[1]},
                                    {F1[3], F1[2], -F1[1], -F1[0]}};
      const double by_F1[4][4]   = {{F0[0], -F0[1], -F0[2], -F0[3]},
                                    {F0[1], F0[0], -F0[3], F0[2]},
                                    {F0[2], F0[3], F0[0], -F0[1]},
                                    {F0[3], -F0[2], F0[1], F0[0]}};
      const double mixture[4][4] = {{g[0], -g[1], -g[2], -g[3]},
                                    {g[1], g[0], g[3], -g[2]},
                                    {g[2], -g[3], g[0], g[1]},
                                    {g[3], g[2], -g[1], g[0]}};
      double       stiffness[4][4];
      for (int c = 0; c < 4; ++c)
        four(stiffness[c]) = four(H_Z + 4 * c);

      double G[32], G0[4][4], G1[4][4], A0_rows[4][4];
      for (int k = 0; k < 4; ++k)
        {
          combine(by_F0, A0 + 4 * k, G + 4 * k);
          combine(by_F1, A1 + 4 * k, G + 16 + 4 * k);
        }
      transpose(G, G0);
      transpose(G + 16, G1);
      transpose(A0, A0_rows);
      for (int l = 0; l < 8; ++l)
        {
          double image[4];
          combine(stiffness, G + 4 * l, image);
          combine(G0, image, H + 8 * l);
          combine(G1, image, H + 8 * l + 4);
        }
      for (int l = 0; l < 4; ++l)
        {
          double image[4], mixed[4];
          combine(mixture, A1 + 4 * l, image);
          combine(A0_rows, image, mixed);
          four(H + 8 * (4 + l)) += four(mixed);
          for (int k = 0; k < 4; ++k)
            H[8 * k + 4 + l] += mixed[k];
        }
    }
  } // namespace

  Matrix4
  frame_curvature(const EdgeFrame &edge, const Vector4 &G)
  {
    Matrix4 H;
    // Of p(e) only the scalar part |e| + t.e has second derivatives.
    H.topLeftCorner<3, 3>() = edge.length_hessian * edge.turned.dot(G);
    // dF/de dtheta = (dp/de) (S h i/2), and products with a quaternion have
    // those with its conjugate for their transpose.
    const Vector4 w = quaternion::product(
      G, conjugate(quaternion::product(edge.turned, Vector4::UnitY())));
    const Vector3 mixed = 0.5 * (w(0) * (edge.tangent + edge.source_tangent) +
                                 w.tail<3>().cross(edge.source_tangent));
    H.topRightCorner<3, 1>()   = mixed;
    H.bottomLeftCorner<1, 3>() = mixed.transpose();
    H(3, 3)                    = -0.25 * edge.frame.dot(G);
    return H;
  }

  EdgeFrame::EdgeFrame(const Source  &source,
                       const Vector3 &edge,
                       const double   theta)
    : source_tangent(source.tangent)
  {
    const double length = edge.norm();
    tangent             = edge / length;
    const double c = std::cos(theta / 2), s = std::sin(theta / 2);
    const auto  &S = source.frame; // times (c, s, 0, 0)
    turned << c * S(0) - s * S(1), c * S(1) + s * S(0), c * S(2) + s * S(3),
      c * S(3) - s * S(2);
    differentiate_frame(source.tangent.data(),
                        edge.data(),
                        length,
                        turned.data(),
                        frame.data(),
                        gradient.data());
    length_hessian =
      (Eigen::Matrix3d::Identity() - tangent * tangent.transpose()) / length;
  }

  Vector3
  strain_between(const Vector4 &frame_0,
                 const Vector4 &frame_1,
                 const double   previous_twist)
  {
    return StrainOfRotation(quaternion::product(conjugate(frame_0), frame_1),
                            previous_twist)
      .value;
  }

  double
  joint_energy(const Joint   &joint,
               const Vector4 &frame_0,
               const Vector4 &frame_1)
  {
    const Vector3 elastic =
      strain_between(frame_0, frame_1, joint.previous_twist) - joint.natural;
    return 0.5 * elastic.dot(joint.stiffness.cwiseProduct(elastic)) /
           joint.length;
  }

  SLENDER_VECTORISED __attribute__((flatten)) JointGradient
  joint_gradient(const Joint     &joint,
                 const EdgeFrame &edge_0,
                 const EdgeFrame &edge_1,
                 JointHessian    *hessian)
  {
    const Vector4 Z =
      quaternion::product(conjugate(edge_0.frame), edge_1.frame);
    const StrainOfRotation strain(Z, joint.previous_twist);
    const Vector3          stress =
      joint.stiffness.cwiseProduct(strain.value - joint.natural) / joint.length;
    const Vector4 g = strain.gradient.transpose() * stress; // dE/dZ

    // dZ = dF0* F1 + F0* dF1.
    const Vector4 g_0 = quaternion::product(edge_1.frame, conjugate(g)),
                  g_1 = quaternion::product(edge_0.frame, g);
    if (hessian)
      {
        JointHessian &H   = *hessian;
        const Matrix4 H_Z = strain.gradient.transpose() *
                              (joint.stiffness / joint.length).asDiagonal() *
                              strain.gradient +
                            strain.curvature(stress);
        hessian_of_rotation(edge_0.frame.data(),
                            edge_0.gradient.data(),
                            edge_1.frame.data(),
                            edge_1.gradient.data(),
                            H_Z.data(),
                            g.data(),
                            H.data());
        H.topLeftCorner<4, 4>() += frame_curvature(edge_0, g_0);
        H.bottomRightCorner<4, 4>() += frame_curvature(edge_1, g_1);
      }
    JointGradient result;
    result << edge_0.gradient.transpose() * g_0,
      edge_1.gradient.transpose() * g_1;
    return result;
  }
} // namespace slender::discrete_rod

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/contact/pair_energy.h>
#include <slender/contact/smooth_distance.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace slender::contact
{
  namespace
  {
    /// Adds the derivatives of f E(d) of the exact distance d between nearest
    /// points at t and u, by the envelope theorem: with v = sum_a w_a x_a from
    /// the second point to the first,
    ///
    ///   d(v.v/2)/dx_a = w_a v ,
    ///   d2(v.v/2)/dx2 = w w^T (x) 1 - B M^-1 B^T ,
    ///
    /// where B holds the mixed derivatives by x and by those of t and u that
    /// are between ends, and M the second derivatives by these.
    void
    add_exact(const FourPoints &x,
              const Products   &p,
              const Nearest    &at,
              const Curve      &curve,
              const double      f,
              const Derivatives wanted,
              PairEnergy       &sum)
    {
      const double  d = std::sqrt(at.squared_distance);
      const Vector4 w = weights_of(at.t, at.u);
      const Vector3 v = x * w;
      sum.value += f * curve.value;
      if (wanted == Derivatives::none)
        return;
      const double slope = f * curve.slope / d;
      Twelve       g;
      for (int a = 0; a < 4; ++a)
        g.segment<3>(3 * a) = w(a) * v;
      sum.gradient += slope * g;
      if (wanted == Derivatives::first)
        return;

      TwelveByTwelve &H = sum.hessian;
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b)
          {
            const double entry = slope * w(a) * w(b);
            for (int c = 0; c < 3; ++c)
              H(3 * a + c, 3 * b + c) += entry;
          }
      H.noalias() += ((f * curve.bend - slope) / (d * d) * g) * g.transpose();
      const bool t_moves = at.on_first == Spot::inside,
                 u_moves = at.on_second == Spot::inside;
      Twelve by_t, by_u;
      if (t_moves)
        {
          const Vector3 e1 = x.col(1) - x.col(0);
          for (int a = 0; a < 4; ++a)
            by_t.segment<3>(3 * a) = w(a) * e1;
          by_t.segment<3>(0) -= v;
          by_t.segment<3>(3) += v;
        }
      if (u_moves)
        {
          const Vector3 e2 = x.col(3) - x.col(2);
          for (int a = 0; a < 4; ++a)
            by_u.segment<3>(3 * a) = -w(a) * e2;
          by_u.segment<3>(6) += v;
          by_u.segment<3>(9) -= v;
        }
      if (t_moves && u_moves)
        {
          // M = (D1 -R; -R D2), diagonalised.
          by_u += p.R / p.D1 * by_t;
          H.noalias() -=
            (slope / (p.D2 - p.R * p.R / p.D1) * by_u) * by_u.transpose();
        }
      else if (u_moves)
        H.noalias() -= (slope / p.D2 * by_u) * by_u.transpose();
      if (t_moves)
        H.noalias() -= (slope / p.D1 * by_t) * by_t.transpose();
    }

    void
    add_barrier(const FourPoints &x,
                const Products   &p,
                const Nearest    &at,
                const Barrier    &law,
                const double      f,
                const Derivatives wanted,
                PairEnergy       &sum)
    {
      const double end = law.touching + law.gap;
      if (at.squared_distance < end * end)
        add_exact(
          x, p, at, law(std::sqrt(at.squared_distance)), f, wanted, sum);
    }

    PairEnergy
    zero(const Derivatives wanted)
    {
      PairEnergy result;
      if (wanted != Derivatives::none)
        result.gradient.setZero();
      if (wanted == Derivatives::second)
        result.hessian.setZero();
      return result;
    }

    /// Adds what comes from m(s) E1 + (1 - m(s)) E2 because m depends on the
    /// places: s = 1 - c^2 with the cosine c between the segments.
    void
    add_transition(const FourPoints &x,
                   const PairEnergy &crossing,
                   const PairEnergy &parallel,
                   const double      m_slope,
                   const double      m_bend,
                   const Derivatives wanted,
                   PairEnergy       &sum)
    {
      const Vector3 e1 = x.col(1) - x.col(0), e2 = x.col(3) - x.col(2);
      const double  l1 = e1.norm(), l2 = e2.norm();
      const Vector3 d1 = e1 / l1, d2 = e2 / l2;
      const double  c  = d1.dot(d2);
      const Vector3 p1 = d2 - c * d1, p2 = d1 - c * d2;
      Twelve        dc;
      dc << -p1 / l1, p1 / l1, -p2 / l2, p2 / l2;
      const double difference = crossing.value - parallel.value;
      const double s_slope    = -2. * c; // ds/dc
      sum.gradient += (difference * m_slope * s_slope) * dc;
      if (wanted == Derivatives::first)
        return;
      const Twelve dm   = (m_slope * s_slope) * dc;
      const Twelve jump = crossing.gradient - parallel.gradient;
      sum.hessian.noalias() += dm * jump.transpose() + jump * dm.transpose();
      sum.hessian.noalias() +=
        (difference * (m_bend * s_slope * s_slope - 2. * m_slope) * dc) *
        dc.transpose();
      // d2c/de1^2 = -(p1 d1^T + d1 p1^T + c (1 - d1 d1^T))/l1^2 and
      // d2c/de1 de2 = (1 - d1 d1^T)(1 - d2 d2^T)/(l1 l2).
      const double          f   = difference * m_slope * s_slope;
      const Eigen::Matrix3d one = Eigen::Matrix3d::Identity();
      const Eigen::Matrix3d P1  = one - d1 * d1.transpose(),
                            P2  = one - d2 * d2.transpose();
      const Eigen::Matrix3d H11 = -f / (l1 * l1) *
                                  (p1 * d1.transpose() + d1 * p1.transpose() +
                                   c * P1),
                            H22 = -f / (l2 * l2) *
                                  (p2 * d2.transpose() + d2 * p2.transpose() +
                                   c * P2),
                            H12 = f / (l1 * l2) * P1 * P2;
      for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b)
          {
            const double sign = a == b ? 1. : -1.;
            sum.hessian.block<3, 3>(3 * a, 3 * b) += sign * H11;
            sum.hessian.block<3, 3>(6 + 3 * a, 6 + 3 * b) += sign * H22;
            sum.hessian.block<3, 3>(3 * a, 6 + 3 * b) += sign * H12;
            sum.hessian.block<3, 3>(6 + 3 * a, 3 * b) += sign * H12.transpose();
          }
    }
  } // namespace

  Curve
  SoftHinge::operator()(const double distance) const
  {
    const double x      = sharpness * (touching - distance) / radius;
    const double e      = std::exp(-std::abs(x));
    const double s      = (x >= 0. ? 1. : e) / (1. + e);
    Curve        result = {force * radius / sharpness *
                             (std::max(x, 0.) + std::log1p(e)),
                           -force * s,
                           force * sharpness / radius * e / ((1. + e) * (1. + e))};
    if (const double beyond = touching - distance - depth;
        depth > 0. && beyond > 0.)
      {
        const double part = beyond / depth;
        result.value += force * part * part * beyond / 3.;
        result.slope -= force * part * part;
        result.bend += 2. * force * part / depth;
      }
    return result;
  }

  Curve
  Barrier::operator()(const double distance) const
  {
    const double g = distance - touching;
    if (g >= gap)
      return {0., 0., 0.};
    if (g <= 0.)
      {
        const double infinite = std::numeric_limits<double>::infinity();
        return {infinite, -infinite, infinite};
      }
    // In units of the gap: b(x) = -(x - 1)^2 log x.
    const double x = g / gap, l = std::log(x), y = x - 1.;
    const double slope_at_half = -std::log(2.) - 0.5; // b'(1/2)
    const double scale         = -0.5 * force / slope_at_half;
    return {-scale * gap * y * y * l,
            -scale * (2. * y * l + y * y / x),
            -scale / gap * (2. * l + 4. * y / x - y * y / (x * x))};
  }

  PairEnergy
  soft_contact(const FourPoints &x,
               const SoftHinge  &law,
               const double      smoothing,
               const Derivatives wanted)
  {
    const Products p = products_of(x);
    PairEnergy     result;
    if (wanted == Derivatives::none)
      {
        result.value = law(smooth_distance(p, smoothing)).value;
        return result;
      }
    const SmoothDistance Q =
      smooth_distance(p, smoothing, wanted == Derivatives::second ? 2 : 1);
    // E(d) with d^2 = Q.
    const double d     = std::sqrt(Q.squared);
    const Curve  curve = law(d);
    const double slope = 0.5 * curve.slope / d;
    const Six    by_p  = slope * Q.slope;
    result.value       = curve.value;
    result.gradient    = gradient_of(x, by_p);
    if (wanted == Derivatives::second)
      {
        SixBySix bend = slope * Q.bend;
        bend.noalias() +=
          (0.5 * (0.5 * curve.bend - slope) / Q.squared * Q.slope) *
          Q.slope.transpose();
        result.hessian = hessian_of(x, by_p, bend);
      }
    return result;
  }

  PairEnergy
  barrier_contact(const FourPoints &x,
                  const Barrier    &law,
                  const Derivatives wanted)
  {
    const Products p           = products_of(x);
    const double   square_sine = p.area() / (p.D1 * p.D2);
    const Nearest  nearest     = nearest_points(p);
    PairEnergy     result      = zero(wanted);
    if (square_sine >= nearly_parallel)
      {
        add_barrier(x, p, nearest, law, 1., wanted, result);
        return result;
      }
    PairEnergy of_ends = zero(wanted);
    for (const bool of_first : {true, false})
      for (const Spot end : {Spot::start, Spot::end})
        add_barrier(
          x, p, nearest_to_end(p, of_first, end), law, 0.5, wanted, of_ends);
    if (!(square_sine > 1e-13))
      return of_ends; // as the sine is round-off
    add_barrier(x, p, nearest, law, 1., wanted, result);
    const PairEnergy crossing = result;
    const double     part     = square_sine / nearly_parallel;
    const double     m        = part * (2. - part);
    result.value              = m * crossing.value + (1. - m) * of_ends.value;
    if (wanted == Derivatives::none)
      return result;
    result.gradient = m * crossing.gradient + (1. - m) * of_ends.gradient;
    if (wanted == Derivatives::second)
      result.hessian = m * crossing.hessian + (1. - m) * of_ends.hessian;
    add_transition(x,
                   crossing,
                   of_ends,
                   2. * (1. - part) / nearly_parallel,
                   -2. / (nearly_parallel * nearly_parallel),
                   wanted,
                   result);
    return result;
  }
} // namespace slender::contact

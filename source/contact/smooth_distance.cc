// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/vectorised.h>
#include <slender/contact/smooth_distance.h>

#include <cmath>

namespace slender::contact
{
  namespace
  {
    // Numbers of the products in derivatives. None of the parameters depends
    // on C.
    enum Product
    {
      D1,
      D2,
      S1,
      S2,
      R,
      C
    };
    constexpr int n_products = 5;

    /// Two steps from 0 to 1, at x = 0 and at x = 1, that become sharp with k,
    /// with the integrals that H(x) is made of.
    struct Steps
    {
      double bounded;          ///< H(x), eq. 13: x in [0, 1], else an end
      double within;           ///< B(x), eq. 14, which is H'
      double slope, curvature; ///< B', B''

      SLENDER_INLINED
      Steps(const double x, const double k)
      {
        // exp(-|y|) is all that logistic and softplus functions need.
        const double y0 = k * x, y1 = k * (x - 1.);
        const double e0 = std::exp(-std::abs(y0)), e1 = std::exp(-std::abs(y1));
        const double f0 = 1. / (1. + e0), f1 = 1. / (1. + e1);
        const double s0 = y0 >= 0. ? f0 : e0 * f0, s1 = y1 >= 0. ? f1 : e1 * f1;
        // One logarithm of a number between 1/2 and 2: what it loses is the
        // round-off of 1, of which the parameter is a part.
        bounded =
          (std::max(y0, 0.) - std::max(y1, 0.) + std::log((1. + e0) * f1)) / k;
        within          = s0 - s1;
        const double d0 = e0 * f0 * f0, d1 = e1 * f1 * f1; // s (1 - s)
        slope     = k * (d0 - d1);
        curvature = k * k * (d0 * (1. - 2. * s0) - d1 * (1. - 2. * s1));
      }
    };

    /// A number with its derivatives by the products; of the Hessian the lower
    /// triangle counts.
    struct Derived
    {
      double value;
      double slope[n_products];
      double bend[n_products][n_products];
    };

    /// f(x) of a number.
    template <int order>
    SLENDER_INLINED void
    compose(const Derived &x,
            const double   f,
            const double   df,
            const double   ddf,
            Derived       &result)
    {
      result.value = f;
      for (int i = 0; i < n_products; ++i)
        {
          result.slope[i] = df * x.slope[i];
          if constexpr (order == 2)
            for (int j = 0; j <= i; ++j)
              result.bend[i][j] =
                ddf * x.slope[i] * x.slope[j] + df * x.bend[i][j];
        }
    }

    /// bend += f (a e_i^T + e_i a^T) for a unit vector e_i.
    SLENDER_INLINED void
    add_unit(Derived &x, const int i, const double f, const double *a)
    {
      for (int j = 0; j < i; ++j)
        x.bend[i][j] += f * a[j];
      x.bend[i][i] += 2. * f * a[i];
      for (int j = i + 1; j < n_products; ++j)
        x.bend[j][i] += f * a[j];
    }

    /// y = (x R + sign S)/D, from the derivatives of D y = x R + sign S.
    template <int order>
    SLENDER_INLINED void
    project(const Derived  &x,
            const Products &p,
            const double    sign,
            const int       S,
            const int       D,
            Derived        &y)
    {
      const double inverse = 1. / (D == D1 ? p.D1 : p.D2);
      y.value = (x.value * p.R + sign * (S == S1 ? p.S1 : p.S2)) * inverse;
      for (int i = 0; i < n_products; ++i)
        y.slope[i] = p.R * inverse * x.slope[i];
      y.slope[R] += x.value * inverse;
      y.slope[S] += sign * inverse;
      y.slope[D] -= y.value * inverse;
      if constexpr (order == 2)
        {
          for (int i = 0; i < n_products; ++i)
            for (int j = 0; j <= i; ++j)
              y.bend[i][j] = p.R * inverse * x.bend[i][j];
          add_unit(y, R, inverse, x.slope);
          add_unit(y, D, -inverse, y.slope);
        }
    }

    template <int order>
    SLENDER_INLINED void
    evaluate(const Products &p, const double k, SmoothDistance &result)
    {
      // t1 = N/A.
      Derived t1{};
      if (const double A = p.area(); A > 0.)
        {
          const double inverse        = 1. / A;
          const double N              = p.S1 * p.D2 - p.S2 * p.R;
          const double dN[n_products] = {0., p.S1, p.D2, -p.R, -p.S2};
          const double dA[n_products] = {p.D2, p.D1, 0., 0., -2. * p.R};
          t1.value                    = N * inverse;
          for (int i = 0; i < n_products; ++i)
            t1.slope[i] = (dN[i] - t1.value * dA[i]) * inverse;
          if constexpr (order == 2)
            {
              for (int i = 0; i < n_products; ++i)
                for (int j = 0; j <= i; ++j)
                  t1.bend[i][j] =
                    -(t1.slope[i] * dA[j] + t1.slope[j] * dA[i]) * inverse;
              t1.bend[S1][D2] += inverse;
              t1.bend[R][S2] -= inverse;
              t1.bend[D2][D1] -= t1.value * inverse;
              t1.bend[R][R] += 2. * t1.value * inverse;
            }
        }
      const Steps at_t1(t1.value, k);
      Derived     t2;
      compose<order>(t1, at_t1.bounded, at_t1.within, at_t1.slope, t2);
      Derived u1, u, b;
      project<order>(t2, p, -1., S2, D2, u1);
      const Steps at_u1(u1.value, k);
      compose<order>(u1, at_u1.bounded, at_u1.within, at_u1.slope, u);
      compose<order>(u1, at_u1.within, at_u1.slope, at_u1.curvature, b);
      Derived free, t3, t;
      project<order>(u, p, 1., S1, D1, free);
      const Steps at_free(free.value, k);
      compose<order>(free, at_free.bounded, at_free.within, at_free.slope, t3);

      // t = t3 + b (t2 - t3)
      const double difference = t2.value - t3.value;
      t.value                 = t3.value + b.value * difference;
      double d_difference[n_products];
      for (int i = 0; i < n_products; ++i)
        {
          d_difference[i] = t2.slope[i] - t3.slope[i];
          t.slope[i] =
            t3.slope[i] + b.value * d_difference[i] + difference * b.slope[i];
        }
      if constexpr (order == 2)
        for (int i = 0; i < n_products; ++i)
          for (int j = 0; j <= i; ++j)
            t.bend[i][j] =
              t3.bend[i][j] + b.value * (t2.bend[i][j] - t3.bend[i][j]) +
              difference * b.bend[i][j] + b.slope[i] * d_difference[j] +
              b.slope[j] * d_difference[i];

      // Q = t^2 D1 + u^2 D2 - 2 t u R - 2 t S1 + 2 u S2 + C
      result.squared     = p.squared_distance(t.value, u.value);
      const double Q_t   = 2. * (t.value * p.D1 - u.value * p.R - p.S1);
      const double Q_u   = 2. * (u.value * p.D2 - t.value * p.R + p.S2);
      const double own[] = {t.value * t.value,
                            u.value * u.value,
                            -2. * t.value,
                            2. * u.value,
                            -2. * t.value * u.value};
      for (int i = 0; i < n_products; ++i)
        result.slope(i) = own[i] + Q_t * t.slope[i] + Q_u * u.slope[i];
      result.slope(C) = 1.;
      if constexpr (order == 2)
        {
          // How Q_t and Q_u depend on the products, parameters included.
          const double Q_t_own[] = {2. * t.value, 0., -2., 0., -2. * u.value};
          const double Q_u_own[] = {0., 2. * u.value, 0., 2., -2. * t.value};
          for (int i = 0; i < n_products; ++i)
            for (int j = 0; j <= i; ++j)
              {
                const double both =
                  Q_t * t.bend[i][j] + Q_u * u.bend[i][j] +
                  2. * p.D1 * t.slope[i] * t.slope[j] +
                  2. * p.D2 * u.slope[i] * u.slope[j] -
                  2. * p.R *
                    (t.slope[i] * u.slope[j] + t.slope[j] * u.slope[i]) +
                  Q_t_own[i] * t.slope[j] + Q_t_own[j] * t.slope[i] +
                  Q_u_own[i] * u.slope[j] + Q_u_own[j] * u.slope[i];
                result.bend(i, j) = result.bend(j, i) = both;
              }
          result.bend.row(C).setZero();
          result.bend.col(C).setZero();
        }
    }
  } // namespace

  /// The two that are built for several sets of instructions.
  namespace distance_loops
  {
    SLENDER_VECTORISED void
    with_slope(const Products &p, const double k, SmoothDistance &result)
    {
      evaluate<1>(p, k, result);
    }

    SLENDER_VECTORISED void
    with_bend(const Products &p, const double k, SmoothDistance &result)
    {
      evaluate<2>(p, k, result);
    }
  } // namespace distance_loops

  double
  smooth_distance(const Products &p, const double k)
  {
    const double A = p.area();
    const double t2 =
      Steps(A > 0. ? (p.S1 * p.D2 - p.S2 * p.R) / A : 0., k).bounded;
    const Steps  at_u1((t2 * p.R - p.S2) / p.D2, k);
    const double u  = at_u1.bounded;
    const double t3 = Steps((u * p.R + p.S1) / p.D1, k).bounded;
    return std::sqrt(p.squared_distance(t3 + at_u1.within * (t2 - t3), u));
  }

  SmoothDistance
  smooth_distance(const Products &p, const double k, const int n_derivatives)
  {
    SmoothDistance result;
    if (n_derivatives == 2)
      distance_loops::with_bend(p, k, result);
    else
      distance_loops::with_slope(p, k, result);
    return result;
  }
} // namespace slender::contact

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/contact/pair_energy.h>

#include <cmath>
#include <limits>

namespace slender::contact
{
  namespace
  {
    double
    logistic(const double x)
    {
      return x >= 0. ? 1. / (1. + std::exp(-x)) : 1. - 1. / (1. + std::exp(x));
    }

    /// log(1 + exp(x)), without overflow.
    double
    softplus(const double x)
    {
      return x > 0. ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
    }

    /// The step from 0 to 1 at x = 0 that becomes sharp with k, and its
    /// derivatives.
    Curve
    step(const double x, const double k)
    {
      const double s = logistic(k * x), ds = k * s * (1. - s);
      return {s, ds, k * ds * (1. - 2. * s)};
    }

    /// H(x) of eq. 13: x within [0, 1], the nearest end beyond.
    template <class Number>
    Number
    bounded(const Number &x, const double k)
    {
      const double v     = value_of(x);
      const Curve  below = step(v, k), above = step(v - 1., k);
      return composed(x,
                      (softplus(k * v) - softplus(k * (v - 1.))) / k,
                      below.value - above.value,
                      below.slope - above.slope);
    }

    /// B(x) of eq. 14: one within [0, 1], zero beyond.
    template <class Number>
    Number
    boxcar(const Number &x, const double k)
    {
      const double v     = value_of(x);
      const Curve  below = step(v, k), above = step(v - 1., k);
      return composed(x,
                      below.value - above.value,
                      below.slope - above.slope,
                      below.bend - above.bend);
    }

    template <class Number, class Law>
    Number
    of_distance(const Number &distance, const Law &law)
    {
      const Curve curve = law(value_of(distance));
      return composed(distance, curve.value, curve.slope, curve.bend);
    }

    /// A function of the products, with as many derivatives as are wanted.
    template <class Function>
    PairEnergy
    evaluated(const FourPoints &x,
              const Derivatives wanted,
              const Function   &function)
    {
      const Products<double> p = products_of(x);
      PairEnergy             result;
      if (wanted == Derivatives::none)
        result.value = function(p);
      else if (wanted == Derivatives::first)
        {
          const Jet<1> jet = function(variables<1>(p));
          result.value     = jet.value;
          result.gradient  = gradient_of(x, jet.slope);
        }
      else
        {
          const Jet<2> jet = function(variables<2>(p));
          result.value     = jet.value;
          result.gradient  = gradient_of(x, jet.slope);
          result.hessian   = hessian_of(x, jet.slope, jet.bend);
        }
      return result;
    }

    /// The barrier between nearest points of a known kind.
    template <class Number>
    Number
    barrier_at(const Products<Number> &p, const Nearest &at, const Barrier &law)
    {
      if (at.squared_distance >= std::pow(law.touching + law.gap, 2))
        return Number(0.);
      return of_distance(
        square_root(squared_distance(p, at.on_first, at.on_second)), law);
    }

    template <class Number>
    Number
    barrier_of(const Products<double> &values,
               const Products<Number> &p,
               const Barrier          &law)
    {
      const Number closest     = barrier_at(p, nearest_points(values), law);
      const double square_sine = values.area() / (values.D1 * values.D2);
      if (square_sine >= nearly_parallel)
        return closest;
      Number of_ends(0.);
      for (const bool of_first : {true, false})
        for (const Spot end : {Spot::start, Spot::end})
          of_ends =
            of_ends + barrier_at(p, nearest_to_end(values, of_first, end), law);
      if (!(square_sine > 1e-13))
        return 0.5 * of_ends; // as the sine is round-off
      const Number part =
        (1. / nearly_parallel) * (p.area() * inverse(p.D1 * p.D2));
      const Number m = part * (2. - part);
      return m * closest + (1. - m) * (0.5 * of_ends);
    }
  } // namespace

  Curve
  SoftHinge::operator()(const double distance) const
  {
    const double depth = sharpness * (touching - distance) / radius;
    const double s     = logistic(depth);
    return {force * radius / sharpness * softplus(depth),
            -force * s,
            force * sharpness / radius * s * (1. - s)};
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

  template <class Number>
  Number
  smooth_distance(const Products<Number> &p, const double k)
  {
    const double area = value_of(p.area());
    const Number t_1 =
      area > 0. ? (p.S1 * p.D2 - p.S2 * p.R) * inverse(p.area()) : Number(0.);
    const Number t_2 = bounded(t_1, k);
    const Number u_1 = (t_2 * p.R - p.S2) * inverse(p.D2);
    const Number u_2 = bounded(u_1, k);
    const Number b   = boxcar(u_1, k);
    const Number t_3 =
      (1. - b) * bounded((u_2 * p.R + p.S1) * inverse(p.D1), k) + b * t_2;
    return square_root(p.squared_distance(t_3, u_2));
  }

  template double
  smooth_distance(const Products<double> &, double);
  template Jet<1>
  smooth_distance(const Products<Jet<1>> &, double);
  template Jet<2>
  smooth_distance(const Products<Jet<2>> &, double);

  PairEnergy
  soft_contact(const FourPoints &x,
               const SoftHinge  &law,
               const double      smoothing,
               const Derivatives wanted)
  {
    return evaluated(x, wanted, [&](const auto &p) {
      return of_distance(smooth_distance(p, smoothing), law);
    });
  }

  PairEnergy
  barrier_contact(const FourPoints &x,
                  const Barrier    &law,
                  const Derivatives wanted)
  {
    const Products<double> values = products_of(x);
    return evaluated(x, wanted, [&](const auto &p) {
      return barrier_of(values, p, law);
    });
  }
} // namespace slender::contact

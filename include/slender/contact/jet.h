// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_contact_jet_h
#define slender_contact_jet_h

#include <Eigen/Core>

namespace slender::contact
{
  /**
   * A number together with its first (order 1) and second (order 2)
   * derivatives by six others. An expression that is written once for any
   * number gives with plain doubles its value, with jets its derivatives: they
   * cannot fall apart.
   */
  template <int order>
  struct Jet;

  using Six      = Eigen::Matrix<double, 6, 1>;
  using SixBySix = Eigen::Matrix<double, 6, 6>;

  template <>
  struct Jet<1>
  {
    double value = 0.;
    Six    slope = Six::Zero();

    Jet() = default;

    Jet(const double constant) // NOLINT: numbers are jets
      : value(constant)
    {}

    /// f(x) with f' and f'' at x.
    Jet
    composed(const double f, const double df, const double) const
    {
      Jet result(f);
      result.slope = df * slope;
      return result;
    }
  };

  template <>
  struct Jet<2>
  {
    double   value = 0.;
    Six      slope = Six::Zero();
    SixBySix bend  = SixBySix::Zero();

    Jet() = default;

    Jet(const double constant) // NOLINT: numbers are jets
      : value(constant)
    {}

    Jet
    composed(const double f, const double df, const double ddf) const
    {
      Jet result(f);
      result.slope          = df * slope;
      result.bend.noalias() = (ddf * slope) * slope.transpose();
      result.bend += df * bend;
      return result;
    }
  };

  inline double
  composed(const double, const double f, const double, const double)
  {
    return f;
  }

  template <int order>
  Jet<order>
  composed(const Jet<order> &x, const double f, const double df, const double d)
  {
    return x.composed(f, df, d);
  }

  inline double
  value_of(const double x)
  {
    return x;
  }

  template <int order>
  double
  value_of(const Jet<order> &x)
  {
    return x.value;
  }

  template <int order>
  Jet<order>
  operator+(Jet<order> a, const Jet<order> &b)
  {
    a.value += b.value;
    a.slope += b.slope;
    if constexpr (order == 2)
      a.bend += b.bend;
    return a;
  }

  template <int order>
  Jet<order>
  operator*(const double f, Jet<order> a)
  {
    a.value *= f;
    a.slope *= f;
    if constexpr (order == 2)
      a.bend *= f;
    return a;
  }

  template <int order>
  Jet<order>
  operator-(Jet<order> a, const Jet<order> &b)
  {
    a.value -= b.value;
    a.slope -= b.slope;
    if constexpr (order == 2)
      a.bend -= b.bend;
    return a;
  }

  template <int order>
  Jet<order>
  operator+(Jet<order> a, const double b)
  {
    a.value += b;
    return a;
  }

  template <int order>
  Jet<order>
  operator-(const double a, const Jet<order> &b)
  {
    return -1. * b + a;
  }

  template <int order>
  Jet<order>
  operator*(const Jet<order> &a, const Jet<order> &b)
  {
    Jet<order> result(a.value * b.value);
    result.slope = a.value * b.slope + b.value * a.slope;
    if constexpr (order == 2)
      {
        const SixBySix product = a.slope * b.slope.transpose();
        result.bend =
          a.value * b.bend + b.value * a.bend + product + product.transpose();
      }
    return result;
  }

  template <class Number>
  Number
  inverse(const Number &x)
  {
    const double y = 1. / value_of(x);
    return composed(x, y, -y * y, 2. * y * y * y);
  }

  template <class Number>
  Number
  square_root(const Number &x)
  {
    const double y = std::sqrt(value_of(x));
    return composed(x, y, 0.5 / y, -0.25 / (y * y * y));
  }
} // namespace slender::contact

#endif

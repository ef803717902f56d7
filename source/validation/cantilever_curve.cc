// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/validation/cantilever_curve.h>
#include <slender/validation/elastica.h>

#include <algorithm>
#include <cmath>

namespace slender
{
  namespace
  {
    /// ln y over ln x by the cubic through the four points around x, and its
    /// derivative.
    struct LogCubic
    {
      double value, slope;
    };

    LogCubic
    log_cubic(const std::vector<double> &xs,
              const std::vector<double> &ys,
              const double               x)
    {
      const long n     = static_cast<long>(xs.size());
      const long next  = std::lower_bound(xs.begin(), xs.end(), x) - xs.begin();
      const long first = std::clamp(next - 2, 0L, n - 4);
      const double at  = std::log(x);
      LogCubic     result{0., 0.};
      for (long i = first; i < first + 4; ++i)
        {
          double weight = 1., slope = 0.;
          for (long j = first; j < first + 4; ++j)
            if (j != i)
              {
                const double width = std::log(xs[i] / xs[j]);
                slope  = (slope * (at - std::log(xs[j])) + weight) / width;
                weight = weight * (at - std::log(xs[j])) / width;
              }
          result.value += weight * std::log(ys[i]);
          result.slope += slope * std::log(ys[i]);
        }
      return result;
    }
  } // namespace

  CantileverCurve::CantileverCurve()
  {
    const Table table = master_table("cantilever");
    curve             = {table.column("gamma"), table.column("aspect_ratio")};
  }

  double
  CantileverCurve::operator()(const double gamma) const
  {
    // Powers of ten may differ in their last digit from the table's.
    const auto next =
      std::lower_bound(curve.x.begin(), curve.x.end(), gamma * (1. - 1e-12));
    if (next != curve.x.end() && std::abs(*next / gamma - 1.) < 1e-12)
      return curve.y[next - curve.x.begin()];
    return elastica_aspect_ratio(gamma);
  }

  double
  CantileverCurve::interpolated(const double gamma) const
  {
    // H/W is Gamma/8 for small Gamma, and grows with its root for large ones.
    if (gamma < curve.x.front())
      return curve.y.front() * gamma / curve.x.front();
    if (gamma > curve.x.back())
      return curve.y.back() * std::sqrt(gamma / curve.x.back());
    return std::exp(log_cubic(curve.x, curve.y, gamma).value);
  }

  double
  CantileverCurve::slope(const double gamma) const
  {
    if (gamma < curve.x.front())
      return 1.;
    return gamma > curve.x.back() ? 0.5
                                  : log_cubic(curve.x, curve.y, gamma).slope;
  }

  double
  CantileverCurve::gamma_of(const double aspect_ratio) const
  {
    if (aspect_ratio < curve.y.front())
      return curve.x.front() * aspect_ratio / curve.y.front();
    if (aspect_ratio > curve.y.back())
      return curve.x.back() * std::pow(aspect_ratio / curve.y.back(), 2);
    // Both grow.
    return std::exp(log_cubic(curve.y, curve.x, aspect_ratio).value);
  }

  MasterCurve
  CantileverCurve::over(const double first, const double last) const
  {
    if (std::abs(first / curve.x.front() - 1.) < 1e-12 &&
        std::abs(last / curve.x.back() - 1.) < 1e-12)
      return curve;
    if (first == last)
      return {{first}, {(*this)(first)}};
    constexpr int n = 200;
    MasterCurve   part;
    for (int i = 0; i <= n; ++i)
      {
        part.x.push_back(first * std::pow(last / first, double(i) / n));
        part.y.push_back((*this)(part.x.back()));
      }
    return part;
  }

  double
  CantileverCurve::distance(const MasterCurve &samples) const
  {
    const auto [first, last] =
      std::minmax_element(samples.x.begin(), samples.x.end());
    const MasterCurve master = over(*first, *last);
    // A single value has no extent to measure distances by.
    const LogPlot plot(master.x.size() > 1 ? master : curve);
    PlaneCurve    in_plot, master_in_plot;
    for (std::size_t i = 0; i < master.x.size(); ++i)
      master_in_plot.push_back(plot(master.x[i], master.y[i]));
    // A ratio that is not positive, or not known, has no place in the plot.
    for (std::size_t i = 0; i < samples.x.size(); ++i)
      if (samples.y[i] > 0.)
        in_plot.push_back(plot(samples.x[i], samples.y[i]));
    std::sort(in_plot.begin(), in_plot.end(), [](const auto &a, const auto &b) {
      return a.x() < b.x();
    });
    return hausdorff_distance(in_plot, master_in_plot);
  }
} // namespace slender

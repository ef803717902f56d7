// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/validation/elastica.h>

#include <boost/math/tools/toms748_solve.hpp>
#include <boost/numeric/odeint.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace slender
{
  namespace
  {
    /// y, y', the integral of tanh y (height) and of 1/cosh y (width).
    using State = std::array<double, 4>;

    State
    shoot(const double y_at_free_end, const double v_end)
    {
      using namespace boost::numeric::odeint;
      State state = {{y_at_free_end, 0., 0., 0.}};
      // The solution that is sought has y >= 0; below, a guess that is too low
      // would run away to minus infinity within the interval.
      const auto rate = [](const State &z, State &dz, const double v) {
        dz = {{z[1],
               -v + z[1] * z[1] * std::tanh(std::max(z[0], 0.)),
               std::tanh(z[0]),
               1. / std::cosh(z[0])}};
      };
      // Absolute errors weigh against y itself, which is small for small Gamma.
      const double scale = std::max(y_at_free_end, 1e-300);
      integrate_adaptive(make_controlled(1e-14 * std::min(1., scale),
                                         1e-14,
                                         runge_kutta_fehlberg78<State>()),
                         rate,
                         state,
                         0.,
                         v_end,
                         v_end / 100.);
      return state;
    }
  } // namespace

  double
  elastica_aspect_ratio(const double gamma)
  {
    const double v_end = std::cbrt(gamma);
    // |y'| is at most v^2/2 and at most sqrt(v).
    const double largest =
      1.01 * std::min(gamma / 6., 2. / 3. * std::sqrt(gamma));
    std::uintmax_t iterations = 200;
    const auto [low, high]    = boost::math::tools::toms748_solve(
      [&](const double y) { return shoot(y, v_end)[0]; },
      0.,
      largest,
      boost::math::tools::eps_tolerance<double>(50),
      iterations);
    const State state = shoot(0.5 * (low + high), v_end);
    return state[2] / state[3];
  }
} // namespace slender

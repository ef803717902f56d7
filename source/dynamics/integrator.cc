// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/dynamics/integrator.h>

#include <cmath>

namespace slender
{
  Integrator::Integrator(const IntegratorOptions &the_options)
    : options(the_options)
    , beta(the_options.beta)
    , gamma(the_options.gamma)
  {
    if (options.kind == IntegratorKind::generalised_alpha)
      {
        // Chung and Hulbert (1993).
        const double rho = options.spectral_radius;
        alpha_m          = (2. * rho - 1.) / (rho + 1.);
        alpha_f          = rho / (rho + 1.);
        gamma            = 0.5 - alpha_m + alpha_f;
        beta             = 0.25 * std::pow(1. - alpha_m + alpha_f, 2);
      }
  }

  int
  Integrator::order() const
  {
    return options.kind == IntegratorKind::implicit_euler ||
               (options.kind == IntegratorKind::newmark && gamma != 0.5)
             ? 1
             : 2;
  }

  BackwardDifference
  backward_difference(const Vector &now,
                      const Vector &before,
                      const double  step,
                      const double  step_before)
  {
    if (before.size() == 0)
      return {1. / step, now};
    const double ratio = step / step_before;
    const double k     = (1. + 2. * ratio) / (step * (1. + ratio));
    return {k,
            ((1. + ratio) / step * now -
             ratio * ratio / (step * (1. + ratio)) * before) /
              k};
  }

  Integrator::Springs
  Integrator::springs(const Instant &now, const double h) const
  {
    switch (options.kind)
      {
        case IntegratorKind::bdf2:
          if (now.before.size() > 0)
            {
              // x' and x'' by the same formula, one after the other.
              const auto place =
                backward_difference(now.place, now.before, h, now.step_before);
              const auto rate = backward_difference(now.rate,
                                                    now.rate_before,
                                                    h,
                                                    now.step_before);
              return {place.rate * place.rate,
                      place.origin + rate.origin / place.rate,
                      place.rate,
                      place.origin};
            }
          [[fallthrough]]; // the first step
        case IntegratorKind::implicit_euler:
          return {1. / (h * h), now.place + h * now.rate, 1. / h, now.place};

        case IntegratorKind::implicit_midpoint:
          // An implicit Euler step to the middle.
          return {4. / (h * h),
                  now.place + 0.5 * h * now.rate,
                  2. / h,
                  now.place};

        case IntegratorKind::newmark:
        case IntegratorKind::generalised_alpha:
        case IntegratorKind::verlet:
          break;
      }
    // x = x_free + beta h^2 x'',  x' = x'_free + gamma h x'', and
    // (1 - alpha_m) x'' + alpha_m x''_now =
    // (1 - alpha_f) balanced + alpha_f balanced_now.
    const Vector free =
      now.place + h * now.rate + h * h * (0.5 - beta) * now.second;
    const double c = (1. - alpha_m) / ((1. - alpha_f) * beta * h * h);
    const double k = gamma / (beta * h);
    return {c,
            free - beta * h * h / (1. - alpha_m) *
                     (alpha_m * now.second - alpha_f * now.balanced),
            k,
            free - (now.rate + h * (1. - gamma) * now.second) / k};
  }

  Instant
  Integrator::arrived(const Instant &now,
                      const Vector  &found,
                      const double   h) const
  {
    const Springs spring = springs(now, h);
    Instant       next;
    next.place       = found;
    next.rate        = spring.rate * (found - spring.at_rest);
    next.before      = now.place;
    next.rate_before = now.rate;
    next.step_before = h;
    switch (options.kind)
      {
        case IntegratorKind::implicit_midpoint:
          next.place = 2. * found - now.place;
          next.rate  = 2. * next.rate - now.rate;
          [[fallthrough]];
        case IntegratorKind::implicit_euler:
          next.second = (next.rate - now.rate) / h;
          break;
        case IntegratorKind::bdf2:
          {
            const auto of_rate = backward_difference(now.rate,
                                                     now.rate_before,
                                                     h,
                                                     now.step_before);
            next.second        = of_rate.rate * (next.rate - of_rate.origin);
            break;
          }
        case IntegratorKind::newmark:
        case IntegratorKind::generalised_alpha:
        case IntegratorKind::verlet:
          next.second = (next.rate - now.rate - h * (1. - gamma) * now.second) /
                        (gamma * h);
          next.balanced = ((1. - alpha_m) * next.second + alpha_m * now.second -
                           alpha_f * now.balanced) /
                          (1. - alpha_f);
          return next;
      }
    next.balanced = next.second;
    return next;
  }

  Vector
  Integrator::local_error(const Instant &before,
                          const Instant &after,
                          const double   h) const
  {
    // Errors of places in one step: h^2/2 x'' for implicit Euler, else a
    // multiple of h^3 x''', whose rate x''' is a difference of x''.
    if (order() == 1)
      return 0.5 * h * (after.rate - before.rate);
    double multiple = 1. / 12.; // of the average acceleration
    switch (options.kind)
      {
        case IntegratorKind::bdf2:
          multiple = 2. / 9.;
          break;
        case IntegratorKind::implicit_midpoint:
          multiple = 1. / 12.;
          break;
        case IntegratorKind::newmark:
        case IntegratorKind::generalised_alpha:
          multiple = std::abs(beta - 1. / 6.);
          break;
        case IntegratorKind::verlet:
          multiple = 1. / 6.;
          break;
        case IntegratorKind::implicit_euler:
          break;
      }
    return multiple * h * h * (after.second - before.second);
  }
} // namespace slender

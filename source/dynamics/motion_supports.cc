// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/dynamics/motion.h>
#include <slender/dynamics/motion_implementation.h>

namespace slender
{
  namespace
  {
    /// Over which part of a step the motion of supports is differentiated, on
    /// either side. Not less: a table has kinks, of which a step sees as much
    /// as it can resolve.
    constexpr double part_of_step = 0.5;
  } // namespace

  Motion::Implementation::Carried
  Motion::Implementation::carried(const Vector &q,
                                  const Vector &rates,
                                  const double  time,
                                  const double  step,
                                  const double  back)
  {
    const auto n = inertia->masses().size();
    if (!drive)
      return {Vector::Zero(n), Vector::Zero(n)};
    const double e = part_of_step * step;
    struct Sample
    {
      Vector y, turning;
    };
    const auto sample = [&](const double t) {
      go_to(t);
      return Sample{inertia->coordinates(q),
                    inertia->is_linear() ? Vector::Zero(n)
                                         : inertia->rates(q, rates)};
    };
    const Sample before = sample(time - e), behind = sample(time + e),
                 here = sample(time);
    go_to(back);
    return {(behind.y - before.y) / (2. * e),
            (behind.y - 2. * here.y + before.y) / (e * e) +
              (behind.turning - before.turning) / e};
  }

  Instant
  Motion::Implementation::of_coordinates(const double step)
  {
    const Instant &x       = now.unknowns;
    const Carried  support = carried(x.place, x.rate, now.time, step, now.time);
    const Vector   turning = inertia->second_rates(x.place, x.rate);
    Instant        y;
    y.place    = inertia->coordinates(x.place);
    y.rate     = inertia->rates(x.place, x.rate) + support.rate;
    y.second   = inertia->rates(x.place, x.second) + turning + support.second;
    y.balanced = inertia->rates(x.place, x.balanced) + turning + support.second;
    y.step_before = x.step_before;
    if (options.integrator.kind == IntegratorKind::bdf2 && x.before.size() > 0)
      {
        const double time_before = now.time - x.step_before;
        go_to(time_before);
        y.before = inertia->coordinates(x.before);
        y.rate_before =
          inertia->rates(x.before, x.rate_before) + carried(x.before,
                                                            x.rate_before,
                                                            time_before,
                                                            x.step_before,
                                                            time_before)
                                                      .rate;
        go_to(now.time);
      }
    return y;
  }
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/dynamics/frictional_steps.h>
#include <slender/studies/stick_slip.h>
#include <slender/studies/stick_slip_samples.h>

#include <cmath>
#include <limits>

namespace slender
{
  using namespace stick_slip;

  MotionOptions
  StickSlipStudy::motion_options() const
  {
    MotionOptions options;
    options.integrator.kind = IntegratorKind::implicit_euler;
    options.inertia.rotary  = false;
    options.damping.alpha   = drag;
    options.newton          = newton;
    return options;
  }

  bool
  StickSlipStudy::settle(Model &model, PressedStrip &strip) const
  {
    // Steps grow as the motion slows down.
    constexpr double at_rest = 1e-9, longest = 10.;
    constexpr int    most_steps = 400;
    FrictionalSteps  steps(model, strip.floor(), newton);
    steps.starts_warm     = true;
    MotionOptions options = motion_options();
    options.damping.alpha = std::max(options.damping.alpha, 1.);
    options.search        = steps.search();
    Motion motion(model, options);
    motion.start(strip.state(), 0.);
    double step = 1e-3;
    for (int i = 0; i < most_steps; ++i)
      {
        if (!motion.step(step).converged())
          {
            step /= 2.;
            if (step < 1e-9)
              return false;
            continue;
          }
        const double rate =
          root_mean_square(model.layout(), motion.now().unknowns.rate);
        if (rate < at_rest && step >= 1.)
          {
            strip.take(motion.now().unknowns.place, steps.contacts());
            return true;
          }
        step = std::min(1.2 * step, longest);
      }
    return false;
  }

  void
  StickSlipStudy::press_in_motion(const std::size_t                  chain,
                                  Workplace                         &workplace,
                                  const std::function<void(Sample)> &done) const
  {
    const auto                model = build(workplace);
    const std::vector<double> all   = strains();
    PressedStrip              strip(*model, newton);
    strip.set_friction(std::numeric_limits<double>::infinity());
    bool is_good = strip.buckle(0.02, side_load) &&
                   strip.press_in_steps(first_strain, 0.01, 1e-9, false);
    strip.set_friction(frictions[chain]);

    FrictionalSteps steps(*model, strip.floor(), newton);
    steps.starts_warm     = true;
    MotionOptions options = motion_options();
    options.search        = steps.search();
    // The clamp stands and the floor comes, which is the same motion.
    strip.floor()[0].velocity = -speed * Vector3::UnitX();
    Motion motion(*model, options, [&](const double time) {
      strip.push(speed * time);
    });
    motion.start(strip.state(), first_strain / speed);

    // A step that fails is cut.
    const std::function<bool(double)> go = [&](const double h) {
      const Motion::Step step = motion.step(h);
      if (step.converged())
        return true;
      return h > 1e-4 * time_step && go(h / 2.) && go(h / 2.);
    };
    bool   slipped   = false;
    double threshold = Table::unknown;
    long   before    = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
      {
        const double end = all[i] / speed;
        while (is_good && motion.now().time < end - 1e-9 * time_step)
          {
            is_good = go(std::min(time_step, end - motion.now().time));
            strip.take(motion.now().unknowns.place, steps.contacts());
            if (slipped)
              continue;
            slipped = criterion == "force"
                        ? strip.forces().slipping > 0
                        : strip.tip_displacement() > slip_tolerance;
            if (slipped)
              threshold = speed * motion.now().time;
          }
        if (!is_good)
          {
            done(failed("a time step failed"));
            continue;
          }
        Sample     sample = sample_of(strip, slipped, threshold);
        const long n      = steps.statistics().searches;
        sample.iterations = n - before;
        before            = n;
        draw(chain, i, workplace, *model, strip, sample);
        done(sample);
      }
  }
} // namespace slender

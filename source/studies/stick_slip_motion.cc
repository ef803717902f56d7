// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/interruption.h>
#include <slender/dynamics/frictional_equilibrium.h>
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
    MotionOptions options = motion_options();
    options.damping.alpha = std::max(options.damping.alpha, 1.);
    const Settled rest =
      slender::settle(model, strip.floor(), options, strip.state(), 1e-3);
    if (rest.converged)
      strip.take(rest.q, rest.contacts);
    return rest.converged;
  }

  StripMotionOptions
  StickSlipStudy::strip_motion_options(const std::string &name) const
  {
    StripMotionOptions options;
    options.law       = name;
    options.motion    = motion_options();
    options.speed     = speed;
    options.viscosity = viscosity;
    options.rounds    = filter_rounds;
    options.stick     = stick_stiffness;
    options.turns     = projections;
    options.axial     = axial;
    if (name == "bridson-harmon")
      options.motion.inertia.lumped = true;
    return options;
  }

  void
  StickSlipStudy::press_in_motion(const double               friction,
                                  const StripMotionOptions  &options,
                                  const double               step,
                                  Model                     &model,
                                  const std::vector<double> &at,
                                  const bool                 ends,
                                  const MotionObserver      &done) const
  {
    PressedStrip strip(model, newton);
    strip.set_friction(std::numeric_limits<double>::infinity());
    bool is_good =
      strip.buckle(0.02, side_load) &&
      strip.press_in_steps(first_strain, 0.01, 1e-9, PressedStrip::Steps::any);
    strip.set_friction(friction);
    const auto to_end = [&] {
      return interruption_requested(model.layout().communicator);
    };
    if (to_end())
      return;
    if (!is_good)
      {
        done(0, nullptr, strip, false, Table::unknown);
        return;
      }
    const auto motion = make_strip_motion(options, model, strip);

    // A step that fails is cut.
    const std::function<bool(double)> go = [&](const double h) {
      if (motion->step(h))
        return true;
      return h > 1e-4 * step && go(h / 2.) && go(h / 2.);
    };
    bool   slipped   = false;
    double threshold = Table::unknown;
    for (std::size_t i = 0; i < at.size(); ++i)
      {
        const double end = at[i] / speed;
        while (is_good && motion->time() < end - 1e-9 * step)
          {
            if (to_end())
              return;
            is_good = go(std::min(step, end - motion->time()));
            if (slipped)
              continue;
            slipped = motion->tip_displacement() > slip_tolerance;
            if (slipped)
              threshold = speed * motion->time();
            if (slipped && ends)
              break;
          }
        if (!done(
              i, is_good ? motion.get() : nullptr, strip, slipped, threshold))
          return;
      }
  }

  void
  StickSlipStudy::press_in_motion(const std::size_t                  chain,
                                  Workplace                         &workplace,
                                  const std::function<void(Sample)> &done) const
  {
    const auto                model  = build(workplace);
    const std::vector<double> all    = strains();
    long                      before = 0;
    std::size_t               n_done = 0;
    Sample                    last;
    const auto                hand_over = [&](const Sample &sample) {
      done(sample);
      last = sample;
      ++n_done;
    };
    press_in_motion(frictions[chain],
                    strip_motion_options(law),
                    time_step,
                    *model,
                    all,
                    ends_with_slip,
                    [&](const std::size_t  i,
                        const StripMotion *motion,
                        PressedStrip      &strip,
                        const bool         slipped,
                        const double       threshold) {
                      if (!motion)
                        {
                          hand_over(failed("a time step failed"));
                          return false;
                        }
                      Sample sample     = sample_of(motion->forces(),
                                                motion->tip_displacement(),
                                                slipped,
                                                threshold);
                      sample.iterations = motion->iterations() - before;
                      before            = motion->iterations();
                      if (motion->put(strip))
                        draw(chain, i, workplace, *model, strip, sample);
                      hand_over(sample);
                      return !(slipped && ends_with_slip);
                    });
    if (interruption_requested(workplace.groups.group()))
      return;
    // What has slipped stays so, and what has failed.
    last.shape.reset();
    last.iterations = 0;
    while (n_done < all.size())
      hand_over(last);
  }
} // namespace slender

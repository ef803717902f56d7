// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/base/formula.h>
#include <slender/studies/check_idle.h>
#include <slender/studies/effects.h>
#include <slender/studies/growth_process.h>
#include <slender/studies/growth_study.h>

#include <deal.II/base/parameter_handler.h>

#include <cmath>
#include <random>

namespace slender
{
  GrowthStudy::GrowthStudy()
  {
    // What grows is slow, and what snaps is to come to rest.
    time.integrator = "implicit euler";
  }

  void
  GrowthStudy::set_body_kind(const BodyKind kind)
  {
    if (kind != BodyKind::shell)
      throw InputError("this study is about shells; --list shows all models",
                       "Model");
    body = std::make_unique<ShellParameters>();
    body->let_grow();
  }

  void
  GrowthStudy::set_sections(const std::vector<std::string> &names)
  {
    body->set_sections(names);
  }

  void
  GrowthStudy::declare(dealii::ParameterHandler &prm)
  {
    using namespace dealii::Patterns;
    prm.enter_subsection("Process");
    prm.add_parameter("Way",
                      way,
                      "'equilibria': from one stable equilibrium to the next, "
                      "as if time were long; where there is none nearby, "
                      "downhill in energy to another one. 'motion': with "
                      "inertia and damping.",
                      Selection("equilibria|motion"));
    prm.add_parameter("Rise",
                      rise,
                      "The parameter 'growth' rises evenly over this part of "
                      "the time until 'End' [1], and stays.",
                      Double(0., 1.));
    prm.add_parameter("Thickness factor",
                      thickness,
                      "Thickness over that of the shell as time goes on [1], a "
                      "formula in t: what has grown may become thinner. A very "
                      "thin shell that grew at once would buckle on its way.",
                      Anything());
    prm.add_parameter("Perturbation",
                      perturbation,
                      "For 'motion': a smooth random displacement at the "
                      "start, root mean square [length]. A flat shell whose "
                      "stress-free curvature is zero needs one to leave its "
                      "plane.",
                      Double(0.));
    prm.add_parameter("Seed",
                      seed,
                      "Of its random numbers [1].",
                      Integer(0, 1000000000));
    prm.leave_subsection();
    time.declare(prm);
    declare_damping(prm, damping);
    diffusion.declare(prm);
    body->declare(prm);
    newton.declare(prm);
  }

  void
  GrowthStudy::check() const
  {
    const GrowthStudy usual;
    const bool        is_motion = way == "motion";
    time.check();
    diffusion.check();
    const auto check =
      [&](const auto &value, const auto &otherwise, const std::string &path) {
        check_idle(is_motion, value, otherwise, path, "'Way' is 'motion'");
      };
    check(perturbation, usual.perturbation, "Process/Perturbation");
    check(time.integrator, usual.time.integrator, "Time/Integrator");
    check(time.is_adaptive, usual.time.is_adaptive, "Time/Adaptive");
    check(time.smallest_step, usual.time.smallest_step, "Time/Smallest step");
    const auto &rates = damping.strain_rate;
    for (const auto &[value, name] :
         {std::make_pair(rates.stretch, "Stretch"),
          std::make_pair(rates.bending, "Bending"),
          std::make_pair(rates.lambda, "Lambda"),
          std::make_pair(rates.mu, "Mu"),
          std::make_pair(damping.alpha, "Rayleigh alpha"),
          std::make_pair(damping.beta, "Rayleigh beta")})
      check(value, 0., std::string("Damping/") + name);
    check_idle(perturbation > 0.,
               seed,
               usual.seed,
               "Process/Seed",
               "there is a 'Perturbation'");

    if (!(rise > 0.))
      throw InputError("growth needs some time to rise", "Process/Rise");
    const bool spreads = diffusion.is_active();
    check_idle(!spreads,
               rise,
               usual.rise,
               "Process/Rise",
               "nothing spreads or comes in");
    check_idle(!spreads,
               thickness,
               usual.thickness,
               "Process/Thickness factor",
               "nothing spreads or comes in");
    if (thickness != usual.thickness)
      {
        const auto factor =
          formula_of_time(thickness, "Process/Thickness factor");
        for (int i = 0; i <= 100; ++i)
          if (const double value = factor(time.end * i / 100.);
              !(value > 0. && std::isfinite(value)))
            throw InputError("the factor has to be positive, and is not at t "
                             "= " +
                               std::to_string(time.end * i / 100.),
                             "Process/Thickness factor");
      }
    const GrowthParameters &growth = body->growth_parameters();
    if (!growth.grows())
      throw InputError("nothing grows: 'Law' says how", "Growth/Law");
    if (diffusion.is_active() && !growth.depends_on_moisture())
      throw InputError("what spreads in the shell does not change its shape "
                       "unless 'Law' is 'exponential', 'swelling' or "
                       "'bilayer'",
                       "Growth/Law");
    check_idle(!diffusion.is_active(),
               growth.amount,
               GrowthParameters().amount,
               "Growth/Amount",
               "nothing spreads or comes in");
    if (is_motion)
      body->let_free();
    body->check();
  }

  MotionOptions
  GrowthStudy::motion_options() const
  {
    MotionOptions result;
    result.integrator = time.make();
    result.inertia    = time.masses;
    result.damping    = damping;
    result.newton     = newton;
    // Steps judge convergence, not residuals: those of a slow motion are small
    // from the beginning.
    if (newton.residual_tolerance == NewtonOptions().residual_tolerance)
      result.newton.residual_tolerance = 1e-17;
    result.newton.anticipates = true;
    return result;
  }

  GrowthProcess::Settings
  GrowthStudy::settings() const
  {
    const GrowthParameters &growth = body->growth_parameters();
    GrowthProcess::Settings result;
    result.amount  = growth.amount;
    result.at_once = way == "motion";
    result.end     = rise * time.end;
    if (thickness != "1")
      result.thickness = formula_of_time(thickness, "Process/Thickness factor");
    if (diffusion.is_active())
      {
        result.diffusion            = diffusion.make();
        result.diffusion->direction = body->machine_direction();
        result.order                = diffusion.order;
        result.is_in_present_place  = diffusion.is_in_present_place();
      }
    return result;
  }

  Vector
  GrowthStudy::perturbed(Model &model) const
  {
    const GrowingShell &shell = growing_shell(model);
    // Plane waves of random directions, not shorter than a fifth of the body.
    constexpr int    n_waves = 12;
    constexpr double most    = 2. * 3.141592653589793 * 5.;
    std::mt19937     engine(seed);
    const auto       number = [&] { return engine() / 2147483647.5 - 1.; };
    struct Wave
    {
      Vector3 amplitude, vector;
      double  phase;
    };
    std::vector<Wave> waves(n_waves);
    for (Wave &wave : waves)
      {
        wave.phase = 3.141592653589793 * number();
        for (int c = 0; c < 3; ++c)
          {
            wave.amplitude(c) = number();
            wave.vector(c)    = most * number() / shell.size();
          }
      }
    // Each wave has a mean square of 1/2 * 3 * 1/3.
    const double scale = perturbation / std::sqrt(0.5 * n_waves);
    return shell.transformed(model.initial_state(),
                             [&](const Vector3 &rest,
                                 const Vector3 &present) -> Vector3 {
                               Vector3 sum = present;
                               for (const Wave &wave : waves)
                                 sum +=
                                   scale * wave.amplitude *
                                   std::cos(wave.vector.dot(rest) + wave.phase);
                               return sum;
                             });
  }

  void
  GrowthStudy::rehearse(const Workplace &workplace) const
  {
    if (workplace.groups.group_index() != 0)
      return;
    const std::unique_ptr<Model> model =
      body->build(workplace.model, workplace.groups.group());
    Model &shell = *model;
    apply_loads(shell, *body);
    check_effects(
      shell,
      *body,
      diffusion.is_active()
        ? std::vector<VariedParameter>()
        : std::vector<VariedParameter>{
            {"growth", 0., body->growth_parameters().amount, "Growth/Amount"}});
    check_potential(shell, {}, "growth");
    GrowthProcess process(shell, settings());
    process.begin();
    if (way == "motion")
      Motion(shell, motion_options());
  }
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/studies/effects.h>
#include <slender/studies/motion_study.h>
#include <slender/studies/touching_rods.h>

#include <deal.II/base/parameter_handler.h>

#include <cmath>
#include <iomanip>
#include <sstream>

namespace slender
{
  MotionStudy::MotionStudy()
  {
    // Steps judge convergence, not residuals: those of a slow motion are small
    // from the beginning.
    newton.residual_tolerance = 1e-17;
  }

  void
  MotionStudy::set_body_kind(const BodyKind kind)
  {
    body = make_body_parameters(kind);
    body->let_free();
    is_rod = kind == BodyKind::rod;
  }

  void
  MotionStudy::set_sections(const std::vector<std::string> &names)
  {
    body->set_sections(names);
    drives.set_sections(names);
    obstacles.set_sections(names);
  }

  void
  MotionStudy::declare(dealii::ParameterHandler &prm)
  {
    using namespace dealii::Patterns;
    time.declare(prm);
    declare_damping(prm, damping);
    prm.enter_subsection("Motion");
    prm.add_parameter("Start",
                      start,
                      "'rest' begins with the body as it is at rest, on which "
                      "the loads act from then on; 'equilibrium' with its "
                      "equilibrium under the loads, some of which the drives "
                      "may then change or take away.",
                      Selection("rest|equilibrium"));
    velocity.declare(prm);
    prm.add_parameter("Stop below",
                      stops_below,
                      "End when out-of-balance forces (root mean square, in "
                      "units of the bending stiffness over the length squared) "
                      "and kinetic energy are both below this "
                      "[dimensionless]; 0 to go on.",
                      Double(0.));
    prm.leave_subsection();
    drives.declare(prm);
    obstacles.declare(prm);
    if (is_rod)
      {
        rods.declare(prm);
        contact.declare(prm);
      }
    body->declare(prm);
    newton.declare(prm);
  }

  void
  MotionStudy::check() const
  {
    time.check();
    drives.check();
    velocity.check();
    check_damping_law(damping);
    obstacles.check();
    if (!obstacles.is_empty())
      {
        if (time.integrator != "implicit euler")
          throw InputError("where there are obstacles the integrator has to be "
                           "'implicit euler'",
                           "Time/Integrator");
        if (damping.beta != 0.)
          throw InputError("Rayleigh's damping by stiffness does not go with "
                           "obstacles; strain-rate damping does",
                           "Damping/Rayleigh beta");
        if (start != "rest")
          throw InputError("the equilibrium to start from would not know of "
                           "obstacles; start from 'rest'",
                           "Motion/Start");
      }
    body->check();
    if (is_rod)
      check_contact();
    for (const Drives::Drive &drive : drives.all())
      body->check_parameter(drive.parameter);
    if (start == "rest")
      for (const LoadTarget &load : body->loads())
        if (drives.drives(load.parameter))
          throw InputError("'" + load.parameter +
                             "' is driven, so that its load says something "
                             "only where 'Start' is 'equilibrium'",
                           body->path_of_load(load.parameter));
  }

  void
  MotionStudy::check_contact() const
  {
    rods.check();
    contact.check();
    if (!contact.is_on())
      {
        if (!rods.is_one())
          throw InputError("several rods need a contact between them: 'imc', "
                           "'barrier' or 'spt'",
                           "Contact/Method");
        return;
      }
    if (time.integrator != "implicit euler")
      throw InputError("where rods touch the integrator has to be 'implicit "
                       "euler'",
                       "Time/Integrator");
    if (damping.beta != 0.)
      throw InputError("Rayleigh's damping by stiffness does not go with rods "
                       "that touch; strain-rate damping does",
                       "Damping/Rayleigh beta");
    if (start != "rest")
      throw InputError("the equilibrium to start from would not know of "
                       "contacts; start from 'rest'",
                       "Motion/Start");
    obstacles.walls();
    if (rods.is_one())
      return;
    if (!drives.all().empty())
      throw InputError("a drive acts on one rod, but there are several",
                       drives.all().front().path);
    const RodBody body_of_all =
      dynamic_cast<const RodParameters &>(*body).unloaded_body();
    for (const auto &[end, path] :
         {std::make_pair(body_of_all.start, "Start/Hold"),
          std::make_pair(body_of_all.end, "End/Hold")})
      if (end.rotation != RodEnd::Rotation::free ||
          end.position_fixed != std::array<bool, 3>{})
        throw InputError("several rods have to be free at both ends", path);
    if (body_of_all.initial_strain != Vector3::Zero())
      throw InputError("several rods begin as straight as they are strewn, or "
                       "as their file says",
                       "Rod/Initial shape");
  }

  std::unique_ptr<TouchingRods>
  MotionStudy::make_rods(const Workplace &workplace) const
  {
    if (!is_rod || !contact.is_on())
      return nullptr;
    return std::make_unique<TouchingRods>(dynamic_cast<const RodParameters &>(
                                            *body),
                                          rods,
                                          contact,
                                          obstacles,
                                          workplace.model,
                                          workplace.groups.group());
  }

  MotionOptions
  MotionStudy::options() const
  {
    MotionOptions result;
    result.integrator = time.make();
    result.inertia    = time.masses;
    result.damping    = damping;
    result.newton     = newton;
    return result;
  }

  Equilibrium
  MotionStudy::place_at_start(Model &model) const
  {
    Equilibrium result;
    result.q = model.initial_state();
    if (start == "rest")
      {
        apply_loads(model, *body);
        return result;
      }
    NewtonOptions at_rest      = newton;
    at_rest.residual_tolerance = NewtonOptions().residual_tolerance;
    EquilibriumSolver solver(model, at_rest);
    result = solver.solve(model.initial_state());
    if (result.converged() && !body->loads().empty())
      result = solver.load(result.q, body->loads());
    return result;
  }

  void
  MotionStudy::rehearse(const Workplace &workplace) const
  {
    if (workplace.groups.group_index() != 0)
      return;
    const std::unique_ptr<Model> model =
      body->build(workplace.model, workplace.groups.group());
    std::vector<VariedParameter> varied;
    for (const Drives::Drive &drive : drives.all())
      varied.push_back({drive.parameter,
                        0.,
                        model->find_parameter(drive.parameter).scale,
                        drive.path});
    apply_loads(*model, *body);
    if (const auto touching = make_rods(workplace))
      Motion(touching->system(), options());
    else
      obstacles.check_start(*model, model->initial_state());
    check_effects(*model, *body, varied);
    check_potential(*model, varied, "a motion");

    if (damping.beta != 0.)
      for (const Drives::Drive &drive : drives.all())
        if (drive.parameter.find("displacement") != std::string::npos ||
            drive.parameter.find("rotation") != std::string::npos)
          throw InputError("Rayleigh's damping does not go with supports that "
                           "move; strain-rate damping does",
                           "Damping/Rayleigh beta");
    // From the shape at rest there is one step to time zero, and of whole turns
    // nothing is known then.
    drives.make()(*model, 0.);
    for (const Drives::Drive &drive : drives.all())
      if (drive.parameter.find("rotation") != std::string::npos &&
          std::abs(model->parameter(drive.parameter)) > 3.14)
        throw InputError("'" + drive.parameter +
                           "' begins with half a turn or more, which cannot be "
                           "told from its remainder; let it begin at zero",
                         drive.path);
    Motion       motion(*model, options());
    const Vector rates =
      motion.inertia().rates_in(model->initial_state(), velocity.make(1.));
    if (!std::isfinite(sum_over_ranks(model->layout(), rates.squaredNorm())))
      throw InputError("the velocity is not a finite number everywhere in the "
                       "body",
                       "Motion/Velocity formula");
    if (time.integrator == "verlet")
      {
        motion.start(model->initial_state(), 0.);
        const double limit = motion.stable_step();
        if (time.step > limit)
          {
            std::ostringstream text;
            text << "the explicit method is stable only for steps up to "
                 << std::setprecision(4) << limit << " of this body at rest";
            throw InputError(text.str(), "Time/Step");
          }
      }
  }
} // namespace slender

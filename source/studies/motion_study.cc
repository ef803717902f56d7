// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/base/interruption.h>
#include <slender/base/progress.h>
#include <slender/dynamics/frictional_steps.h>
#include <slender/output/recorder.h>
#include <slender/studies/contact_recording.h>
#include <slender/studies/effects.h>
#include <slender/studies/motion_study.h>
#include <slender/studies/recording.h>
#include <slender/studies/saved_state.h>
#include <slender/studies/touching_rods.h>

#include <deal.II/base/parameter_handler.h>

#include <cmath>
#include <iomanip>
#include <sstream>

namespace slender
{
  namespace
  {
    /// Where a motion is, besides the moment itself.
    struct Progression
    {
      double length     = 0.; ///< of the next step
      long   steps      = 0;  ///< taken
      long   rows       = 0;  ///< recorded
      long   shapes     = 0;
      double first_sum  = 0.; ///< of energies, at the start
      double worst      = 0.; ///< departure of their balance
      double iterations = 0.;
      double friction   = 0.; ///< energy that it took, since the start
    };

    void
    put(Archive           &archive,
        const System      &system,
        const MotionState &moment,
        const Progression &done)
    {
      const Instant &x = moment.unknowns;
      saved_state::put(archive, "body", system, moment.state);
      saved_state::put(archive, "rate", system, x.rate);
      saved_state::put(archive, "second", system, x.second);
      saved_state::put(archive, "balanced", system, x.balanced);
      if (x.before.size() > 0)
        {
          saved_state::put(archive, "before", system, x.before);
          saved_state::put(archive, "rate before", system, x.rate_before);
        }
      archive.numbers["motion"].values = {moment.time,
                                          moment.dissipated,
                                          moment.work,
                                          x.step_before,
                                          done.length,
                                          static_cast<double>(done.steps),
                                          static_cast<double>(done.rows),
                                          static_cast<double>(done.shapes),
                                          done.first_sum,
                                          done.worst,
                                          done.iterations,
                                          done.friction};
    }

    MotionState
    get(const ArchiveReader &reader, const System &system, Progression &done)
    {
      const std::vector<double> numbers = reader.numbers("motion", 12);
      MotionState               moment;
      moment.time       = numbers[0];
      moment.dissipated = numbers[1];
      moment.work       = numbers[2];
      moment.state      = saved_state::get_state(reader, "body", system);
      Instant &x        = moment.unknowns;
      x.place           = moment.state.q;
      x.rate            = saved_state::get_vector(reader, "rate", system);
      x.second          = saved_state::get_vector(reader, "second", system);
      x.balanced        = saved_state::get_vector(reader, "balanced", system);
      x.step_before     = numbers[3];
      if (saved_state::has_vector(reader, "before"))
        {
          x.before = saved_state::get_vector(reader, "before", system);
          x.rate_before =
            saved_state::get_vector(reader, "rate before", system);
        }
      done = {numbers[4],
              std::lround(numbers[5]),
              std::lround(numbers[6]),
              std::lround(numbers[7]),
              numbers[8],
              numbers[9],
              numbers[10],
              numbers[11]};
      return moment;
    }

    /// Whether a time has come, but for round-off of sums of steps.
    bool
    has_come(const double time, const double when, const double step)
    {
      return time >= when - 1e-6 * step;
    }
  } // namespace

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

  StudyResult
  MotionStudy::run(Workplace &workplace)
  {
    StudyResult result;
    // One body: only the first group has something to do.
    if (workplace.groups.group_index() != 0)
      return result;

    MPI_Comm                            group    = workplace.groups.group();
    const std::unique_ptr<TouchingRods> touching = make_rods(workplace);
    const std::unique_ptr<Model>        model =
      touching ? nullptr : body->build(workplace.model, group);
    System               &system = touching ? touching->system() : *model;
    const Drives::Applied driven = drives.make();
    Motion::Drive         drive;
    Obstacles             in_the_way;
    std::optional<FrictionalSteps> frictional;
    MotionOptions                  how       = options();
    bool                           they_move = false;
    if (touching)
      how.newton = contact.search(newton);
    if (!touching)
      in_the_way = obstacles.make();
    for (const Obstacle &obstacle : in_the_way)
      they_move = they_move || obstacle.velocity.norm() > 0.;
    if (!in_the_way.empty())
      {
        frictional.emplace(*model, in_the_way, newton);
        how.search = frictional->search();
      }
    if (!driven.is_empty() || they_move)
      drive = [&](const double t) {
        if (!driven.is_empty())
          driven(system, t);
        for (Obstacle &obstacle : in_the_way)
          obstacle.shift = t * obstacle.velocity;
      };
    Motion     motion(system, how, drive);
    Recorder  &recorder = workplace.recorder;
    const auto measured = [&](const Vector &q) {
      return touching ? touching->measure(q) : system.measure(q);
    };

    std::vector<std::string> columns = {"step",
                                        "time",
                                        "step_length",
                                        "kinetic_energy",
                                        "potential_energy",
                                        "dissipated_energy",
                                        "work",
                                        "balance",
                                        "momentum_x",
                                        "momentum_y",
                                        "momentum_z",
                                        "angular_momentum_x",
                                        "angular_momentum_y",
                                        "angular_momentum_z"};
    for (const Measurement &m :
         measured(touching ? touching->start() : system.initial_state()))
      columns.push_back(column_name(m.name));
    columns.insert(columns.end(), {"residual", "iterations"});
    if (frictional)
      {
        columns.insert(columns.end(),
                       {"contacts",
                        "slipping",
                        "pressure",
                        "force_x",
                        "force_y",
                        "force_z",
                        "friction_energy"});
        begin_contact_table(recorder);
      }
    recorder.begin_table(recorded::results, columns);
    recorder.begin_series(recorded::shapes, "time [time]");

    Progression done;
    done.length       = time.step;
    const auto sum_of = [](const MotionEnergies &e) {
      return e.kinetic + e.potential + e.dissipated - e.work;
    };
    const auto record_row = [&] {
      const MotionEnergies    e       = motion.energies();
      const Kinetics::Moments moments = motion.moments();
      const MotionState      &moment  = motion.now();
      const double balance = sum_of(e) + done.friction - done.first_sum;
      done.worst           = std::max(done.worst, std::abs(balance));
      Table::Row row       = {done.steps,
                              moment.time,
                              moment.unknowns.step_before,
                              e.kinetic,
                              e.potential,
                              e.dissipated,
                              e.work,
                              balance};
      for (const Vector3 &v :
           {moments.linear_momentum, moments.angular_momentum})
        for (int c = 0; c < 3; ++c)
          row.emplace_back(v(c));
      for (const Measurement &m : measured(moment.unknowns.place))
        row.emplace_back(m.value);
      row.emplace_back(motion.residual());
      row.emplace_back(static_cast<long>(std::lround(done.iterations)));
      done.iterations = 0.;
      if (frictional)
        {
          const ContactSums sums =
            sum_of_contacts(group, frictional->contacts());
          row.insert(row.end(),
                     {sums.touching,
                      sums.slipping,
                      sums.pressure,
                      sums.force(0),
                      sums.force(1),
                      sums.force(2),
                      done.friction});
          record_contacts(recorder,
                          group,
                          moment.time,
                          frictional->contacts(),
                          frictional->points().places(moment.unknowns.place));
        }
      recorder.row(recorded::results, row);
      recorder.count(recorded::samples);
      ++done.rows;
    };
    const auto record_shape = [&] {
      const MotionState &moment = motion.now();
      recorder.shape(recorded::shapes,
                     done.shapes,
                     moment.time,
                     touching ? touching->draw(moment.unknowns.place)
                              : system.draw(moment.unknowns.place),
                     group);
      ++done.shapes;
    };
    /// When the next row or shape is due; now, if there is one for each step.
    const double shapes_every =
      time.shapes_every > 0. ? time.shapes_every : time.rows_every;
    const auto due = [&](const long count, const double every) {
      return every > 0. ? count * every : motion.now().time;
    };

    if (const auto checkpoint = recorder.last_checkpoint(group))
      motion.set(get(*checkpoint, system, done));
    else
      {
        Equilibrium place;
        if (touching)
          place.q = touching->start();
        else
          place = place_at_start(*model);
        if (!place.converged())
          {
            report_failure(recorder,
                           std::string("there is no equilibrium to start "
                                       "from: ") +
                             to_string(place.outcome));
            return result;
          }
        if (drive)
          drive(0.);
        const auto moments =
          sum_over_ranks(system.layout(),
                         motion.inertia().moments(
                           place.q,
                           Vector::Zero(motion.inertia().masses().size())));
        const double size = std::sqrt(moments.second / moments.mass);
        motion.start(place.q, 0., velocity.make(size));
        done.first_sum = sum_of(motion.energies());
        record_row();
        record_shape();
      }

    Progress  progress(workplace.progress,
                      workplace.progress_is_terminal,
                      "motion",
                      std::max(1L, std::lround(time.end / time.step)));
    const int order    = Integrator(time.make()).order();
    bool      is_still = false;
    while (!has_come(motion.now().time, time.end, time.step) && !is_still)
      {
        const bool asked = interruption_requested(group);
        if (workplace.clock.is_due(group) || asked)
          {
            Archive archive;
            put(archive, system, motion.now(), done);
            recorder.checkpoint(archive, group);
          }
        if (asked)
          {
            result.is_interrupted = true;
            return result;
          }

        // Adaptive steps end where something is to be recorded.
        const double now     = motion.now().time;
        double       horizon = time.end - now;
        if (time.is_adaptive)
          for (const auto &[count, every] :
               {std::make_pair(done.rows, time.rows_every),
                std::make_pair(done.shapes, shapes_every)})
            if (every > 0. && count * every > now)
              horizon = std::min(horizon, count * every - now);
        // No splinter is left over at the end.
        const double h = done.length > horizon * (1. - 1e-6) ? horizon
                         : time.is_adaptive && done.length > 0.6 * horizon
                           ? 0.5 * horizon
                           : done.length;
        const TouchingRods::Step taken =
          touching ? touching->take(motion, h)
                   : TouchingRods::Step{motion.step(h), false};
        const Motion::Step &step = taken.step;
        done.iterations += step.iterations;
        recorder.count(recorded::iterations, step.iterations);
        const bool is_too_coarse = taken.succeeded() && time.is_adaptive &&
                                   step.error > 2. * time.tolerance &&
                                   h > 1.01 * time.smallest_step;
        if (!taken.succeeded() || is_too_coarse)
          {
            if (is_too_coarse)
              motion.undo();
            done.length = std::max(
              taken.succeeded()
                ? h * std::clamp(0.9 * std::pow(time.tolerance / step.error,
                                                1. / (order + 1)),
                                 0.2,
                                 0.9)
                : 0.5 * h,
              time.smallest_step);
            if (!taken.succeeded() && h <= 1.0001 * time.smallest_step)
              {
                std::ostringstream line;
                line << "stopped at time " << now << ": a step of " << h
                     << " fails ("
                     << (taken.passed ? "rods pass through each other"
                                      : to_string(step.outcome))
                     << ")";
                report_failure(recorder, line.str());
                break;
              }
            continue;
          }
        ++done.steps;
        if (frictional)
          done.friction +=
            sum_of_contacts(group, frictional->contacts()).dissipated;
        if (touching)
          done.friction = touching->friction_work();
        if (time.is_adaptive)
          {
            const double growth =
              step.error > 0.
                ? 0.9 * std::pow(time.tolerance / step.error, 1. / (order + 1))
                : 2.;
            done.length =
              std::clamp(std::max(h, done.length) * std::clamp(growth, 0.3, 2.),
                         time.smallest_step,
                         time.largest_step);
          }
        else // after halved steps
          done.length = std::min(time.step, 2. * done.length);

        const double t = motion.now().time;
        if (stops_below > 0.)
          is_still =
            motion.residual() < stops_below &&
            motion.energies().kinetic < stops_below * system.energy_unit();
        const bool is_last = has_come(t, time.end, time.step) || is_still;
        if (has_come(t, due(done.rows, time.rows_every), h) || is_last)
          record_row();
        if (has_come(t, due(done.shapes, shapes_every), h) || is_last)
          record_shape();
        progress.advance();
      }

    std::ostringstream words;
    words << std::setprecision(6) << (is_still ? "at rest" : "moved")
          << " until time " << motion.now().time << " in " << done.steps
          << " steps; the balance of energies is off by at most " << done.worst;
    result.summary.answer = words.str();
    return result;
  }
} // namespace slender

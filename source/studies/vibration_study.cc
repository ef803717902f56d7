// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/base/interruption.h>
#include <slender/base/progress.h>
#include <slender/dynamics/natural_modes.h>
#include <slender/output/recorder.h>
#include <slender/studies/effects.h>
#include <slender/studies/load_steps.h>
#include <slender/studies/mass_parameters.h>
#include <slender/studies/recording.h>
#include <slender/studies/saved_state.h>
#include <slender/studies/vibration_study.h>

#include <deal.II/base/parameter_handler.h>

#include <boost/math/constants/constants.hpp>

#include <iomanip>
#include <sstream>

namespace slender
{
  namespace
  {
    /// Out-of-balance forces [dimensionless] that are round-off of the stiff
    /// strains of a body at rest.
    constexpr double round_off_of_forces = 1e-6;

    /// How far a mode is drawn from the equilibrium, see draw_mode().
    constexpr double amplitude = 0.05;

    /// The equilibrium without loads. Of a body that nothing holds the Hessian
    /// is singular: then it is the initial shape, if that is without stress.
    Equilibrium
    unloaded(const Model &model, EquilibriumSolver &solver)
    {
      Equilibrium found = solver.solve(model.initial_state());
      if (found.converged())
        return found;
      Equilibrium at_rest;
      at_rest.q = model.initial_state();
      // What stands at ghosts belongs to others, and is as small.
      const double force =
        root_mean_square(model.layout(), model.gradient(at_rest.q));
      return force < round_off_of_forces ? at_rest : found;
    }

    /// Where, between two steps, a squared frequency goes through zero.
    struct Crossing
    {
      double load    = 0.;
      double squared = 0.;
      bool   is_set  = false;
    };
  } // namespace

  void
  VibrationStudy::set_body_kind(const BodyKind kind)
  {
    body = make_body_parameters(kind);
    body->let_free();
  }

  void
  VibrationStudy::set_sections(const std::vector<std::string> &names)
  {
    body->set_sections(names);
  }

  void
  VibrationStudy::declare(dealii::ParameterHandler &prm)
  {
    using namespace dealii::Patterns;
    prm.enter_subsection("Vibration");
    prm.add_parameter("Modes",
                      n_modes,
                      "Number of lowest natural frequencies [1]; of a body "
                      "that nothing holds the first six are those of rigid "
                      "motions, zero but for round-off.",
                      Integer(1, 1000));
    prm.add_parameter("Load steps",
                      n_steps,
                      "Number of equal steps in which all loads are raised "
                      "from zero [1]; the frequencies are computed at each, "
                      "and without load.",
                      Integer(1, 1000000));
    prm.add_parameter("Frames",
                      n_frames,
                      "Pictures of each mode over its period, under the full "
                      "load [1]; 0 for none.",
                      Integer(0, 1000));
    declare_masses(prm, masses);
    prm.leave_subsection();
    response.declare(prm);
    body->declare(prm);
    newton.declare(prm);
  }

  void
  VibrationStudy::check() const
  {
    body->check();
    response.check(*body);
  }

  void
  VibrationStudy::rehearse(const Workplace &workplace) const
  {
    if (workplace.groups.group_index() != 0)
      return;
    const std::unique_ptr<Model> model =
      body->build(workplace.model, workplace.groups.group());
    model->kinetics(masses);
    if (n_modes > model->layout().size - 2 * model->n_multipliers())
      throw InputError("the body has only " +
                         std::to_string(model->layout().size -
                                        2 * model->n_multipliers()) +
                         " ways to vibrate",
                       "Vibration/Modes");
    apply_loads(*model, *body);
    check_effects(*model, *body, {});
    check_potential(*model, {}, "a vibration");
    response.check_model(*model, *model->kinetics(masses));
  }

  StudyResult
  VibrationStudy::run(Workplace &workplace)
  {
    StudyResult result;
    // One body: only the first group has something to do.
    if (workplace.groups.group_index() != 0)
      return result;

    MPI_Comm                     group    = workplace.groups.group();
    const std::unique_ptr<Model> model    = body->build(workplace.model, group);
    const auto                   kinetics = model->kinetics(masses);
    EquilibriumSolver            solver(*model, newton);
    Recorder                    &recorder  = workplace.recorder;
    const bool                   is_loaded = !body->loads().empty();
    const int                    last_step = is_loaded ? n_steps : 0;
    Progress                     progress(workplace.progress,
                      workplace.progress_is_terminal,
                      "vibration",
                      last_step + 1);

    recorder.begin_table(recorded::results,
                         {"step",
                          "load",
                          "mode",
                          "frequency",
                          "squared_angular_frequency",
                          "growth_rate"});
    response.begin(recorder);
    recorder.begin_series(recorded::shapes, "part of the load [1]");
    recorder.begin_series(recorded::modes,
                          "number of the mode, and part of its period [1]");

    Crossing   lowest, vanishing;
    double     first_frequency = 0.;
    const auto record          = [&](const Equilibrium &found, const int step) {
      const double load =
        last_step > 0 ? static_cast<double>(step) / last_step : 0.;
      const auto modes = natural_modes(*model, *kinetics, found.q, n_modes);
      if (static_cast<int>(modes.size()) < n_modes)
        report_failure(recorder,
                       "only " + std::to_string(modes.size()) +
                         " modes were found at " + std::to_string(100. * load) +
                         " % of the load");
      for (std::size_t i = 0; i < modes.size(); ++i)
        recorder.row(recorded::results,
                     {static_cast<long>(step),
                      load,
                      static_cast<long>(i + 1),
                      modes[i].frequency(),
                      modes[i].squared,
                      modes[i].growth_rate()});
      recorder.shape(recorded::shapes, step, load, model->draw(found.q), group);
      recorder.count(recorded::samples);
      recorder.count(recorded::iterations, found.iterations);
      if (!modes.empty())
        {
          const double squared = modes[0].squared;
          if (lowest.is_set && !vanishing.is_set && lowest.squared > 0. &&
              squared <= 0.)
            vanishing = {lowest.load + (load - lowest.load) * lowest.squared /
                                         (lowest.squared - squared),
                         0.,
                         true};
          lowest          = {load, squared, true};
          first_frequency = modes[0].frequency();
        }
      if (step == last_step)
        response.record(
          recorder, *model, *kinetics, found.q, modes, newton.solver());
      if (step == last_step)
        for (std::size_t i = 0; i < modes.size(); ++i)
          for (int k = 0; k < n_frames; ++k)
            {
              const double phase = static_cast<double>(k) / n_frames;
              const double size =
                root_mean_square(model->layout(), modes[i].mode);
              const double factor =
                amplitude / size *
                std::sin(boost::math::constants::two_pi<double>() * phase);
              recorder.shape(recorded::modes,
                             static_cast<std::int64_t>(i) * n_frames + k,
                             static_cast<double>(i + 1) + phase,
                             model->draw(found.q + factor * modes[i].mode),
                             group);
            }
      progress.advance();
    };

    Equilibrium found;
    int         step = 0; // the last that is done
    if (const auto checkpoint = recorder.last_checkpoint(group))
      {
        const State state = saved_state::get_state(*checkpoint, "body", *model);
        model->set_state(state);
        found.q            = state.q;
        const auto numbers = checkpoint->numbers("vibration", 8);
        step               = static_cast<int>(numbers[0]);
        lowest             = {numbers[1], numbers[2], numbers[3] != 0.};
        vanishing          = {numbers[4], numbers[5], numbers[6] != 0.};
        first_frequency    = numbers[7];
      }
    else
      {
        found = unloaded(*model, solver);
        if (found.converged())
          record(found, 0);
      }
    const LoadSteps loading{*model,
                            solver,
                            *body,
                            n_steps,
                            record,
                            [&](Archive &archive, const int at) {
                              archive.numbers["vibration"].values = {
                                static_cast<double>(at),
                                lowest.load,
                                lowest.squared,
                                lowest.is_set ? 1. : 0.,
                                vanishing.load,
                                vanishing.squared,
                                vanishing.is_set ? 1. : 0.,
                                first_frequency};
                            }};
    if (!loading.go(workplace, last_step, found, step))
      {
        result.is_interrupted = true;
        return result;
      }
    std::ostringstream words;
    words << std::setprecision(6);
    if (vanishing.is_set)
      words << "the lowest frequency vanishes at " << 100. * vanishing.load
            << " % of the load";
    else
      words << "the lowest frequency is " << first_frequency
            << (is_loaded ? " under the load" : "");
    result.summary.answer = words.str();
    return result;
  }
} // namespace slender

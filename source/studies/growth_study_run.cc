// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/interruption.h>
#include <slender/base/progress.h>
#include <slender/output/recorder.h>
#include <slender/statics/stable_path.h>
#include <slender/studies/effects.h>
#include <slender/studies/growth_study.h>
#include <slender/studies/recording.h>
#include <slender/studies/saved_motion.h>
#include <slender/studies/saved_state.h>
#include <slender/studies/time_steps.h>

#include <cmath>
#include <iomanip>
#include <sstream>

namespace slender
{
  namespace
  {
    /// What follows the growth: equilibria, or a motion.
    class Follower
    {
    public:
      virtual ~Follower() = default;

      struct Step
      {
        Outcome outcome    = Outcome::converged;
        int     iterations = 0;
        double  error      = 0.; ///< of places [length]
      };

      virtual Step
      start(const LoadTarget &first) = 0;

      virtual Step
      step(const std::vector<LoadTarget> &targets, double length) = 0;

      virtual void
      undo() = 0;

      virtual const Vector &
      state() const = 0;

      /// In the user's units; nothing is in motion at an equilibrium.
      virtual double
      kinetic_energy() const
      {
        return 0.;
      }

      virtual void
      save(Archive &archive) = 0;

      virtual void
      restore(const ArchiveReader &reader) = 0;
    };

    class Equilibria : public Follower
    {
    public:
      Equilibria(Model                 &the_shell,
                 const NewtonOptions   &newton,
                 const ShellParameters &the_body)
        : shell(the_shell)
        , body(the_body)
        , solver(shell, newton)
        , path(shell, newton)
      {}

      Step
      start(const LoadTarget &first) override
      {
        Equilibrium found = solver.solve(shell.initial_state());
        if (found.converged() && !body.loads().empty())
          found = solver.load(found.q, body.loads());
        if (!found.converged())
          return {found.outcome, found.iterations, 0.};
        path.set(found.q);
        return first.value == 0. ? Step{found.outcome, found.iterations, 0.}
                                 : step({first}, 0.);
      }

      Step
      step(const std::vector<LoadTarget> &targets,
           const double /*length*/) override
      {
        Step result;
        for (const LoadTarget &target : targets)
          if (result.outcome == Outcome::converged &&
              shell.parameter(target.parameter) != target.value)
            {
              const Equilibrium found =
                path.move(target.parameter, target.value);
              result.outcome = found.outcome;
              result.iterations += found.iterations;
            }
        return result;
      }

      void
      undo() override
      {}

      const Vector &
      state() const override
      {
        return path.state();
      }

      void
      save(Archive &archive) override
      {
        saved_state::put(archive, "body", shell, shell.state(path.state()));
      }

      void
      restore(const ArchiveReader &reader) override
      {
        const State state = saved_state::get_state(reader, "body", shell);
        shell.set_state(state);
        path.set(state.q);
      }

    private:
      Model                 &shell;
      const ShellParameters &body;
      EquilibriumSolver      solver;
      StablePath             path;
    };

    class InMotion : public Follower
    {
    public:
      InMotion(Model                 &the_shell,
               const MotionOptions   &options,
               const ShellParameters &the_body,
               Vector                 the_start)
        : shell(the_shell)
        , body(the_body)
        , from(std::move(the_start))
        , motion(shell, options)
      {}

      Step
      start(const LoadTarget &first) override
      {
        apply_loads(shell, body);
        shell.set_parameter(first.parameter, first.value);
        motion.start(from, 0.);
        return {};
      }

      Step
      step(const std::vector<LoadTarget> &targets, const double length) override
      {
        for (const LoadTarget &target : targets)
          shell.set_parameter(target.parameter, target.value);
        const Motion::Step taken = motion.step(length);
        return {taken.outcome, taken.iterations, taken.error};
      }

      void
      undo() override
      {
        motion.undo();
      }

      const Vector &
      state() const override
      {
        return motion.now().unknowns.place;
      }

      double
      kinetic_energy() const override
      {
        return motion.energies().kinetic;
      }

      void
      save(Archive &archive) override
      {
        saved_motion::put(archive, shell, motion.now());
        motion.forget();
      }

      void
      restore(const ArchiveReader &reader) override
      {
        motion.set(saved_motion::get(reader, shell));
      }

    private:
      Model                 &shell;
      const ShellParameters &body;
      Vector                 from;
      Motion                 motion;
    };
  } // namespace

  StudyResult
  GrowthStudy::run(Workplace &workplace)
  {
    StudyResult result;
    // One body: only the first group has something to do.
    if (workplace.groups.group_index() != 0)
      return result;

    MPI_Comm                     group = workplace.groups.group();
    const std::unique_ptr<Model> model = body->build(workplace.model, group);
    Model                       &shell = *model;
    GrowthProcess                process(shell, settings());
    process.begin();
    std::unique_ptr<Follower> follower;
    const bool                is_motion = way == "motion";
    if (is_motion)
      follower = std::make_unique<InMotion>(shell,
                                            motion_options(),
                                            *body,
                                            perturbed(shell));
    else
      follower = std::make_unique<Equilibria>(shell, newton, *body);

    Recorder                &recorder = workplace.recorder;
    std::vector<std::string> columns  = {
       "step", "time", "step_length", "growth", "kinetic_energy"};
    for (const Measurement &m : process.measure())
      columns.push_back(column_name(m.name));
    if (process.diffusion())
      columns.push_back("moisture_content");
    for (const Measurement &m : shell.measure(shell.initial_state()))
      columns.push_back(column_name(m.name));
    columns.push_back("iterations");
    recorder.begin_table(recorded::results, columns);
    recorder.begin_series(recorded::shapes, "time [time]");

    const int  order = is_motion ? Integrator(time.make()).order() : 1;
    TimeSteps  steps(time, order);
    double     now        = 0.;
    double     last       = 0.; // length of the last step
    long       iterations = 0;  // since the last row
    const auto record_row = [&] {
      Table::Row row = {steps.n_steps,
                        now,
                        last,
                        shell.parameter("growth"),
                        follower->kinetic_energy()};
      for (const Measurement &m : process.measure())
        row.emplace_back(m.value);
      if (process.diffusion())
        row.emplace_back(process.content());
      for (const Measurement &m : shell.measure(follower->state()))
        row.emplace_back(m.value);
      row.emplace_back(iterations);
      iterations = 0;
      recorder.row(recorded::results, row);
      recorder.count(recorded::samples);
      ++steps.n_rows;
    };
    const auto record_shape = [&] {
      recorder.shape(recorded::shapes,
                     steps.n_shapes,
                     now,
                     shell.draw(follower->state()),
                     group);
      ++steps.n_shapes;
    };
    const auto save = [&] {
      Archive archive;
      follower->save(archive);
      if (process.diffusion())
        saved_state::put(archive,
                         "moisture",
                         *process.diffusion(),
                         process.moisture());
      archive.numbers["steps"].values  = steps.numbers();
      archive.numbers["growth"].values = {now, static_cast<double>(iterations)};
      recorder.checkpoint(archive, group);
    };

    if (const auto checkpoint = recorder.last_checkpoint(group))
      {
        if (process.diffusion())
          process.set_moisture(saved_state::get_vector(*checkpoint,
                                                       "moisture",
                                                       *process.diffusion()));
        follower->restore(*checkpoint);
        steps.set(checkpoint->numbers("steps", TimeSteps::n_numbers));
        const std::vector<double> numbers = checkpoint->numbers("growth", 2);
        now                               = numbers[0];
        iterations                        = std::lround(numbers[1]);
      }
    else
      {
        const Follower::Step begun = follower->start(process.at_start());
        if (begun.outcome != Outcome::converged)
          {
            report_failure(recorder,
                           std::string("there is no equilibrium to start "
                                       "from: ") +
                             to_string(begun.outcome));
            return result;
          }
        record_row();
        record_shape();
      }

    Progress progress(workplace.progress,
                      workplace.progress_is_terminal,
                      "growth",
                      std::max(1L, std::lround(time.end / time.step)));
    while (!steps.has_ended(now))
      {
        const bool asked = interruption_requested(group);
        if (workplace.clock.is_due(group) || asked)
          save();
        if (asked)
          {
            result.is_interrupted = true;
            return result;
          }

        const double length  = steps.length_from(now);
        const auto   targets = process.prepare(follower->state(), now, length);
        const Follower::Step step = follower->step(targets, length);
        iterations += step.iterations;
        recorder.count(recorded::iterations, step.iterations);
        if (step.outcome != Outcome::converged)
          {
            process.take_back();
            // Equilibria have cut their steps themselves.
            if (is_motion && steps.halve(length))
              continue;
            std::ostringstream line;
            line << "stopped at time " << now << ": a step of " << length
                 << " fails (" << to_string(step.outcome) << ")";
            report_failure(recorder, line.str());
            break;
          }
        if (steps.is_too_coarse(length, step.error))
          {
            follower->undo();
            process.take_back();
            steps.shorten(length, step.error);
            continue;
          }
        process.accept();
        steps.accept(length, step.error);
        now += length;
        last = length;

        const bool is_last = steps.has_ended(now);
        if (steps.row_is_due(now, length, is_last))
          record_row();
        if (steps.shape_is_due(now, length, is_last))
          record_shape();
        progress.advance();
      }

    std::ostringstream words;
    words << std::setprecision(6) << "grew until time " << now << " in "
          << steps.n_steps << " steps; the shell has moved by at most "
          << find_measurement(shell.measure(follower->state()),
                              "largest displacement");
    result.summary.answer = words.str();
    return result;
  }
} // namespace slender

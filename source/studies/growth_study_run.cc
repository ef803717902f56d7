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

#include <cmath>
#include <iomanip>
#include <sstream>

namespace slender
{
  namespace
  {
    /// How far a run has come.
    struct Done
    {
      double time   = 0.;
      double length = 0.; ///< of the next step
      long   steps = 0, rows = 0, shapes = 0;
      long   iterations = 0; ///< since the last row
    };

    /// Whether a time has come, but for round-off of sums of steps.
    bool
    has_come(const double time, const double when, const double step)
    {
      return time >= when - 1e-6 * step;
    }

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
      save(Archive &archive) const = 0;

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
      save(Archive &archive) const override
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
      save(Archive &archive) const override
      {
        saved_motion::put(archive, shell, motion.now());
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

    Done done;
    done.length           = time.step;
    double     last       = 0.; // length of the last step
    const auto record_row = [&] {
      Table::Row row = {done.steps,
                        done.time,
                        last,
                        shell.parameter("growth"),
                        follower->kinetic_energy()};
      for (const Measurement &m : process.measure())
        row.emplace_back(m.value);
      if (process.diffusion())
        row.emplace_back(process.content());
      for (const Measurement &m : shell.measure(follower->state()))
        row.emplace_back(m.value);
      row.emplace_back(done.iterations);
      done.iterations = 0;
      recorder.row(recorded::results, row);
      recorder.count(recorded::samples);
      ++done.rows;
    };
    const auto record_shape = [&] {
      recorder.shape(recorded::shapes,
                     done.shapes,
                     done.time,
                     shell.draw(follower->state()),
                     group);
      ++done.shapes;
    };
    const double shapes_every =
      time.shapes_every > 0. ? time.shapes_every : time.rows_every;
    const auto due = [&](const long count, const double every) {
      return every > 0. ? count * every : done.time;
    };
    const auto save = [&] {
      Archive archive;
      follower->save(archive);
      if (process.diffusion())
        saved_state::put(archive,
                         "moisture",
                         *process.diffusion(),
                         process.moisture());
      archive.numbers["growth"].values = {done.time,
                                          done.length,
                                          static_cast<double>(done.steps),
                                          static_cast<double>(done.rows),
                                          static_cast<double>(done.shapes),
                                          static_cast<double>(done.iterations)};
      recorder.checkpoint(archive, group);
    };

    if (const auto checkpoint = recorder.last_checkpoint(group))
      {
        if (process.diffusion())
          process.set_moisture(saved_state::get_vector(*checkpoint,
                                                       "moisture",
                                                       *process.diffusion()));
        follower->restore(*checkpoint);
        const std::vector<double> n = checkpoint->numbers("growth", 6);
        done                        = {n[0],
                                       n[1],
                                       std::lround(n[2]),
                                       std::lround(n[3]),
                                       std::lround(n[4]),
                                       std::lround(n[5])};
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

    Progress  progress(workplace.progress,
                      workplace.progress_is_terminal,
                      "growth",
                      std::max(1L, std::lround(time.end / time.step)));
    const int order = is_motion ? Integrator(time.make()).order() : 1;
    while (!has_come(done.time, time.end, time.step))
      {
        const bool asked = interruption_requested(group);
        if (workplace.clock.is_due(group) || asked)
          save();
        if (asked)
          {
            result.is_interrupted = true;
            return result;
          }

        // Adaptive steps end where something is to be recorded.
        double horizon = time.end - done.time;
        if (time.is_adaptive)
          for (const auto &[count, every] :
               {std::make_pair(done.rows, time.rows_every),
                std::make_pair(done.shapes, shapes_every)})
            if (every > 0. && count * every > done.time)
              horizon = std::min(horizon, count * every - done.time);
        const double h       = done.length > horizon * (1. - 1e-6) ? horizon
                               : time.is_adaptive && done.length > 0.6 * horizon
                                 ? 0.5 * horizon
                                 : done.length;
        const auto   targets = process.prepare(follower->state(), done.time, h);
        const Follower::Step step = follower->step(targets, h);
        done.iterations += step.iterations;
        recorder.count(recorded::iterations, step.iterations);
        const bool converged     = step.outcome == Outcome::converged;
        const bool is_too_coarse = converged && time.is_adaptive &&
                                   step.error > 2. * time.tolerance &&
                                   h > 1.01 * time.smallest_step;
        if (!converged || is_too_coarse)
          {
            if (is_too_coarse)
              follower->undo();
            process.take_back();
            if (!converged && (!is_motion || h <= 1.0001 * time.smallest_step))
              {
                std::ostringstream line;
                line << "stopped at time " << done.time << ": a step of " << h
                     << " fails (" << to_string(step.outcome) << ")";
                report_failure(recorder, line.str());
                break;
              }
            const double shorter =
              converged ? std::clamp(0.9 * std::pow(time.tolerance / step.error,
                                                    1. / (order + 1)),
                                     0.2,
                                     0.9)
                        : 0.5;
            done.length = std::max(shorter * h, time.smallest_step);
            continue;
          }
        process.accept();
        ++done.steps;
        done.time += h;
        last = h;
        if (time.is_adaptive)
          {
            const double longer =
              step.error > 0.
                ? 0.9 * std::pow(time.tolerance / step.error, 1. / (order + 1))
                : 2.;
            // A little longer is not worth other matrices.
            constexpr double worthwhile = 1.2;
            const double     factor     = longer > 1. && longer < worthwhile
                                            ? 1.
                                            : std::clamp(longer, 0.3, 2.);
            done.length = std::clamp(std::max(h, done.length) * factor,
                                     time.smallest_step,
                                     time.largest_step);
          }
        else // after halved steps
          done.length = std::min(time.step, 2. * done.length);

        const bool is_last = has_come(done.time, time.end, time.step);
        if (has_come(done.time, due(done.rows, time.rows_every), h) || is_last)
          record_row();
        if (has_come(done.time, due(done.shapes, shapes_every), h) || is_last)
          record_shape();
        progress.advance();
      }

    std::ostringstream words;
    words << std::setprecision(6) << "grew until time " << done.time << " in "
          << done.steps << " steps; the shell has moved by at most "
          << find_measurement(shell.measure(follower->state()),
                              "largest displacement");
    result.summary.answer = words.str();
    return result;
  }
} // namespace slender

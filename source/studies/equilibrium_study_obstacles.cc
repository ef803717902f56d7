// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/interruption.h>
#include <slender/base/progress.h>
#include <slender/dynamics/frictional_equilibrium.h>
#include <slender/output/recorder.h>
#include <slender/statics/equilibrium.h>
#include <slender/studies/contact_recording.h>
#include <slender/studies/equilibrium_study.h>
#include <slender/studies/recording.h>
#include <slender/studies/saved_state.h>
#include <slender/systems/sole_support.h>

#include <cmath>
#include <sstream>

namespace slender
{
  StudyResult
  EquilibriumStudy::run_among_obstacles(Workplace &workplace)
  {
    StudyResult                  result;
    MPI_Comm                     group    = workplace.groups.group();
    Recorder                    &recorder = workplace.recorder;
    const std::unique_ptr<Model> model    = body->build(workplace.model, group);
    Obstacles in_the_way = obstacles.make(obstacles.length_of(*model));
    FrictionalEquilibrium solver(
      *model, in_the_way, newton, [&](const double part) {
        for (const LoadTarget &load : body->loads())
          model->set_parameter(load.parameter, part * load.value);
        for (Obstacle &obstacle : in_the_way)
          obstacle.shift = part * obstacle.velocity;
      });
    Progress progress(workplace.progress,
                      workplace.progress_is_terminal,
                      "equilibrium",
                      n_steps);

    std::vector<std::string> columns = {"step", "load"};
    for (const Measurement &m : model->measure(model->initial_state()))
      columns.push_back(column_name(m.name));
    columns.insert(columns.end(),
                   {"negative_eigenvalues",
                    "contacts",
                    "slipping",
                    "pressure",
                    "force_x",
                    "force_y",
                    "force_z",
                    "moved",
                    "iterations"});
    recorder.begin_table(recorded::results, columns);
    begin_contact_table(recorder);
    recorder.begin_series(recorded::shapes, "part of the load [1]");

    Equilibrium found;
    found.q                                = model->initial_state();
    int                      step          = 0; // the last that is done
    Index                    most_unstable = 0;
    long                     motions       = 0;
    std::vector<Measurement> measured      = model->measure(found.q);
    const auto               record        = [&] {
      measured = measure(*model, found);
      if (!found.converged())
        return;
      const ContactSums sums = sum_of_contacts(group, solver.contacts());
      let_support_bear(*model, sums.force, measured);
      const double load = static_cast<double>(step) / n_steps;
      Table::Row   row  = {static_cast<long>(step), load};
      for (const Measurement &m : measured)
        row.emplace_back(m.value);
      if (counts_signs && step > 0)
        {
          const Index n = solver.n_negative();
          most_unstable = std::max(most_unstable, n);
          row.emplace_back(static_cast<long>(n));
        }
      else
        row.emplace_back(Table::unknown);
      row.insert(row.end(),
                 {sums.touching,
                  sums.slipping,
                  sums.pressure,
                  sums.force(0),
                  sums.force(1),
                  sums.force(2),
                  solver.has_moved() ? 1L : 0L,
                  static_cast<long>(found.iterations)});
      record_contacts(recorder,
                      group,
                      load,
                      in_the_way,
                      solver.contacts(),
                      solver.points().places(found.q));
      recorder.row(recorded::results, row);
      recorder.shape(recorded::shapes, step, load, model->draw(found.q), group);
      recorder.count(recorded::samples);
      recorder.count(recorded::iterations, found.iterations);
      motions += solver.has_moved() ? 1 : 0;
      progress.advance();
    };
    if (const auto checkpoint = recorder.last_checkpoint(group))
      {
        const State state = saved_state::get_state(*checkpoint, "body", *model);
        model->set_state(state);
        found.q = state.q;
        step    = static_cast<int>(checkpoint->count("step"));
        // What is remarked at the end is remarked of the whole run.
        const std::vector<double> seen = checkpoint->numbers("seen", 2);
        motions                        = std::lround(seen[0]);
        most_unstable = static_cast<Index>(std::lround(seen[1]));
        measured      = model->measure(found.q);
      }
    else
      record();
    while (step < n_steps && found.converged())
      {
        const bool asked = interruption_requested(group);
        if (workplace.clock.is_due(group) || asked)
          {
            Archive archive;
            saved_state::put(archive, "body", *model, model->state(found.q));
            archive.numbers["step"].values = {static_cast<double>(step)};
            archive.numbers["seen"].values = {
              static_cast<double>(motions), static_cast<double>(most_unstable)};
            recorder.checkpoint(archive, group);
          }
        if (asked)
          {
            result.is_interrupted = true;
            return result;
          }
        const Equilibrium next =
          solver.go(found.q,
                    static_cast<double>(step) / n_steps,
                    static_cast<double>(step + 1) / n_steps);
        // It is told so again above, where what was found is kept.
        if (solver.was_interrupted())
          continue;
        found = next;
        if (!found.converged())
          break;
        ++step;
        record();
      }
    if (!found.converged())
      {
        std::ostringstream line;
        line << "stopped after " << 100. * step / n_steps
             << " % of the load: there is no equilibrium near by, and a motion "
                "from there does not come to rest either; what neither "
                "supports nor friction hold slides or falls on";
        report_failure(recorder, line.str());
      }
    if (motions > 0)
      {
        std::ostringstream line;
        line << "in " << motions
             << " steps there was no equilibrium near by, and a motion led to "
                "the next one";
        report_remark(recorder, line.str());
      }
    if (most_unstable > 0)
      report_remark(recorder,
                    "some of these equilibria are unstable where contacts "
                    "hold: see negative_eigenvalues");
    result.summary.answer = in_words(measured, step, {}, {});
    return result;
  }
} // namespace slender

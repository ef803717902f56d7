// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/interruption.h>
#include <slender/output/recorder.h>
#include <slender/studies/load_steps.h>
#include <slender/studies/recording.h>
#include <slender/studies/saved_state.h>

#include <sstream>

namespace slender
{
  bool
  LoadSteps::go(Workplace   &workplace,
                const int    last_step,
                Equilibrium &found,
                int         &step) const
  {
    MPI_Comm  group    = workplace.groups.group();
    Recorder &recorder = workplace.recorder;
    while (step < last_step && found.converged())
      {
        const bool asked = interruption_requested(group);
        if (workplace.clock.is_due(group) || asked)
          {
            Archive archive;
            saved_state::put(archive, "body", model, model.state(found.q));
            save(archive, step);
            recorder.checkpoint(archive, group);
          }
        if (asked)
          return false;
        const double            load = static_cast<double>(step + 1) / n_steps;
        std::vector<LoadTarget> targets;
        for (const auto &[parameter, value] : body.loads())
          targets.push_back({parameter, load * value});
        found = solver.load(found.q, targets);
        if (found.converged())
          record(found, ++step);
      }
    if (!found.converged())
      {
        std::ostringstream line;
        line << "stopped after " << 100. * step / n_steps
             << " % of the load: " << to_string(found.outcome);
        report_failure(recorder, line.str());
      }
    return true;
  }
} // namespace slender

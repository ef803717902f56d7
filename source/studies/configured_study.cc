// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/parameter_file.h>
#include <slender/studies/configured_study.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/parameter_handler.h>

#include <cmath>
#include <ctime>

namespace slender
{
  namespace
  {
    int
    size_of(MPI_Comm communicator)
    {
      return static_cast<int>(
        dealii::Utilities::MPI::n_mpi_processes(communicator));
    }
  } // namespace

  ConfiguredStudy::ConfiguredStudy(const std::string              &study_name,
                                   const std::string              &name,
                                   const std::vector<std::string> &settings)
    : model_name(name)
    , study(find_study(study_name).make())
    , model(find_model(name).make_builder())
  {
    ParameterFile file;
    for (const std::string &setting : settings)
      file.add_override(setting);
    study->set_body_kind(model->body_kind());
    study->set_sections(file.sections());
    dealii::ParameterHandler prm;
    study->declare(prm);
    model->declare(prm);
    file.apply_to(prm);
    study->check();
  }

  void
  ConfiguredStudy::rehearse(MPI_Comm communicator) const
  {
    const Groups    groups(communicator, size_of(communicator));
    MemoryRecorder  nothing_is_recorded;
    const Workplace workplace{groups, *model, model_name, nothing_is_recorded};
    study->rehearse(workplace);
  }

  void
  ConfiguredStudy::run(MPI_Comm communicator, Outcome &outcome)
  {
    const Groups groups(communicator, size_of(communicator));
    Workplace    workplace{groups, *model, model_name, outcome.recorded};
    // Of the processor: the machine may have other things to do.
    const std::clock_t start  = std::clock();
    StudyResult        result = study->run(workplace);
    outcome.is_interrupted =
      dealii::Utilities::MPI::broadcast(communicator, result.is_interrupted);
    const auto counted = [&](const char *name) {
      return std::lround(outcome.recorded.counted(name));
    };
    outcome.summary                   = std::move(result.summary);
    outcome.summary.samples           = counted(recorded::samples);
    outcome.summary.failed            = counted(recorded::failed);
    outcome.summary.newton_iterations = counted(recorded::iterations);
    outcome.summary.seconds =
      static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  }
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_configured_study_h
#define slender_studies_configured_study_h

#include <slender/output/memory_recorder.h>
#include <slender/studies/study.h>

#include <memory>
#include <string>
#include <vector>

namespace slender
{
  /**
   * A study with its model and its settings, given as on the command line and
   * not in a file: for studies that consist of others.
   */
  class ConfiguredStudy
  {
  public:
    /// @param settings "Section/Name=value". Throws InputError as a file with
    ///        them would.
    ConfiguredStudy(const std::string              &study,
                    const std::string              &model,
                    const std::vector<std::string> &settings);

    /// Builds the body; see Study::rehearse().
    void
    rehearse(MPI_Comm communicator) const;

    /// What came of it, with the same counts as in a run of its own; on the
    /// first rank of the communicator.
    struct Outcome
    {
      Summary        summary;
      bool           is_interrupted = false; ///< on all ranks
      MemoryRecorder recorded;
    };

    /// Runs it on all ranks of a communicator, which share one body, and keeps
    /// what it records in memory.
    void
    run(MPI_Comm communicator, Outcome &outcome);

  private:
    std::string                   model_name;
    std::unique_ptr<Study>        study;
    std::unique_ptr<ModelBuilder> model;
  };
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_app_setup_h
#define slender_app_setup_h

#include <slender/app/command_line.h>
#include <slender/app/ranks_per_sample.h>
#include <slender/base/errors.h>
#include <slender/base/parameter_file.h>
#include <slender/studies/study.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace slender
{
  /// The parameters that every file has, outside of any section.
  struct GeneralParameters
  {
    std::string study; ///< has to be in the file, like the model
    std::string model; ///< not in files of studies that have their own
    std::string output;
    bool        fail_on_ko         = false;
    std::string ranks_per_sample   = "automatic";
    double      checkpoint_minutes = 1.;
    int         checkpoint_steps   = 0;

    /// Those that have an effect on a study.
    void
    declare(dealii::ParameterHandler &prm, const Study &study);

    /// All of them.
    void
    declare(dealii::ParameterHandler &prm);

    /// None if the program is to choose. Throws InputError.
    std::optional<int>
    given_ranks_per_sample() const;

  private:
    void
    declare(dealii::ParameterHandler &prm, bool with_model);
  };

  /// A parameter file, read and checked: all that a run needs.
  class Setup
  {
  public:
    explicit Setup(const CommandLine &command);

    /// All that a run does before it computes: bodies are built, and what was
    /// said of them is checked. Throws InputError, on all ranks alike.
    void
    rehearse(const Groups &groups) const;

    /// The same on the first rank alone, which tells all how large the bodies
    /// are.
    BodySize
    rehearse_alone(MPI_Comm world) const;

    std::string
    used_parameters();

    GeneralParameters             general;
    std::unique_ptr<Study>        study;
    std::unique_ptr<ModelBuilder> model;
    std::filesystem::path         output;
    ParameterFile                 file;

    /// Lines about what may not have been meant.
    std::vector<std::string> warnings;

  private:
    /// What the study has against its settings; empty if nothing.
    std::string
    complaint(const Groups &groups, const ModelBuilder &builder) const;

    /// The value of a parameter that every file has to have.
    std::string
    required(const std::string &name, const std::string &example) const;

    std::unique_ptr<Study>
    make_study() const;

    std::unique_ptr<ModelBuilder>
    make_model() const;

    /// Whether the study has its own models; throws InputError if the file
    /// says something of a model all the same.
    bool
    refuse_model_of_own_models() const;

    /// Throws InputError if there is no verdict that the run could fail by.
    void
    check_verdict() const;

    /// Who types a setting of another model means it to matter.
    void
    warn_of_other_models();

    /// Sections of the models that were not chosen may stay in the file, so
    /// that a model can be exchanged by one line.
    std::vector<std::string>
    check_other_sections();

    bool                     has_own_models = false;
    std::vector<std::string> other_sections;
  };

  /// Adds to a complaint where the blamed parameter was set.
  [[noreturn]] void
  rethrow_with_origin(const InputError &error, const ParameterFile &file);
} // namespace slender

#endif

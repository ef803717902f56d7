// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_app_setup_h
#define slender_app_setup_h

#include <slender/app/command_line.h>
#include <slender/base/errors.h>
#include <slender/base/parameter_file.h>
#include <slender/studies/study.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace slender
{
  /// The parameters that every file has, outside of any section.
  struct GeneralParameters
  {
    std::string study; ///< has to be in the file, like the model
    std::string model;
    std::string output;
    bool        fail_on_ko         = false;
    int         ranks_per_sample   = 1;
    double      checkpoint_minutes = 1.;
    int         checkpoint_steps   = 0;

    void
    declare(dealii::ParameterHandler &prm);
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
    /// The value of a parameter that every file has to have.
    std::string
    required(const std::string &name, const std::string &example) const;

    std::unique_ptr<Study>
    make_study() const;

    /// Sections of the models that were not chosen may stay in the file, so
    /// that a model can be exchanged by one line.
    std::vector<std::string>
    check_other_sections();

    std::vector<std::string> other_sections;
  };

  /// Adds to a complaint where the blamed parameter was set.
  [[noreturn]] void
  rethrow_with_origin(const InputError &error, const ParameterFile &file);
} // namespace slender

#endif

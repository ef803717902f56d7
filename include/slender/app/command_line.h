// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_app_command_line_h
#define slender_app_command_line_h

#include <optional>
#include <string>
#include <vector>

namespace slender
{
  /// What the command line asks for.
  struct CommandLine
  {
    enum class Action
    {
      run,
      validate,
      describe,
      score,
      fit,
      list,
      reference,
      version,
      help
    };

    Action                   action = Action::run;
    std::string              file;      ///< of run
    std::vector<std::string> files;     ///< of validate, score and fit
    std::string              name;      ///< of describe
    std::vector<std::string> overrides; ///< "Section/Name=value"
    std::string              output;    ///< empty if not given
    bool                     resumes         = false;
    bool                     accepts_changes = false; ///< of the parameters
    bool                     is_template     = false; ///< of score
    std::optional<double>    noise;                   ///< of fit

    /// Throws InputError for anything it does not know.
    static CommandLine
    parse(const std::vector<std::string> &arguments);

    static const char *
    usage();
  };
} // namespace slender

#endif

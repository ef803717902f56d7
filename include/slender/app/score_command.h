// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_app_score_command_h
#define slender_app_score_command_h

#include <slender/app/command_line.h>
#include <slender/app/program.h>

#include <iosfwd>

namespace slender
{
  /// --score: somebody's samples against a master curve; --score --template:
  /// an example of such a file. Throws InputError or DiskError.
  ExitCode
  score_command(const CommandLine &command, std::ostream &out);

  /// --fit: the bending stiffness that measured droops tell.
  ExitCode
  fit_command(const CommandLine &command, std::ostream &out);
} // namespace slender

#endif

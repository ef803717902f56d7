// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_app_program_h
#define slender_app_program_h

#include <slender/app/command_line.h>

#include <mpi.h>

#include <iosfwd>

namespace slender
{
  enum ExitCode
  {
    finished    = 0,
    wrong_input = 1,
    incomplete  = 2, ///< some samples failed
    judged_ko   = 3, ///< and the user wants that to count as a failure
    interrupted = 4  ///< by SIGTERM or SIGINT; it can be resumed
  };

  /// Whether no body has to be built or computed for an answer: then no MPI is
  /// needed.
  bool
  answers_at_once(const CommandLine &command);

  /// The answer. Throws InputError if there is none.
  ExitCode
  answer(const CommandLine &command, std::ostream &out);

  /// Does what the command line asks for otherwise; collective over the
  /// communicator. Throws InputError, on all ranks alike, if the input is
  /// wrong.
  ExitCode
  run_program(const CommandLine &command, MPI_Comm communicator);
} // namespace slender

#endif

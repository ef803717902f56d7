// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_app_program_h
#define slender_app_program_h

#include <slender/app/command_line.h>

#include <mpi.h>

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

  /// Does what the command line asks for; collective over the communicator.
  /// Throws InputError, on all ranks alike, if the input is wrong.
  ExitCode
  run_program(const CommandLine &command, MPI_Comm communicator);
} // namespace slender

#endif

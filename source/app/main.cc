// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/app/environment.h>
#include <slender/app/program.h>
#include <slender/base/errors.h>
#include <slender/base/interruption.h>
#include <slender/base/printable.h>
#include <slender/solvers/petsc.h>

#include <deal.II/base/mpi.h>

#include <iostream>

namespace
{
  using namespace slender;

  /// Whatever names of files and values are in it: one line of plain text.
  void
  say(const std::string &line)
  {
    std::cerr << "slender_fem: " << printable(line) << std::endl;
  }

  /// MPI and all that is started with it.
  ExitCode
  compute(const CommandLine &command)
  {
    environment::prepare_mpi();
    // PETSc would take our options for its own ("--help", "--version"). And it
    // would obey a file .petscrc in the working directory, whose options change
    // results and start programs.
    char   name[] = "slender_fem", skip_files[] = "-skip_petscrc";
    char  *arguments[] = {name, skip_files, nullptr};
    char **argv        = arguments;
    int    n_arguments = 2;
    dealii::Utilities::MPI::MPI_InitFinalize mpi(n_arguments, argv, 1);

    petsc::silence_error_messages();
    handle_interruptions();

    const MPI_Comm world = MPI_COMM_WORLD;
    try
      {
        return run_program(command, world);
      }
    catch (const InputError &error)
      {
        // All ranks have read the same input and end here together.
        if (dealii::Utilities::MPI::this_mpi_process(world) == 0)
          say(error.what());
        return wrong_input;
      }
    catch (const std::exception &error)
      {
        say(error.what());
        // Perhaps this rank alone: others must not wait for it.
        if (dealii::Utilities::MPI::n_mpi_processes(world) > 1)
          MPI_Abort(world, incomplete);
        return incomplete;
      }
  }
} // namespace

int
main(int argc, char **argv)
{
  open_closed_streams();
  CommandLine command;
  try
    {
      command = CommandLine::parse({argv + 1, argv + argc});
      if (answers_at_once(command))
        {
          return environment::is_first_process() ? answer(command, std::cout)
                                                 : finished;
        }
      environment::check();
    }
  catch (const InputError &error)
    {
      // A launcher ends all processes when one of them fails: the first one
      // has to have spoken by then, and alone fails.
      if (!environment::is_first_process())
        return finished;
      say(error.what());
      return wrong_input;
    }
  return compute(command);
}

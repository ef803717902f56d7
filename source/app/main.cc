// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/app/program.h>
#include <slender/base/errors.h>
#include <slender/base/interruption.h>
#include <slender/solvers/petsc.h>

#include <deal.II/base/mpi.h>

#include <iostream>

int
main(int argc, char **argv)
{
  // PETSc would take our options for its own ("--help", "--version").
  int                                      no_arguments = 1;
  dealii::Utilities::MPI::MPI_InitFinalize mpi(no_arguments, argv, 1);

  slender::petsc::silence_error_messages();
  slender::handle_interruptions();

  const MPI_Comm world = MPI_COMM_WORLD;
  const auto     say   = [world](const std::string &line) {
    if (dealii::Utilities::MPI::this_mpi_process(world) == 0)
      std::cerr << "slender_fem: " << line << std::endl;
  };
  try
    {
      return slender::run_program(
        slender::CommandLine::parse({argv + 1, argv + argc}), world);
    }
  catch (const slender::InputError &error)
    {
      // All ranks have read the same input and end here together.
      say(error.what());
      return slender::wrong_input;
    }
  catch (const std::exception &error)
    {
      std::cerr << "slender_fem: " << error.what() << std::endl;
      // Perhaps this rank alone: others must not wait for it.
      if (dealii::Utilities::MPI::n_mpi_processes(world) > 1)
        MPI_Abort(world, slender::incomplete);
      return slender::incomplete;
    }
}

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/app/describe.h>
#include <slender/app/program.h>
#include <slender/app/run.h>
#include <slender/app/version.h>

#include <deal.II/base/mpi.h>

#include <iostream>

namespace slender
{
  namespace
  {
    ExitCode
    run(const CommandLine &command, MPI_Comm communicator)
    {
      Setup setup(command);
      // Whether the ranks can be split is part of the input, too.
      const auto groups = [&] {
        try
          {
            return std::make_unique<Groups>(communicator,
                                            setup.general.ranks_per_sample);
          }
        catch (const InputError &error)
          {
            rethrow_with_origin(error, setup.file);
          }
      }();
      return run_study(command, setup, *groups);
    }
  } // namespace

  ExitCode
  run_program(const CommandLine &command, MPI_Comm communicator)
  {
    if (command.action == CommandLine::Action::run)
      return run(command, communicator);

    const bool is_first =
      dealii::Utilities::MPI::this_mpi_process(communicator) == 0;
    switch (command.action)
      {
        case CommandLine::Action::validate:
          Setup{command};
          if (is_first)
            std::cout << command.file << ": valid" << std::endl;
          break;
        case CommandLine::Action::describe:
          if (is_first)
            describe(command.name, std::cout);
          break;
        case CommandLine::Action::list:
          if (is_first)
            print_list(std::cout);
          break;
        case CommandLine::Action::version:
          if (is_first)
            std::cout << all_versions();
          break;
        default:
          if (is_first)
            std::cout << CommandLine::usage();
      }
    return finished;
  }
} // namespace slender

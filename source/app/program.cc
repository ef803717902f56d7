// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/app/describe.h>
#include <slender/app/program.h>
#include <slender/app/reference.h>
#include <slender/app/run.h>
#include <slender/app/score_command.h>
#include <slender/app/version.h>
#include <slender/base/printable.h>

#include <deal.II/base/mpi.h>

#include <iostream>

namespace slender
{
  namespace
  {
    /// Whether the ranks can be split is part of the input, too.
    std::unique_ptr<Groups>
    make_groups(const Setup &setup, MPI_Comm communicator, const int ranks)
    {
      try
        {
          return std::make_unique<Groups>(communicator, ranks);
        }
      catch (const InputError &error)
        {
          rethrow_with_origin(error, setup.file);
        }
    }

    int
    size_of(MPI_Comm communicator)
    {
      return static_cast<int>(
        dealii::Utilities::MPI::n_mpi_processes(communicator));
    }

    /// The groups for a run, with everything rehearsed.
    std::unique_ptr<Groups>
    rehearse(const Setup &setup, MPI_Comm communicator, const bool is_resumed)
    {
      const int  n_ranks = size_of(communicator);
      const auto given   = setup.general.given_ranks_per_sample();
      if (!given && n_ranks > 1)
        return make_groups(setup,
                           communicator,
                           choose_ranks_per_sample(n_ranks,
                                                   setup.study->n_pieces(),
                                                   setup.rehearse_alone(
                                                     communicator)));
      auto groups = make_groups(setup, communicator, given.value_or(1));
      // A run that is resumed has been rehearsed when it began.
      if (!is_resumed)
        setup.rehearse(*groups);
      return groups;
    }

    void
    print_warnings(const Setup &setup, const bool is_first_rank)
    {
      if (is_first_rank)
        for (const std::string &line : setup.warnings)
          std::cerr << "slender_fem: warning: " << printable(line) << std::endl;
    }

    void
    validate_one(const CommandLine &command, MPI_Comm communicator)
    {
      Setup setup(command);
      // A file for many ranks is checked on any number of them.
      const int  n_ranks = size_of(communicator);
      const auto given   = setup.general.given_ranks_per_sample();
      const bool fits    = n_ranks % given.value_or(1) == 0;
      if (!fits)
        setup.general.ranks_per_sample = std::to_string(n_ranks);
      const auto groups = rehearse(setup, communicator, false);
      print_warnings(setup, groups->is_first_rank());
      if (groups->is_first_rank())
        std::cout << printable(command.file) << ": valid"
                  << (fits ? "" : ", on a multiple of its 'Ranks per sample'")
                  << std::endl;
    }

    /// Of several files all are checked, and each complaint names its own.
    ExitCode
    validate(const CommandLine &command, MPI_Comm communicator)
    {
      CommandLine one = command;
      one.file        = command.files.front();
      if (command.files.size() == 1)
        {
          validate_one(one, communicator);
          return finished;
        }
      ExitCode code = finished;
      for (const std::string &file : command.files)
        try
          {
            one.file = file;
            validate_one(one, communicator);
          }
        catch (const InputError &error)
          {
            const std::string line       = error.what();
            const bool        names_file = line.rfind(file + ":", 0) == 0;
            if (dealii::Utilities::MPI::this_mpi_process(communicator) == 0)
              std::cerr << "slender_fem: "
                        << printable((names_file ? "" : file + ": ") + line)
                        << std::endl;
            code = wrong_input;
          }
      return code;
    }

    ExitCode
    run(const CommandLine &command, MPI_Comm communicator)
    {
      Setup      setup(command);
      const auto groups = rehearse(setup, communicator, command.resumes);
      print_warnings(setup, groups->is_first_rank());
      return run_study(command, setup, *groups);
    }
  } // namespace

  bool
  answers_at_once(const CommandLine &command)
  {
    return command.action != CommandLine::Action::run &&
           command.action != CommandLine::Action::validate;
  }

  ExitCode
  answer(const CommandLine &command, std::ostream &out)
  {
    ExitCode code = finished;
    switch (command.action)
      {
        case CommandLine::Action::describe:
          describe(command.name, out);
          break;
        case CommandLine::Action::list:
          print_list(out);
          break;
        case CommandLine::Action::reference:
          print_reference(out);
          break;
        case CommandLine::Action::score:
          code = score_command(command, out);
          break;
        case CommandLine::Action::fit:
          code = fit_command(command, out);
          break;
        case CommandLine::Action::version:
          out << all_versions();
          break;
        default:
          out << CommandLine::usage();
      }
    out.flush();
    return code;
  }

  ExitCode
  run_program(const CommandLine &command, MPI_Comm communicator)
  {
    return command.action == CommandLine::Action::validate
             ? validate(command, communicator)
             : run(command, communicator);
  }
} // namespace slender

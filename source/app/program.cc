// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/app/describe.h>
#include <slender/app/program.h>
#include <slender/app/setup.h>
#include <slender/app/version.h>
#include <slender/base/printable.h>
#include <slender/output/run_directory.h>
#include <slender/output/vtu.h>

#include <deal.II/base/mpi.h>

#include <chrono>
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <unistd.h>

namespace slender
{
  namespace
  {
    /// Lines for the user and for log.txt.
    class Log
    {
    public:
      explicit Log(const bool is_first_rank)
        : is_active(is_first_rank)
      {}

      void
      operator()(const std::string &line)
      {
        if (!is_active)
          return;
        std::cout << line << std::endl;
        text << line << '\n';
      }

      std::string
      all() const
      {
        return text.str();
      }

    private:
      bool               is_active;
      std::ostringstream text;
    };

    void
    write_series(RunDirectory &directory, const Series &series)
    {
      std::vector<std::pair<double, std::string>> files;
      for (std::size_t i = 0; i < series.items.size(); ++i)
        {
          std::ostringstream name;
          name << series.name << '_' << std::setw(4) << std::setfill('0') << i
               << ".vtu";
          files.emplace_back(series.items[i].time, name.str());
          directory.write(std::filesystem::path("fields") / name.str(),
                          [&](std::ostream &out) {
                            write_vtu(out, series.items[i].drawing);
                          });
        }
      directory.write(std::filesystem::path("fields") / (series.name + ".pvd"),
                      [&](std::ostream &out) { write_pvd(out, files); });
    }

    std::string
    closing_line(const Summary &summary)
    {
      std::ostringstream out;
      out << summary.study << ", " << summary.model << ": " << summary.samples
          << (summary.samples == 1 ? " sample" : " samples");
      if (summary.failed > 0)
        out << ", " << summary.failed << " failed";
      if (summary.verdict != Verdict::none)
        out << ", verdict " << to_string(summary.verdict);
      out << std::setprecision(3);
      if (summary.distance)
        out << ", distance " << 100. * *summary.distance << " % of the plot";
      if (summary.max_relative_error)
        out << ", max relative error " << *summary.max_relative_error;
      out << ", " << summary.seconds << " s";
      return out.str();
    }

    /// Only the first rank can claim the directory; all have to know whether
    /// it could.
    std::unique_ptr<RunDirectory>
    claim_directory(const std::filesystem::path &path, MPI_Comm communicator)
    {
      std::unique_ptr<RunDirectory> directory;
      std::string                   complaint;
      if (dealii::Utilities::MPI::this_mpi_process(communicator) == 0)
        try
          {
            directory = std::make_unique<RunDirectory>(path);
          }
        catch (const InputError &error)
          {
            complaint = error.what();
          }
      complaint = dealii::Utilities::MPI::broadcast(communicator, complaint);
      if (!complaint.empty())
        throw InputError(complaint);
      return directory;
    }

    /// Whether the ranks can be split is part of the input, too.
    std::unique_ptr<Groups>
    make_groups(const Setup &setup, MPI_Comm communicator)
    {
      try
        {
          return std::make_unique<Groups>(communicator,
                                          setup.general.ranks_per_sample);
        }
      catch (const InputError &error)
        {
          rethrow_with_origin(error, setup.file);
        }
    }

    void
    print_warnings(const Setup &setup, const bool is_first_rank)
    {
      if (is_first_rank)
        for (const std::string &line : setup.warnings)
          std::cerr << "slender_fem: warning: " << printable(line) << std::endl;
    }

    ExitCode
    validate(const CommandLine &command, MPI_Comm communicator)
    {
      Setup setup(command);
      // A file for many ranks is checked on any number of them.
      const int n_ranks =
        static_cast<int>(dealii::Utilities::MPI::n_mpi_processes(communicator));
      const bool fits = n_ranks % setup.general.ranks_per_sample == 0;
      if (!fits)
        setup.general.ranks_per_sample = n_ranks;
      const auto groups = make_groups(setup, communicator);
      setup.rehearse(*groups);
      print_warnings(setup, groups->is_first_rank());
      if (groups->is_first_rank())
        std::cout << printable(command.file) << ": valid"
                  << (fits ? "" : ", on a multiple of its 'Ranks per sample'")
                  << std::endl;
      return finished;
    }

    ExitCode
    run_study(const CommandLine &command, MPI_Comm communicator)
    {
      using Clock                   = std::chrono::steady_clock;
      const Clock::time_point start = Clock::now();

      Setup      setup(command);
      const auto groups = make_groups(setup, communicator);
      setup.rehearse(*groups);
      const std::unique_ptr<RunDirectory> directory =
        claim_directory(setup.output, communicator);

      const bool is_first = groups->is_first_rank();
      print_warnings(setup, is_first);
      Log log(is_first);
      log("slender_fem " + program_version() + ": " + setup.general.study +
          " with " + setup.general.model + " on " +
          std::to_string(groups->n_ranks()) +
          (groups->n_ranks() == 1 ? " rank" : " ranks"));

      const Workplace workplace{*groups,
                                *setup.model,
                                setup.general.model,
                                is_first ? &std::cerr : nullptr,
                                isatty(fileno(stderr)) != 0,
                                [&log](const std::string &line) { log(line); }};
      StudyResult     result = setup.study->run(workplace);

      ExitCode code = finished;
      if (is_first)
        {
          Summary &summary = result.summary;
          summary.study    = setup.general.study;
          summary.model    = setup.general.model;
          summary.ranks    = groups->n_ranks();
          summary.version  = program_version();
          summary.seconds =
            std::chrono::duration<double>(Clock::now() - start).count();
          log(closing_line(summary));

          directory->write("results.csv", [&](std::ostream &out) {
            result.results.write_csv(out);
          });
          if (result.frontier)
            directory->write("frontier.csv", [&](std::ostream &out) {
              result.frontier->write_csv(out);
            });
          if (!result.solutions.empty())
            directory->write(Solutions::file_name, [&](std::ostream &out) {
              write_json(out,
                         {setup.general.model,
                          setup.general.ranks_per_sample,
                          result.solutions});
            });
          for (const Series &series : result.series)
            if (!series.items.empty())
              write_series(*directory, series);
          directory->write("used.prm", [&](std::ostream &out) {
            out << setup.used_parameters();
          });
          directory->write("log.txt",
                           [&](std::ostream &out) { out << log.all(); });
          directory->write("summary.json", [&](std::ostream &out) {
            write_json(out, summary);
          });
          directory->finish();
          std::cout << "results: " << printable(directory->path().string())
                    << std::endl;

          if (summary.failed > 0)
            code = incomplete;
          else if (summary.verdict == Verdict::KO && setup.general.fail_on_ko)
            code = judged_ko;
        }
      return static_cast<ExitCode>(
        dealii::Utilities::MPI::broadcast(communicator,
                                          static_cast<int>(code)));
    }
  } // namespace

  bool
  answers_at_once(const CommandLine &command)
  {
    return command.action != CommandLine::Action::run &&
           command.action != CommandLine::Action::validate;
  }

  void
  answer(const CommandLine &command, std::ostream &out)
  {
    switch (command.action)
      {
        case CommandLine::Action::describe:
          describe(command.name, out);
          break;
        case CommandLine::Action::list:
          print_list(out);
          break;
        case CommandLine::Action::version:
          out << all_versions();
          break;
        default:
          out << CommandLine::usage();
      }
    out.flush();
  }

  ExitCode
  run_program(const CommandLine &command, MPI_Comm communicator)
  {
    return command.action == CommandLine::Action::validate
             ? validate(command, communicator)
             : run_study(command, communicator);
  }
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/app/run.h>
#include <slender/app/version.h>
#include <slender/base/agreement.h>
#include <slender/base/interruption.h>
#include <slender/base/quiet_wait.h>
#include <slender/output/file_recorder.h>
#include <slender/output/journal.h>
#include <slender/output/run_directory.h>

#include <deal.II/base/mpi.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <unistd.h>

namespace slender
{
  namespace
  {
    constexpr const char *used_parameters_name = "used.prm";

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

    /// Settings that may change from one session of a run to the next.
    bool
    is_free_to_change(const std::string &line)
    {
      for (const char *name : {"set Output directory",
                               "set Checkpoint every",
                               "set Ranks per sample"})
        if (line.find(name) != std::string::npos)
          return true;
      return false;
    }

    /// The lines that count, without spaces at their ends.
    std::vector<std::string>
    settings_of(std::istream &text)
    {
      std::vector<std::string> lines;
      for (std::string line; std::getline(text, line);)
        {
          line.erase(std::min(line.find('#'), line.size()));
          const auto first = line.find_first_not_of(" \t");
          const auto last  = line.find_last_not_of(" \t");
          if (first != std::string::npos && !is_free_to_change(line))
            lines.push_back(line.substr(first, last - first + 1));
        }
      return lines;
    }

    /// Throws InputError with the first setting that is not what it was when
    /// the run began.
    void
    require_same_parameters(const std::filesystem::path &earlier_file,
                            const std::string           &present_text)
    {
      std::ifstream      earlier_text(earlier_file);
      std::istringstream present_stream(present_text);
      const auto         earlier = settings_of(earlier_text);
      const auto         present = settings_of(present_stream);
      const auto [before, now]   = std::mismatch(earlier.begin(),
                                               earlier.end(),
                                               present.begin(),
                                               present.end());
      if (before == earlier.end() && now == present.end())
        return;
      throw InputError(
        "the parameters have changed since the run began: '" +
        (now == present.end() ? std::string("nothing") : *now) +
        "' instead of '" +
        (before == earlier.end() ? std::string("nothing") : *before) +
        "'; start it anew, or take it up all the same with --resume-changed");
    }

    /// Only the first rank has the directory; all learn whether it could.
    std::unique_ptr<RunDirectory>
    open_directory(const CommandLine &command,
                   Setup             &setup,
                   const Groups      &groups)
    {
      std::unique_ptr<RunDirectory> directory;
      do_on_all_or_none(groups.world(), [&] {
        if (!groups.is_first_rank())
          return;
        directory =
          std::make_unique<RunDirectory>(setup.output,
                                         command.resumes
                                           ? RunDirectory::Begin::resume
                                           : RunDirectory::Begin::anew);
        const std::string text = setup.used_parameters();
        if (command.resumes && !command.accepts_changes)
          require_same_parameters(directory->unfinished_path() /
                                    used_parameters_name,
                                  text);
        directory->write(used_parameters_name,
                         [&](std::ostream &out) { out << text; });
      });
      return directory;
    }

    /// A study may find only when it has built the body that the input cannot
    /// be right, and may have built it on some ranks only.
    StudyResult
    run_or_complain(Setup &setup, Workplace &workplace)
    {
      StudyResult result;
      do_on_all_or_none(workplace.groups.world(), [&] {
        // Ranks that are done, or have nothing to do, leave the processor to
        // the others.
        const QuietMeeting meeting(workplace.groups.world());
        try
          {
            result = setup.study->run(workplace);
          }
        catch (const InputError &error)
          {
            rethrow_with_origin(error, setup.file);
          }
      });
      return result;
    }

    std::string
    how_to_resume(const CommandLine &command)
    {
      std::string line = "slender_fem " + command.file;
      for (const std::string &assignment : command.overrides)
        line += " --set \"" + assignment + "\"";
      if (!command.output.empty())
        line += " --output " + command.output;
      return line + " --resume";
    }

    /// Who works on what, where that is not plain; else empty.
    std::string
    how_ranks_share(const Setup &setup, const Groups &groups)
    {
      const int per_body = groups.n_ranks() / groups.n_groups();
      const int n_idle =
        groups.n_ranks() -
        per_body * std::min(groups.n_groups(), setup.study->n_pieces());
      std::string text;
      if (per_body > 1)
        text = std::to_string(per_body) + " ranks share a body";
      if (n_idle > 0)
        text += (text.empty() ? "" : "; ") + std::to_string(n_idle) + " of " +
                std::to_string(groups.n_ranks()) +
                " ranks have nothing to do: more would not make this faster";
      return text;
    }

    void
    fill_in(Summary        &summary,
            const Recorder &recorder,
            const Setup    &setup,
            const Groups   &groups,
            const double    seconds)
    {
      const auto counted = [&recorder](const char *name) {
        return std::lround(recorder.counted(name));
      };
      summary.study             = setup.general.study;
      summary.model             = setup.general.model;
      summary.samples           = counted(recorded::samples);
      summary.failed            = counted(recorded::failed);
      summary.newton_iterations = counted(recorded::iterations);
      summary.ranks             = groups.n_ranks();
      summary.version           = program_version();
      summary.seconds           = seconds;
    }
  } // namespace

  ExitCode
  run_study(const CommandLine &command, Setup &setup, const Groups &groups)
  {
    using Clock                   = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();

    const std::unique_ptr<RunDirectory> directory =
      open_directory(command, setup, groups);
    FileRecorder recorder(groups.world(),
                          directory.get(),
                          [](const std::string &line) {
                            std::cout << line << std::endl;
                          });
    Journal      journal(recorder.files());
    if (directory && directory->discarded_unfinished_run())
      recorder.log("an unfinished run in '" +
                   directory->unfinished_path().string() +
                   "' was discarded; --resume would have continued it");
    recorder.log("slender_fem " + program_version() + ": " +
                 setup.general.study + " with " + setup.general.model + " on " +
                 std::to_string(groups.n_ranks()) +
                 (groups.n_ranks() == 1 ? " rank" : " ranks") +
                 (command.resumes ? ", resumed" : ""));
    if (const std::string sharing = how_ranks_share(setup, groups);
        !sharing.empty())
      recorder.log(sharing);

    const bool is_first = groups.is_first_rank();
    Workplace  workplace{groups,
                        *setup.model,
                        setup.general.model,
                        recorder,
                        &journal,
                        CheckpointClock(setup.general.checkpoint_minutes,
                                        setup.general.checkpoint_steps),
                        is_first ? &std::cerr : nullptr,
                        isatty(fileno(stderr)) != 0};
    ExitCode   code = finished;
    try
      {
        StudyResult result = run_or_complain(setup, workplace);
        recorder.check_written(groups.world());
        // The first rank knows of all.
        if (dealii::Utilities::MPI::broadcast(groups.world(),
                                              result.is_interrupted))
          {
            recorder.log("interrupted; to go on: " + how_to_resume(command));
            if (directory)
              directory->keep();
            return interrupted;
          }
        Summary &summary = result.summary;
        if (recorder.not_finite() > 0)
          report_failure(recorder,
                         std::to_string(recorder.not_finite()) +
                           " numbers in the tables are not finite");
        if (is_first)
          {
            fill_in(
              summary,
              recorder,
              setup,
              groups,
              std::chrono::duration<double>(Clock::now() - start).count());
            if (!summary.answer.empty())
              recorder.log(summary.answer);
            recorder.log(closing_line(summary));
            if (summary.failed > 0)
              code = incomplete;
            else if (summary.verdict == Verdict::KO && setup.general.fail_on_ko)
              code = judged_ko;
            else if (summary.verdict == Verdict::none &&
                     setup.general.fail_on_ko)
              recorder.log("'Fail on KO' had no effect: there is no verdict");
          }
        recorder.close();
        do_on_all_or_none(groups.world(), [&] {
          if (!is_first)
            return;
          directory->write("summary.json", [&](std::ostream &out) {
            write_json(out, summary);
          });
          for (const auto &[name, text] : result.texts)
            directory->write(name, [&text = text](std::ostream &out) {
              out << text;
            });
          directory->finish();
          std::cout << "results: " << directory->path().string() << std::endl;
        });
      }
    catch (const DiskError &error)
      {
        if (is_first)
          {
            directory->keep();
            std::cerr << "slender_fem: " << error.what()
                      << "; what is complete is in '"
                      << directory->unfinished_path().string()
                      << "'; to go on when there is space: "
                      << how_to_resume(command) << std::endl;
          }
        code = incomplete;
      }
    return static_cast<ExitCode>(
      dealii::Utilities::MPI::broadcast(groups.world(),
                                        static_cast<int>(code)));
  }
} // namespace slender

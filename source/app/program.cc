// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/app/program.h>
#include <slender/app/version.h>
#include <slender/base/errors.h>
#include <slender/base/parameter_file.h>
#include <slender/output/run_directory.h>
#include <slender/output/vtu.h>
#include <slender/studies/study.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/parameter_handler.h>

#include <chrono>
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <unistd.h>

namespace slender
{
  namespace
  {
    /// The parameters that every file has, outside of any section.
    struct GeneralParameters
    {
      std::string study = "cantilever";
      std::string model = "kirchhoff rod";
      std::string output;
      bool        fail_on_ko       = false;
      int         ranks_per_sample = 1;

      void
      declare(dealii::ParameterHandler &prm)
      {
        using namespace dealii::Patterns;
        // Any name passes here: find_study and find_model say it better.
        prm.add_parameter("Study",
                          study,
                          "The question to answer; --list shows all studies.",
                          Anything());
        prm.add_parameter(
          "Model",
          model,
          "The body to answer it with; --list shows all models.",
          Anything());
        prm.add_parameter("Output directory",
                          output,
                          "Where the results go; they replace those of an "
                          "earlier run. Empty for output/ and the name of the "
                          "parameter file.",
                          Anything());
        prm.add_parameter("Fail on KO",
                          fail_on_ko,
                          "End with exit code 3 if the verdict is KO.");
        prm.add_parameter("Ranks per sample",
                          ranks_per_sample,
                          "Number of MPI ranks that share one body [1]; the "
                          "others compute other samples of the sweep.",
                          Integer(1, 1000000));
      }
    };

    /// A parameter file, read and checked: all that a run needs.
    class Setup
    {
    public:
      explicit Setup(const CommandLine &command);

      std::string
      used_parameters();

      GeneralParameters             general;
      std::unique_ptr<Study>        study;
      std::unique_ptr<ModelBuilder> model;
      std::filesystem::path         output;
      ParameterFile                 file;

    private:
      /// Sections of the models that were not chosen may stay in the file, so
      /// that a model can be exchanged by one line.
      std::vector<std::string>
      check_other_sections();

      std::vector<std::string> other_sections;
    };

    /// Adds to a complaint where the blamed parameter was set.
    [[noreturn]] void
    rethrow_with_origin(const InputError &error, const ParameterFile &file)
    {
      if (error.parameter_path().empty())
        throw error;
      throw InputError(file.origin(error.parameter_path()) + ": " +
                       error.what());
    }

    Setup::Setup(const CommandLine &command)
      : file(ParameterFile::read(command.file))
    {
      for (const std::string &assignment : command.overrides)
        file.add_override(assignment);
      try
        {
          general.study = file.find("Study").value_or(general.study);
          general.model = file.find("Model").value_or(general.model);
          study         = find_study(general.study).make();
          model         = find_model(general.model).make_builder();
          study->set_body_kind(model->body_kind());

          other_sections = check_other_sections();
          dealii::ParameterHandler prm;
          general.declare(prm);
          study->declare(prm);
          model->declare(prm);
          file.apply_to(prm, other_sections);
          study->check();
        }
      catch (const InputError &error)
        {
          rethrow_with_origin(error, file);
        }

      if (!command.output.empty())
        output = command.output;
      else if (!general.output.empty())
        output = general.output;
      else
        output = std::filesystem::path("output") /
                 std::filesystem::path(command.file).stem();
    }

    std::vector<std::string>
    Setup::check_other_sections()
    {
      std::vector<std::string>                   sections;
      std::vector<std::unique_ptr<ModelBuilder>> builders;
      dealii::ParameterHandler                   prm;
      const std::unique_ptr<Study> any_study = find_study(general.study).make();
      any_study->set_body_kind(model->body_kind());
      GeneralParameters any_general;
      any_general.declare(prm);
      any_study->declare(prm);
      for (const ModelEntry &entry : model_list())
        {
          builders.push_back(entry.make_builder());
          builders.back()->declare(prm);
          if (entry.name != general.model)
            sections.push_back(builders.back()->section());
        }
      file.apply_to(prm);
      return sections;
    }

    std::string
    Setup::used_parameters()
    {
      // Declared anew, so that the defaults beside the values are the defaults.
      dealii::ParameterHandler     prm;
      GeneralParameters            fresh_general;
      const std::unique_ptr<Study> fresh_study =
        find_study(general.study).make();
      const std::unique_ptr<ModelBuilder> fresh_model =
        find_model(general.model).make_builder();
      fresh_study->set_body_kind(fresh_model->body_kind());
      fresh_general.declare(prm);
      fresh_study->declare(prm);
      fresh_model->declare(prm);
      file.apply_to(prm, other_sections);
      std::ostringstream out;
      prm.print_parameters(out,
                           dealii::ParameterHandler::PRM |
                             dealii::ParameterHandler::KeepDeclarationOrder);
      return out.str();
    }

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

    /// A study may find only when it has built the body that the input cannot
    /// be right, and may have built it on some ranks only.
    StudyResult
    run_or_complain(Setup &setup, const Workplace &workplace)
    {
      StudyResult result;
      std::string complaint;
      try
        {
          try
            {
              result = setup.study->run(workplace);
            }
          catch (const InputError &error)
            {
              rethrow_with_origin(error, setup.file);
            }
        }
      catch (const InputError &error)
        {
          complaint = error.what();
        }
      for (const std::string &one :
           dealii::Utilities::MPI::all_gather(workplace.groups.world(),
                                              complaint))
        if (!one.empty())
          throw InputError(one);
      return result;
    }

    ExitCode
    run_study(const CommandLine &command, MPI_Comm communicator)
    {
      using Clock                   = std::chrono::steady_clock;
      const Clock::time_point start = Clock::now();

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
      const std::unique_ptr<RunDirectory> directory =
        claim_directory(setup.output, communicator);

      const bool is_first = groups->is_first_rank();
      Log        log(is_first);
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
      StudyResult     result = run_or_complain(setup, workplace);

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
          std::cout << "results: " << directory->path().string() << std::endl;

          if (summary.failed > 0)
            code = incomplete;
          else if (summary.verdict == Verdict::KO && setup.general.fail_on_ko)
            code = judged_ko;
        }
      return static_cast<ExitCode>(
        dealii::Utilities::MPI::broadcast(communicator,
                                          static_cast<int>(code)));
    }

    void
    print_list()
    {
      const auto print = [](const std::string &title, const auto &list) {
        std::cout << title << ":\n";
        for (const auto &entry : list)
          std::cout << "  " << std::left << std::setw(22) << entry.name
                    << entry.description << '\n';
      };
      print("Models", model_list());
      print("Studies", study_list());
    }

    /// Tells a study about the first kind of body that it takes.
    std::string
    first_model_for(Study &study)
    {
      for (const ModelEntry &entry : model_list())
        try
          {
            study.set_body_kind(entry.make_builder()->body_kind());
            return entry.name;
          }
        catch (const InputError &)
          {} // another one
      throw std::logic_error("a study without a model");
    }

    void
    describe(const std::string &name)
    {
      const auto is_named = [&](const auto &entry) {
        return entry.name == name;
      };
      dealii::ParameterHandler      prm;
      GeneralParameters             general;
      std::unique_ptr<Study>        study;
      std::unique_ptr<ModelBuilder> model;
      if (const auto entry =
            std::find_if(study_list().begin(), study_list().end(), is_named);
          entry != study_list().end())
        {
          general.study = name;
          study         = entry->make();
          general.model = first_model_for(*study);
          general.declare(prm);
          study->declare(prm);
        }
      else if (const auto model_entry = std::find_if(model_list().begin(),
                                                     model_list().end(),
                                                     is_named);
               model_entry != model_list().end())
        {
          model = model_entry->make_builder();
          model->declare(prm);
        }
      else
        {
          std::vector<std::string> names;
          for (const auto &e : study_list())
            names.push_back(e.name);
          for (const auto &e : model_list())
            names.push_back(e.name);
          const auto near = nearest_name(name, names);
          throw InputError(
            "there is no study or model '" + name + "'" +
            (near ? "; did you mean '" + *near + "'?" : "; --list shows all"));
        }
      prm.print_parameters(std::cout,
                           dealii::ParameterHandler::PRM |
                             dealii::ParameterHandler::KeepDeclarationOrder);
      if (study)
        std::cout << "\n# The model's own section: slender_fem --describe "
                     "\"NAME OF THE MODEL\"\n";
    }
  } // namespace

  ExitCode
  run_program(const CommandLine &command, MPI_Comm communicator)
  {
    if (command.action == CommandLine::Action::run)
      return run_study(command, communicator);

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
            describe(command.name);
          break;
        case CommandLine::Action::list:
          if (is_first)
            print_list();
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

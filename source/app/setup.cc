// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/app/body_doubts.h>
#include <slender/app/setup.h>
#include <slender/base/agreement.h>
#include <slender/base/quiet_wait.h>
#include <slender/output/memory_recorder.h>
#include <slender/studies/own_models.h>
#include <slender/validation/protocol.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/parameter_handler.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace slender
{
  void
  GeneralParameters::declare(dealii::ParameterHandler &prm, const Study &about)
  {
    declare(prm, dynamic_cast<const OwnModels *>(&about) == nullptr);
  }

  void
  GeneralParameters::declare(dealii::ParameterHandler &prm)
  {
    declare(prm, true);
  }

  void
  GeneralParameters::declare(dealii::ParameterHandler &prm,
                             const bool                with_model)
  {
    using namespace dealii::Patterns;
    // Any name passes here: find_study and find_model say it better.
    prm.add_parameter("Study",
                      study,
                      "The question to answer; --list shows all studies.",
                      Anything());
    if (with_model)
      prm.add_parameter("Model",
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
                      "others compute other samples of the sweep. 'automatic' "
                      "takes as many as pay for a body of its size and are not "
                      "needed for other samples.",
                      Anything());
    prm.add_parameter("Checkpoint every minutes",
                      checkpoint_minutes,
                      "A long computation saves where it is after this time "
                      "[min], so that --resume can continue it; sweeps keep "
                      "each chain of samples when it is finished.",
                      Double(0., 1e6));
    prm.add_parameter("Checkpoint every steps",
                      checkpoint_steps,
                      "... and after this many steps [1]; 0 for never.",
                      Integer(0, 1000000000));
  }

  std::optional<int>
  GeneralParameters::given_ranks_per_sample() const
  {
    constexpr long most = 1000000;
    if (ranks_per_sample == "automatic")
      return {};
    char      *end   = nullptr;
    const long given = std::strtol(ranks_per_sample.c_str(), &end, 10);
    if (ranks_per_sample.empty() || *end != '\0' || given < 1 || given > most)
      throw InputError("'" + ranks_per_sample +
                         "' is no number of ranks; an integer from 1 to " +
                         std::to_string(most) + " or 'automatic' is expected",
                       "Ranks per sample");
    return static_cast<int>(given);
  }

  namespace
  {
    /// Where others have the name of the model, in the log and the summary.
    constexpr const char *several_models = "several models";

    std::string
    with_origin(const InputError &error, const ParameterFile &file)
    {
      return (error.parameter_path().empty()
                ? ""
                : file.origin(error.parameter_path()) + ": ") +
             error.what();
    }
  } // namespace

  void
  rethrow_with_origin(const InputError &error, const ParameterFile &file)
  {
    throw InputError(with_origin(error, file));
  }

  Setup::Setup(const CommandLine &command)
    : file(ParameterFile::read(command.file))
  {
    for (const std::string &assignment : command.overrides)
      file.add_override(assignment);
    try
      {
        general.study  = required("Study", "equilibrium");
        has_own_models = refuse_model_of_own_models();
        general.model =
          has_own_models ? several_models : required("Model", "kirchhoff rod");
        model = make_model();
        study = make_study();

        other_sections = check_other_sections();
        dealii::ParameterHandler prm;
        general.declare(prm, *study);
        study->declare(prm);
        if (!has_own_models)
          model->declare(prm);
        warnings = file.find_files(prm);
        file.apply_to(prm, other_sections);
        for (const std::string &line : doubts_about_body(prm, file))
          warnings.push_back(line);
        warn_of_other_models();
        general.given_ranks_per_sample();
        check_verdict();
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

  std::string
  Setup::required(const std::string &name, const std::string &example) const
  {
    const std::string value = file.find(name).value_or("");
    if (value.empty())
      throw InputError("the file does not say which " + name +
                         " is meant; 'set " + name + " = " + example +
                         "' or the like is expected; --list shows all",
                       name);
    return value;
  }

  bool
  Setup::refuse_model_of_own_models() const
  {
    const std::unique_ptr<Study> asked = find_study(general.study).make();
    const auto *own = dynamic_cast<const OwnModels *>(asked.get());
    if (own == nullptr)
      return false;
    const std::string reason = " has no effect: the study '" + general.study +
                               "' gives its models settings of its own, and '" +
                               own->chosen_by() + "' chooses among them";
    if (file.find("Model"))
      throw InputError("'Model'" + reason, "Model");
    for (const ModelEntry &entry : model_list())
      {
        const std::string section = entry.make_builder()->section();
        for (const ParameterFile::Setting &setting : file.settings())
          if (setting.path.rfind(section + "/", 0) == 0)
            throw InputError("section '" + section + "'" + reason,
                             setting.path);
      }
    return true;
  }

  void
  Setup::check_verdict() const
  {
    const auto &all = all_protocols();
    if (general.fail_on_ko &&
        std::none_of(all.begin(), all.end(), [&](const Protocol protocol) {
          return name_of(protocol) == general.study;
        }))
      throw InputError("'Fail on KO' has no effect: the study '" +
                         general.study + "' ends without a verdict",
                       "Fail on KO");
  }

  void
  Setup::warn_of_other_models()
  {
    for (const ParameterFile::Setting &setting : file.settings())
      {
        const std::string section =
          setting.path.substr(0, setting.path.find('/'));
        if (setting.origin == "--set" && section.size() < setting.path.size() &&
            std::find(other_sections.begin(), other_sections.end(), section) !=
              other_sections.end())
          warnings.push_back("--set \"" + setting.path + "=" + setting.value +
                             "\" has no effect: the model is '" +
                             general.model + "'");
      }
  }

  std::unique_ptr<ModelBuilder>
  Setup::make_model() const
  {
    // A study that has its own builds nothing with this one.
    return has_own_models ? model_list().front().make_builder()
                          : find_model(general.model).make_builder();
  }

  std::unique_ptr<Study>
  Setup::make_study() const
  {
    std::unique_ptr<Study> made = find_study(general.study).make();
    made->set_body_kind(model->body_kind());
    made->set_sections(file.sections());
    return made;
  }

  std::string
  Setup::complaint(const Groups &groups, const ModelBuilder &builder) const
  {
    MemoryRecorder  nothing_is_recorded;
    const Workplace workplace{groups,
                              builder,
                              general.model,
                              nothing_is_recorded};
    try
      {
        study->rehearse(workplace);
      }
    catch (const InputError &error)
      {
        return with_origin(error, file);
      }
    return "";
  }

  void
  Setup::rehearse(const Groups &groups) const
  {
    // Not every rank builds a body, but all have to know what came of it.
    for (const std::string &one :
         dealii::Utilities::MPI::all_gather(groups.world(),
                                            complaint(groups, *model)))
      if (!one.empty())
        throw InputError(one);
  }

  BodySize
  Setup::rehearse_alone(MPI_Comm world) const
  {
    MeasuringBuilder builder(*model);
    do_on_all_or_none(world, [&] {
      const QuietMeeting meeting(world);
      if (dealii::Utilities::MPI::this_mpi_process(world) != 0)
        return;
      const std::string found = complaint(Groups(MPI_COMM_SELF, 1), builder);
      if (!found.empty())
        throw InputError(found);
    });
    return {model->body_kind(),
            dealii::Utilities::MPI::broadcast(world,
                                              builder.size().n_unknowns)};
  }

  std::vector<std::string>
  Setup::check_other_sections()
  {
    std::vector<std::string>                   sections;
    std::vector<std::unique_ptr<ModelBuilder>> builders;
    dealii::ParameterHandler                   prm;
    const std::unique_ptr<Study>               any_study = make_study();
    GeneralParameters                          any_general;
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
    dealii::ParameterHandler            prm;
    GeneralParameters                   fresh_general;
    const std::unique_ptr<Study>        fresh_study = make_study();
    const std::unique_ptr<ModelBuilder> fresh_model = make_model();
    fresh_general.declare(prm, *fresh_study);
    fresh_study->declare(prm);
    if (!has_own_models)
      fresh_model->declare(prm);
    file.apply_to(prm, other_sections);
    std::ostringstream out;
    prm.print_parameters(out,
                         dealii::ParameterHandler::PRM |
                           dealii::ParameterHandler::KeepDeclarationOrder);
    return out.str();
  }
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/app/setup.h>
#include <slender/output/memory_recorder.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/parameter_handler.h>

#include <sstream>

namespace slender
{
  void
  GeneralParameters::declare(dealii::ParameterHandler &prm)
  {
    using namespace dealii::Patterns;
    // Any name passes here: find_study and find_model say it better.
    prm.add_parameter("Study",
                      study,
                      "The question to answer; --list shows all studies.",
                      Anything());
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
                      "others compute other samples of the sweep.",
                      Integer(1, 1000000));
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

  namespace
  {
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
        general.study = required("Study", "equilibrium");
        general.model = required("Model", "kirchhoff rod");
        find_study(general.study);
        model = find_model(general.model).make_builder();
        study = make_study();

        other_sections = check_other_sections();
        dealii::ParameterHandler prm;
        general.declare(prm);
        study->declare(prm);
        model->declare(prm);
        warnings = file.find_files(prm);
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

  std::unique_ptr<Study>
  Setup::make_study() const
  {
    std::unique_ptr<Study> made = find_study(general.study).make();
    made->set_body_kind(model->body_kind());
    made->set_sections(file.sections());
    return made;
  }

  void
  Setup::rehearse(const Groups &groups) const
  {
    MemoryRecorder  nothing_is_recorded;
    const Workplace workplace{groups,
                              *model,
                              general.model,
                              nothing_is_recorded};
    // Not every rank builds a body, but all have to know what came of it.
    std::string complaint;
    try
      {
        study->rehearse(workplace);
      }
    catch (const InputError &error)
      {
        complaint = with_origin(error, file);
      }
    for (const std::string &one :
         dealii::Utilities::MPI::all_gather(groups.world(), complaint))
      if (!one.empty())
        throw InputError(one);
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
    const std::unique_ptr<ModelBuilder> fresh_model =
      find_model(general.model).make_builder();
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
} // namespace slender

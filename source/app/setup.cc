// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/app/setup.h>

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

  void
  rethrow_with_origin(const InputError &error, const ParameterFile &file)
  {
    if (error.parameter_path().empty())
      throw error;
    throw InputError(file.origin(error.parameter_path()) + ": " + error.what());
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
    const std::unique_ptr<Study> fresh_study = find_study(general.study).make();
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
} // namespace slender

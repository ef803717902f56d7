// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/app/describe.h>
#include <slender/app/parameter_listing.h>
#include <slender/app/setup.h>
#include <slender/models/shells/koiter_shell.h>
#include <slender/studies/body_parameters.h>
#include <slender/studies/own_models.h>

#include <deal.II/base/parameter_handler.h>

#include <algorithm>
#include <iomanip>
#include <ostream>

namespace slender
{
  namespace
  {
    /// The first model of bodies that a study is about; the study is set to
    /// that kind.
    std::string
    model_for(Study &study)
    {
      for (const ModelEntry &entry : model_list())
        try
          {
            if (const std::string only = study.only_model();
                !only.empty() && entry.name != only)
              continue;
            study.set_body_kind(entry.make_builder()->body_kind());
            return entry.name;
          }
        catch (const InputError &)
          {}
      throw std::logic_error("a study has no model");
    }
  } // namespace

  void
  print_list(std::ostream &out)
  {
    const auto print = [&out](const std::string &title, const auto &list) {
      out << title << ":\n";
      for (const auto &entry : list)
        out << "  " << std::left << std::setw(22) << entry.name
            << entry.description << '\n';
    };
    print("Models", model_list());
    print("Studies", study_list());
  }

  void
  describe(const std::string &name, std::ostream &out)
  {
    const auto is_named = [&](const auto &entry) { return entry.name == name; };
    dealii::ParameterHandler        prm;
    GeneralParameters               general;
    std::unique_ptr<Study>          study;
    std::unique_ptr<ModelBuilder>   model;
    std::unique_ptr<BodyParameters> body;
    if (const auto entry =
          std::find_if(study_list().begin(), study_list().end(), is_named);
        entry != study_list().end())
      {
        study         = entry->make();
        general.study = name;
        general.model = model_for(*study);
        general.declare(prm, *study);
        study->declare(prm);
      }
    else if (const auto model_entry =
               std::find_if(model_list().begin(), model_list().end(), is_named);
             model_entry != model_list().end())
      {
        model = model_entry->make_builder();
        model->declare(prm);
        // That of rods comes with the studies.
        if (model->body_kind() == BodyKind::shell)
          {
            body = make_body_parameters(model->body_kind());
            body->declare(prm);
          }
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
    print_declarations(prm, out);
    if (study)
      {
        const auto &entry =
          *std::find_if(study_list().begin(), study_list().end(), is_named);
        const auto other = entry.make();
        model_for(*other);
        other->set_sections(numbered_sections());
        dealii::ParameterHandler all;
        general.declare(all, *other);
        other->declare(all);
        print_further_sections(all, prm, out);
      }
    if (study && dynamic_cast<const OwnModels *>(study.get()) == nullptr)
      out << "\n# The model's own section, and for shells those of the body: "
             "slender_fem\n# --describe \"NAME OF THE MODEL\"\n";
    if (model)
      print_quantities("this model", model->quantities(), out);
    else if (study->takes_any_body())
      {
        print_quantities("rods", rod_quantities(), out);
        print_quantities("shells", koiter_shell_quantities(), out);
      }
  }
} // namespace slender

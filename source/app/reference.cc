// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/app/parameter_listing.h>
#include <slender/app/reference.h>
#include <slender/app/setup.h>
#include <slender/app/version.h>
#include <slender/base/parameter_words.h>

#include <deal.II/base/parameter_handler.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>

namespace slender
{
  namespace
  {
    using Json = nlohmann::ordered_json;

    std::string
    name_of(const BodyKind kind)
    {
      switch (kind)
        {
          case BodyKind::rod:
            return "rod";
          case BodyKind::ribbon:
            return "ribbon";
          case BodyKind::shell:
            return "shell";
        }
      throw std::logic_error("a kind of bodies has no name");
    }

    /// What deal.II knows of a parameter, in words of ours.
    Json
    parameter(const std::string &path, const Json &declared)
    {
      const auto pattern =
        declared.at("pattern_description").get<std::string>();
      // No word of a selection is empty, so that all of them are told.
      Json choices = parameter_words::wrong_choice(pattern, "").allowed_words;
      const std::string allowed = parameter_words::expected_value(pattern);
      return {{"path", path},
              {"default", declared.at("default_value")},
              {"allowed", allowed},
              {"choices", std::move(choices)},
              {"documentation", declared.at("documentation")}};
    }

    void
    gather(const Json &content, const std::string &prefix, Json &found)
    {
      for (const auto &[name, node] : content.items())
        if (node.contains("value") && node.at("value").is_string())
          found.push_back(parameter(prefix + name, node));
        else if (node.is_object())
          gather(node, prefix + name + "/", found);
    }

    Json
    parameters(const dealii::ParameterHandler &prm)
    {
      Json found = Json::array();
      gather(Json::parse(declarations_as_json(prm)), "", found);
      return found;
    }

    template <typename Declarer>
    Json
    parameters_of(Declarer &declarer)
    {
      dealii::ParameterHandler prm;
      declarer.declare(prm);
      return parameters(prm);
    }

    Json
    list_of(const std::vector<Quantity> &quantities)
    {
      Json list = Json::array();
      for (const Quantity &quantity : quantities)
        if (!quantity.description.empty())
          list.push_back(
            {{"name", quantity.name}, {"description", quantity.description}});
      return list;
    }

    Json
    describe_model(const ModelEntry &entry)
    {
      const auto builder = entry.make_builder();
      return {{"name", entry.name},
              {"description", entry.description},
              {"body", name_of(builder->body_kind())},
              {"section", builder->section()},
              {"parameters", parameters_of(*builder)},
              {"varied", list_of(builder->quantities().parameters)},
              {"measured", list_of(builder->quantities().measurements)}};
    }

    /// Adds parameters that were not there yet; all are noted to be those of
    /// studies of such bodies.
    void
    merge(const Json &declared, const std::string &body, Json &all)
    {
      for (const Json &one : declared)
        {
          auto known =
            std::find_if(all.begin(), all.end(), [&](const Json &other) {
              return other.at("path") == one.at("path") &&
                     other.at("default") == one.at("default") &&
                     other.at("documentation") == one.at("documentation");
            });
          if (known == all.end())
            {
              all.push_back(one);
              known              = all.end() - 1;
              (*known)["bodies"] = Json::array();
            }
          (*known)["bodies"].push_back(body);
        }
    }

    /// A study declares what it needs to know of the bodies that it is about:
    /// with each kind of bodies it is asked anew.
    Json
    describe_study(const StudyEntry &entry)
    {
      Json models = Json::array(), bodies = Json::array(), all = Json::array();
      for (const ModelEntry &model : model_list())
        {
          const auto        study = entry.make();
          const BodyKind    kind  = model.make_builder()->body_kind();
          const std::string body  = name_of(kind);
          if (const std::string only = study->only_model();
              !only.empty() && model.name != only)
            continue;
          try
            {
              study->set_body_kind(kind);
            }
          catch (const InputError &)
            {
              continue;
            }
          study->set_sections(numbered_sections());
          models.push_back(model.name);
          if (std::find(bodies.begin(), bodies.end(), body) != bodies.end())
            continue;
          bodies.push_back(body);
          merge(parameters_of(*study), body, all);
        }
      return {{"name", entry.name},
              {"description", entry.description},
              {"models", std::move(models)},
              {"bodies", std::move(bodies)},
              {"parameters", std::move(all)}};
    }
  } // namespace



  void
  print_reference(std::ostream &out)
  {
    GeneralParameters general;
    Json              models = Json::array(), studies = Json::array();
    for (const ModelEntry &entry : model_list())
      models.push_back(describe_model(entry));
    for (const StudyEntry &entry : study_list())
      studies.push_back(describe_study(entry));
    const Json reference = {{"version", program_version()},
                            {"parameters", parameters_of(general)},
                            {"models", std::move(models)},
                            {"studies", std::move(studies)}};
    out << reference.dump(1) << '\n';
  }
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/declared_parameters.h>
#include <slender/base/errors.h>
#include <slender/base/parameter_path.h>
#include <slender/base/parameter_words.h>

#include <deal.II/base/parameter_handler.h>

#include <nlohmann/json.hpp>

#include <sstream>

namespace slender
{
  namespace
  {
    using namespace parameter_words;
    using Setting      = ParameterFile::Setting;
    using Declaration  = DeclaredParameters::Declaration;
    using Declarations = DeclaredParameters::Declarations;

    /// ParameterHandler has no functions to ask for what is declared, but it
    /// prints all of it. A parameter is an object with a textual "value", an
    /// alias one with a textual "alias"; what else there is are sections, an
    /// empty one of which is printed as an empty text.
    void
    collect(const nlohmann::json &content,
            const std::string    &section,
            Declarations         &sections,
            Declarations         &parameters)
    {
      const auto has_text = [](const nlohmann::json &node, const char *key) {
        return node.contains(key) && node.at(key).is_string();
      };
      const auto pattern_of = [&](const nlohmann::json &node) {
        return node.at("pattern_description").get<std::string>();
      };

      if (!content.is_object())
        return;
      for (const auto &[name, node] : content.items())
        {
          const std::string path = parameter_path::join(section, name);
          if (has_text(node, "value"))
            parameters[path] = {section, name, pattern_of(node)};
          else if (has_text(node, "alias"))
            parameters[path] = {section,
                                name,
                                pattern_of(content.at(
                                  node.at("alias").get<std::string>())),
                                true};
          else
            {
              sections[path] = {section, name, ""};
              collect(node, path, sections, parameters);
            }
        }
    }

    std::vector<std::string>
    names_in(const Declarations &declarations, const std::string &section)
    {
      std::vector<std::string> names;
      for (const auto &[path, declaration] : declarations)
        if (declaration.section == section && !declaration.is_alias)
          names.push_back(declaration.name);
      return names;
    }

    /// "section 'A' or section 'B'", or nothing where no section has `name`.
    std::string
    home_of(const Declarations &declarations, const std::string &name)
    {
      std::string home;
      for (const auto &[path, declaration] : declarations)
        if (declaration.name == name && !declaration.is_alias)
          home += (home.empty() ? "" : " or ") +
                  (declaration.section.empty()
                     ? "the top level"
                     : "section " + in_quotes(declaration.section));
      return home;
    }

    /// `kind` is "section" or "parameter".
    [[noreturn]] void
    fail_for_unknown(const std::string  &origin,
                     const std::string  &kind,
                     const std::string  &name,
                     const std::string  &section,
                     const Declarations &declarations)
    {
      const std::string place = section.empty()
                                  ? "at the top level"
                                  : "in section " + in_quotes(section);
      const std::string complaint =
        "there is no " + kind + ' ' + in_quotes(name) + ' ' + place + "; ";

      const std::string home = home_of(declarations, name);
      if (!home.empty())
        fail(origin, complaint + "it belongs to " + home);

      const auto candidates = names_in(declarations, section);
      if (const auto nearest = nearest_name(name, candidates))
        fail(origin, complaint + "did you mean " + in_quotes(*nearest) + '?');
      if (candidates.empty())
        fail(origin, complaint + "there are no " + kind + "s at all");
      fail(origin,
           complaint +
             (candidates.size() > 1 ? "allowed are " : "only allowed is ") +
             quoted_list(candidates, " and "));
    }

    std::string
    refusal(const Setting &setting, const Declaration &declaration)
    {
      const std::string place =
        declaration.section.empty()
          ? ""
          : " in section " + in_quotes(declaration.section);
      const std::string value =
        setting.value.empty() ? "empty" : in_quotes(setting.value);
      return in_quotes(declaration.name) + place + " may not be " + value +
             ": ";
    }

    std::string
    expectation(const Setting &setting, const Declaration &declaration)
    {
      const Choice choice = wrong_choice(declaration.pattern, setting.value);
      const auto   nearest =
        nearest_name(choice.wrong_word, choice.allowed_words);
      return expected_value(declaration.pattern) + " is expected" +
             (nearest ? "; did you mean " + in_quotes(*nearest) + '?' : "");
    }

    /// Enters the sections of a path, and leaves them whatever happens.
    class SectionScope
    {
    public:
      SectionScope(dealii::ParameterHandler &handler,
                   const std::string        &section)
        : prm(handler)
      {
        if (!section.empty())
          for (const std::string &name : parameter_path::split(section))
            {
              prm.enter_subsection(name);
              ++depth;
            }
      }

      ~SectionScope()
      {
        for (; depth > 0; --depth)
          prm.leave_subsection();
      }

      SectionScope(const SectionScope &) = delete;
      SectionScope &
      operator=(const SectionScope &) = delete;

    private:
      dealii::ParameterHandler &prm;
      std::size_t               depth = 0;
    };
  } // namespace



  DeclaredParameters::DeclaredParameters(const dealii::ParameterHandler &prm)
  {
    std::ostringstream text;
    prm.print_parameters(text, dealii::ParameterHandler::JSON);
    collect(nlohmann::json::parse(text.str()), "", sections, parameters);
  }



  const DeclaredParameters::Declaration &
  DeclaredParameters::find(const Setting &setting) const
  {
    const auto found = parameters.find(setting.path);
    if (found != parameters.end())
      return found->second;

    if (sections.count(setting.path) > 0)
      fail(setting.origin,
           in_quotes(setting.path) + " is a section; a parameter is expected");

    std::string section;
    auto        names     = parameter_path::split(setting.path);
    const auto  parameter = names.back();
    names.pop_back();
    for (const std::string &name : names)
      {
        const std::string inner_section = parameter_path::join(section, name);
        if (sections.count(inner_section) == 0)
          fail_for_unknown(setting.origin, "section", name, section, sections);
        section = inner_section;
      }
    fail_for_unknown(
      setting.origin, "parameter", parameter, section, parameters);
  }



  bool
  DeclaredParameters::names_a_file(const std::string &path) const
  {
    const auto found = parameters.find(path);
    if (found == parameters.end())
      return false;
    const std::string &pattern = found->second.pattern;
    return pattern.rfind("[FileName", 0) == 0 ||
           pattern.rfind("[DirectoryName", 0) == 0;
  }



  void
  DeclaredParameters::set(const Setting            &setting,
                          dealii::ParameterHandler &prm) const
  {
    const Declaration &declaration = find(setting);
    const SectionScope scope(prm, declaration.section);
    // The pattern in the handler itself decides whether the value is right:
    // its printed description rounds the ends of ranges.
    try
      {
        prm.set(declaration.name, setting.value);
      }
    catch (const InputError &error)
      {
        if (!error.parameter_path().empty())
          throw;
        fail(setting.origin, error.what());
      }
    catch (const dealii::ExceptionBase &)
      {
        fail(setting.origin,
             refusal(setting, declaration) + expectation(setting, declaration));
      }
    catch (const std::exception &error)
      {
        fail(setting.origin, refusal(setting, declaration) + error.what());
      }
  }
} // namespace slender

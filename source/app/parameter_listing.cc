// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/app/parameter_listing.h>
#include <slender/base/parameter_words.h>

#include <deal.II/base/parameter_handler.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iomanip>
#include <ostream>
#include <sstream>

namespace slender
{
  namespace
  {
    /// As a comment, in lines of at most 78 columns where its words allow.
    void
    print_comment(const std::string &text,
                  const std::string &indent,
                  std::ostream      &out)
    {
      constexpr std::size_t widest = 78;
      std::istringstream    words(text);
      std::string           line = indent + "#";
      for (std::string word; words >> word;)
        {
          if (line.size() + 1 + word.size() > widest &&
              line.size() > indent.size() + 1)
            {
              out << line << '\n';
              line = indent + "#";
            }
          line += ' ' + word;
        }
      out << line << '\n';
    }

    std::size_t
    longest_name(const nlohmann::ordered_json &content)
    {
      std::size_t longest = 0;
      for (const auto &[name, node] : content.items())
        if (node.contains("value"))
          longest = std::max(longest, name.size());
      return longest;
    }

    void
    print_section(const nlohmann::ordered_json &content,
                  const std::string            &indent,
                  std::ostream                 &out)
    {
      const std::size_t width = longest_name(content);
      bool              first = true;
      for (const auto &[name, node] : content.items())
        {
          const bool is_parameter =
            node.contains("value") && node.at("value").is_string();
          if (!is_parameter && !node.is_object())
            continue;
          if (!first)
            out << '\n';
          first = false;
          if (!is_parameter)
            {
              out << indent << "subsection " << name << '\n';
              print_section(node, indent + "  ", out);
              out << indent << "end\n";
              continue;
            }
          print_comment(node.at("documentation").get<std::string>(),
                        indent,
                        out);
          const auto allowed = parameter_words::expected_value(
            node.at("pattern_description").get<std::string>());
          if (allowed != "any text")
            print_comment("Allowed: " + allowed + ".", indent, out);
          const auto value = node.at("default_value").get<std::string>();
          out << indent << "set " << std::left
              << std::setw(static_cast<int>(width)) << name << " ="
              << (value.empty() ? "" : " ") << value << '\n';
        }
    }

    void
    print_quantities(const std::string           &title,
                     const std::vector<Quantity> &quantities,
                     std::ostream                &out)
    {
      out << "#\n# " << title << ":\n";
      for (const Quantity &quantity : quantities)
        if (!quantity.description.empty())
          out << "#   " << std::left << std::setw(21) << quantity.name << ' '
              << quantity.description << '\n';
    }
  } // namespace



  std::string
  declarations_as_json(const dealii::ParameterHandler &prm)
  {
    std::ostringstream text;
    prm.print_parameters(text,
                         dealii::ParameterHandler::JSON |
                           dealii::ParameterHandler::KeepDeclarationOrder);
    return text.str();
  }



  std::vector<std::string>
  numbered_sections()
  {
    return {"Edge 1", "Point 1", "Drive 1", "Obstacle 1"};
  }



  void
  print_further_sections(const dealii::ParameterHandler &here,
                         const dealii::ParameterHandler &there,
                         std::ostream                   &out)
  {
    using Json       = nlohmann::ordered_json;
    const Json known = Json::parse(declarations_as_json(there));
    const Json all   = Json::parse(declarations_as_json(here));
    Json       further;
    for (const auto &[name, section] : all.items())
      if (!known.contains(name))
        further[name] = section;
    if (further.empty())
      return;
    std::ostringstream text;
    print_section(further, "", text);
    out
      << "\n# There may be any number of further sections, numbered from 1:\n";
    std::istringstream lines(text.str());
    for (std::string line; std::getline(lines, line);)
      out << (line.empty() ? "#" : "# ") << line << '\n';
  }



  void
  print_declarations(const dealii::ParameterHandler &prm, std::ostream &out)
  {
    print_section(nlohmann::ordered_json::parse(declarations_as_json(prm)),
                  "",
                  out);
  }



  void
  print_quantities(const std::string &of_what,
                   const Quantities  &quantities,
                   std::ostream      &out)
  {
    print_quantities("Parameters of " + of_what +
                       " that 'branch' and 'frontier' can vary",
                     quantities.parameters,
                     out);
    print_quantities("What is measured of " + of_what,
                     quantities.measurements,
                     out);
  }
} // namespace slender

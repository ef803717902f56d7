// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/base/formula.h>
#include <slender/base/table.h>
#include <slender/studies/drives.h>
#include <slender/studies/given_table.h>

#include <deal.II/base/parameter_handler.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace slender
{
  namespace
  {
    /// The 7 of "Drive 7", or nothing.
    std::optional<int>
    number_of_drive(const std::string &section)
    {
      const std::string     name        = "Drive ";
      constexpr std::size_t most_digits = 9;
      if (section.rfind(name, 0) != 0)
        return {};
      const std::string digits = section.substr(name.size());
      if (digits.empty() || digits.size() > most_digits || digits[0] == '0' ||
          digits.find_first_not_of("0123456789") != std::string::npos)
        return {};
      return std::stoi(digits);
    }

    std::string
    section_name(const int number)
    {
      return "Drive " + std::to_string(number);
    }
  } // namespace

  TimeFunction
  TimeFunction::formula(const std::string &text, const std::string &path)
  {
    TimeFunction result;
    result.parsed = formula_of_time(text, path);
    return result;
  }

  TimeFunction
  TimeFunction::table(const std::string &file, const std::string &path)
  {
    const Table rows = read_given_table(file, path);
    if (rows.columns().size() < 2 || rows.rows().empty())
      throw InputError("'" + file +
                         "' needs two columns, time and value, with a header "
                         "and at least one row",
                       path);
    TimeFunction result;
    result.times  = rows.column(rows.columns()[0]);
    result.values = rows.column(rows.columns()[1]);
    for (std::size_t i = 0; i < result.times.size(); ++i)
      {
        if (!std::isfinite(result.times[i]) || !std::isfinite(result.values[i]))
          throw InputError("row " + std::to_string(i + 1) + " of '" + file +
                             "' does not have two numbers",
                           path);
        if (i > 0 && !(result.times[i] > result.times[i - 1]))
          throw InputError("times in '" + file + "' do not grow from row " +
                             std::to_string(i) + " to the next",
                           path);
      }
    return result;
  }

  double
  TimeFunction::operator()(const double time) const
  {
    if (parsed)
      return parsed(time);
    const auto next = std::upper_bound(times.begin(), times.end(), time);
    if (next == times.begin())
      return values.front();
    if (next == times.end())
      return values.back();
    const auto   i    = next - times.begin();
    const double part = (time - times[i - 1]) / (times[i] - times[i - 1]);
    return values[i - 1] + part * (values[i] - values[i - 1]);
  }

  void
  Drives::set_sections(const std::vector<std::string> &names)
  {
    for (const std::string &name : names)
      if (const auto number = number_of_drive(name))
        sections[*number];
  }

  void
  Drives::declare(dealii::ParameterHandler &prm)
  {
    using namespace dealii::Patterns;
    if (sections.empty())
      sections[1]; // so that it is described
    for (auto &[number, section] : sections)
      {
        prm.enter_subsection(section_name(number));
        prm.add_parameter("Parameter",
                          section.parameter,
                          "Name of a parameter of the model that is a function "
                          "of time: a load, or a displacement or rotation of "
                          "what holds the body.",
                          Anything());
        prm.add_parameter("Formula",
                          section.formula,
                          "Its value as a formula in the time t, in the unit "
                          "of the parameter, such as '0.1*sin(2*pi*t)' or "
                          "'if(t<1, t, 1)'.",
                          Anything());
        prm.add_parameter("Table",
                          section.file,
                          "Instead of a formula: a CSV file with a header, "
                          "whose first two columns are time and value; linear "
                          "in between.",
                          Anything());
        prm.leave_subsection();
      }
  }

  void
  Drives::check() const
  {
    std::set<std::string> seen;
    for (const auto &[number, section] : sections)
      {
        const std::string name        = section_name(number);
        const bool        has_formula = !section.formula.empty(),
                   has_table          = !section.file.empty();
        if (section.parameter.empty())
          {
            if (has_formula || has_table)
              throw InputError("the section does not say which parameter it "
                               "drives",
                               name + "/Parameter");
            continue;
          }
        if (has_formula == has_table)
          throw InputError(
            "'" + section.parameter +
              "' needs either a 'Formula' or a 'Table', and not both",
            name + "/Formula");
        if (!seen.insert(section.parameter).second)
          throw InputError("'" + section.parameter + "' is driven twice",
                           name + "/Parameter");
      }
    make();
  }

  std::vector<Drives::Drive>
  Drives::all() const
  {
    std::vector<Drive> result;
    for (const auto &[number, section] : sections)
      if (!section.parameter.empty())
        result.push_back(
          {section.parameter, section_name(number) + "/Parameter"});
    return result;
  }

  bool
  Drives::drives(const std::string &parameter) const
  {
    const auto named = all();
    return std::any_of(named.begin(), named.end(), [&](const Drive &drive) {
      return drive.parameter == parameter;
    });
  }

  Drives::Applied
  Drives::make() const
  {
    Applied result;
    for (const auto &[number, section] : sections)
      if (!section.parameter.empty())
        result.functions.emplace_back(
          section.parameter,
          section.formula.empty()
            ? TimeFunction::table(section.file, section_name(number) + "/Table")
            : TimeFunction::formula(section.formula,
                                    section_name(number) + "/Formula"));
    return result;
  }

  void
  Drives::Applied::operator()(Parametrised &system, const double time) const
  {
    // All at once: their owner is told once.
    std::vector<double> values = system.parameter_values();
    const auto         &known  = system.parameters();
    for (const auto &[name, function] : functions)
      {
        const auto *place = system.find_parameter(name).value;
        for (std::size_t i = 0; i < known.size(); ++i)
          if (known[i].value == place)
            values[i] = function(time);
      }
    system.set_parameter_values(values);
  }
} // namespace slender

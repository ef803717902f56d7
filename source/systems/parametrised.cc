// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/base/parameter_words.h>
#include <slender/systems/parametrised.h>

#include <algorithm>
#include <stdexcept>

namespace slender
{
  const std::vector<Parametrised::Parameter> &
  Parametrised::parameters() const
  {
    return all_parameters;
  }

  double
  Parametrised::parameter(const std::string &name) const
  {
    return *find_parameter(name).value;
  }

  void
  Parametrised::set_parameter(const std::string &name, const double value)
  {
    const Parameter &p = find_parameter(name);
    *p.value           = value;
    p.owner->parameters_changed();
  }

  std::vector<double>
  Parametrised::parameter_values() const
  {
    std::vector<double> values;
    for (const Parameter &p : all_parameters)
      values.push_back(*p.value);
    return values;
  }

  void
  Parametrised::set_parameter_values(const std::vector<double> &values)
  {
    if (values.size() != all_parameters.size())
      throw std::logic_error("there are not as many values as parameters");
    std::vector<Parametrised *> changed;
    for (std::size_t i = 0; i < values.size(); ++i)
      {
        const Parameter &p = all_parameters[i];
        if (*p.value == values[i])
          continue;
        *p.value = values[i];
        if (std::find(changed.begin(), changed.end(), p.owner) == changed.end())
          changed.push_back(p.owner);
      }
    for (Parametrised *owner : changed)
      owner->parameters_changed();
  }

  void
  Parametrised::add_parameter(const std::string &name,
                              const std::string &description,
                              double            &value,
                              const double       scale)
  {
    all_parameters.push_back({name, description, &value, scale, this});
  }

  void
  Parametrised::pass_on(const Parameter &of_part, const std::string &name)
  {
    all_parameters.push_back(of_part);
    all_parameters.back().name = name;
  }

  void
  Parametrised::parameters_changed()
  {}

  const Parametrised::Parameter &
  Parametrised::find_parameter(const std::string &name) const
  {
    for (const Parameter &p : all_parameters)
      if (p.name == name)
        return p;
    // "gravity" of the only member that has one.
    const auto ends_with_name = [&name](const Parameter &p) {
      const std::string ending = "/" + name;
      return p.name.size() > ending.size() &&
             p.name.compare(p.name.size() - ending.size(),
                            ending.size(),
                            ending) == 0;
    };
    const auto begin = all_parameters.begin(), end = all_parameters.end();
    const auto n_matches = std::count_if(begin, end, ends_with_name);
    if (n_matches == 1)
      return *std::find_if(begin, end, ends_with_name);

    std::vector<std::string> names;
    for (const Parameter &p : all_parameters)
      if (n_matches == 0 || ends_with_name(p))
        names.push_back(p.name);
    if (n_matches > 1)
      throw InputError("the parameter '" + name + "' may be one of " +
                       parameter_words::quoted_list(names, " and "));
    throw InputError("there is no parameter '" + name + "'" +
                     parameter_words::choice_among(name, names));
  }
} // namespace slender

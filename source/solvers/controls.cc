// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/controls.h>

#include <cmath>
#include <limits>
#include <utility>

namespace slender
{
  Controls::Controls(System &system)
    : Controls(system, {}, {}, {}, [](System &, const std::vector<double> &) {})
  {}

  Controls::Controls(System &system, const std::vector<std::string> &parameters)
    : the_system(&system)
    , setter([parameters](System &s, const std::vector<double> &values) {
      for (std::size_t i = 0; i < parameters.size(); ++i)
        s.set_parameter(parameters[i], values[i]);
    })
  {
    for (const std::string &name : parameters)
      {
        const System::Parameter &p = system.find_parameter(name);
        coordinates.push_back(
          {name, *p.value, p.scale, 0., 1., *p.value, p.scale});
      }
  }

  Controls::Controls(System                  &system,
                     std::vector<std::string> names,
                     std::vector<double>      values,
                     std::vector<double>      scales,
                     Setter                   set)
    : the_system(&system)
    , setter(std::move(set))
  {
    for (std::size_t i = 0; i < names.size(); ++i)
      coordinates.push_back(
        {names[i], values[i], scales[i], 0., 1., values[i], scales[i]});
    apply();
  }

  void
  Controls::apply()
  {
    setter(*the_system, values());
  }

  std::vector<double>
  Controls::values() const
  {
    std::vector<double> result;
    for (const Coordinate &c : coordinates)
      result.push_back(c.value);
    return result;
  }

  void
  Controls::set(const std::vector<double> &new_values)
  {
    if (new_values == values())
      return;
    for (std::size_t i = 0; i < coordinates.size(); ++i)
      {
        Coordinate &c = coordinates[i];
        c.value       = new_values[i];
        c.unit_value  = (c.value - c.origin) / c.unit;
      }
    apply();
  }

  void
  Controls::measure_in(const std::size_t i,
                       const double      origin,
                       const double      unit,
                       const double      typical)
  {
    Coordinate &c = coordinates[i];
    c.origin      = origin;
    c.unit        = unit;
    c.unit_value  = (c.value - origin) / unit;
    c.unit_scale  = typical;
  }

  void
  Controls::measure_in_user_units()
  {
    for (std::size_t i = 0; i < coordinates.size(); ++i)
      measure_in(i, 0., 1., coordinates[i].scale);
  }

  std::vector<double>
  Controls::unit_values() const
  {
    std::vector<double> result;
    for (const Coordinate &c : coordinates)
      result.push_back(c.unit_value);
    return result;
  }

  void
  Controls::set_unit_values(const std::vector<double> &values)
  {
    if (values == unit_values())
      return;
    for (std::size_t i = 0; i < coordinates.size(); ++i)
      {
        Coordinate &c = coordinates[i];
        if (c.unit_value == values[i])
          continue;
        c.unit_value = values[i];
        c.value      = c.origin + values[i] * c.unit;
      }
    apply();
  }

  void
  Controls::set_unit_value(const std::size_t i, const double value)
  {
    std::vector<double> values = unit_values();
    values[i]                  = value;
    set_unit_values(values);
  }

  double
  Controls::difference_step(const std::size_t i) const
  {
    return std::cbrt(std::numeric_limits<double>::epsilon()) *
           std::max(std::abs(coordinates[i].unit_value),
                    coordinates[i].unit_scale);
  }
} // namespace slender

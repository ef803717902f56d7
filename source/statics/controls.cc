// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/controls.h>

#include <cmath>
#include <limits>
#include <utility>

namespace slender
{
  Controls::Controls(Model &model)
    : Controls(model, {}, {}, {}, [](Model &, const std::vector<double> &) {})
  {}

  Controls::Controls(Model &model, const std::vector<std::string> &parameters)
    : the_model(&model)
    , all_names(parameters)
    , setter([parameters](Model &m, const std::vector<double> &values) {
      for (std::size_t i = 0; i < parameters.size(); ++i)
        m.set_parameter(parameters[i], values[i]);
    })
  {
    for (const std::string &name : parameters)
      {
        all_values.push_back(model.parameter(name));
        for (const Model::Parameter &p : model.parameters())
          if (p.name == name)
            all_scales.push_back(p.scale);
      }
  }

  Controls::Controls(Model                   &model,
                     std::vector<std::string> names,
                     std::vector<double>      values,
                     std::vector<double>      scales,
                     Setter                   set)
    : the_model(&model)
    , all_names(std::move(names))
    , all_values(std::move(values))
    , all_scales(std::move(scales))
    , setter(std::move(set))
  {
    setter(model, all_values);
  }

  double
  Controls::difference_step(const std::size_t i) const
  {
    return std::cbrt(std::numeric_limits<double>::epsilon()) *
           std::max(std::abs(all_values[i]), all_scales[i]);
  }

  void
  Controls::set(const std::vector<double> &values)
  {
    if (values == all_values)
      return;
    all_values = values;
    setter(*the_model, values);
  }
} // namespace slender

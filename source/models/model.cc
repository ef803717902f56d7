// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/base/parameter_file.h>
#include <slender/base/parameter_words.h>
#include <slender/models/model.h>

#include <cmath>
#include <limits>

namespace slender
{
  namespace
  {
    /// What was perhaps meant, and what there is.
    std::string
    choice_among(const std::string &name, const std::vector<std::string> &names)
    {
      const auto near = nearest_name(name, names);
      return (near ? "; did you mean '" + *near + "'?" : ";") + " there are " +
             parameter_words::quoted_list(names, " and ");
    }
  } // namespace

  Index
  Model::n_multipliers() const
  {
    return 0;
  }

  void
  Model::newton_tangent(const Vector &q,
                        const Vector & /*previous*/,
                        HessianSink &sink) const
  {
    hessian(q, sink);
  }

  Vector
  Model::hessian_times(const Vector &q, const Vector &direction) const
  {
    HessianMultiplier multiplier(direction);
    hessian(q, multiplier);
    return multiplier.product();
  }

  Vector
  Model::full_state(const Vector &q) const
  {
    return q;
  }

  Vector
  Model::parameter_derivative(const Vector &q, const std::string &name)
  {
    const Parameter &p     = find_parameter(name);
    const double     value = *p.value;
    // The step that balances the truncation of a central difference against
    // round-off.
    const double step = std::cbrt(std::numeric_limits<double>::epsilon()) *
                        std::max(std::abs(value), p.scale);
    set_parameter(name, value + step);
    Vector derivative = gradient(q);
    set_parameter(name, value - step);
    derivative -= gradient(q);
    set_parameter(name, value);
    return derivative / (2. * step);
  }

  bool
  Model::commit(const Vector & /*q*/)
  {
    return false;
  }

  Vector
  Model::history() const
  {
    return {};
  }

  void
  Model::set_history(const Vector & /*history*/)
  {}

  const std::vector<Model::Parameter> &
  Model::parameters() const
  {
    return all_parameters;
  }

  double
  Model::parameter(const std::string &name) const
  {
    return *find_parameter(name).value;
  }

  void
  Model::set_parameter(const std::string &name, const double value)
  {
    *find_parameter(name).value = value;
    parameters_changed();
  }

  void
  Model::add_parameter(const std::string &name,
                       const std::string &description,
                       double            &value,
                       const double       scale)
  {
    all_parameters.push_back({name, description, &value, scale});
  }

  void
  Model::parameters_changed()
  {}

  const Model::Parameter &
  Model::find_parameter(const std::string &name) const
  {
    std::vector<std::string> names;
    for (const Parameter &p : all_parameters)
      if (p.name == name)
        return p;
      else
        names.push_back(p.name);

    throw InputError("there is no parameter '" + name + "'" +
                     choice_among(name, names));
  }

  double
  find_measurement(const std::vector<Measurement> &measurements,
                   const std::string              &name)
  {
    std::vector<std::string> names;
    for (const Measurement &m : measurements)
      if (m.name == name)
        return m.value;
      else
        names.push_back(m.name);

    throw InputError("'" + name + "' is not measured" +
                     choice_among(name, names));
  }
} // namespace slender

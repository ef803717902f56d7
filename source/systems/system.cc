// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/base/parameter_words.h>
#include <slender/systems/dissipation.h>
#include <slender/systems/kinetics.h>
#include <slender/systems/system.h>

#include <cmath>
#include <limits>

namespace slender
{
  Index
  System::n_multipliers() const
  {
    return 0;
  }

  std::unique_ptr<Kinetics>
  System::kinetics(const MassOptions & /*options*/) const
  {
    throw InputError("this model has no inertia, so that it cannot move");
  }

  std::unique_ptr<Dissipation>
  System::dissipation(const DissipationOptions & /*options*/) const
  {
    throw InputError("this model has no law of strain-rate damping");
  }

  void
  System::newton_tangent(const Vector &q,
                         const Vector & /*previous*/,
                         HessianSink &sink) const
  {
    hessian(q, sink);
  }

  Vector
  System::hessian_times(const Vector &q, const Vector &direction) const
  {
    HessianMultiplier multiplier(direction);
    hessian(q, multiplier);
    return multiplier.product();
  }

  Vector
  System::full_state(const Vector &q) const
  {
    return q;
  }

  Vector
  System::parameter_derivative(const Vector &q, const std::string &name)
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
  System::commit(const Vector & /*q*/)
  {
    return false;
  }

  Vector
  System::history() const
  {
    return {};
  }

  void
  System::set_history(const Vector & /*history*/)
  {}

  Places
  System::unknown_places() const
  {
    Places result;
    result.size = layout().size;
    for (Index i = 0; i < layout().n_owned(); ++i)
      {
        result.places.push_back(layout().begin + i);
        result.numbers.push_back(i);
      }
    return result;
  }

  Places
  System::history_places() const
  {
    return {};
  }

  State
  System::state(const Vector &q) const
  {
    return {q, parameter_values(), history()};
  }

  void
  System::set_state(const State &state)
  {
    set_parameter_values(state.parameters);
    set_history(state.history);
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
                     parameter_words::choice_among(name, names));
  }
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_systems_parametrised_h
#define slender_systems_parametrised_h

#include <string>
#include <vector>

namespace slender
{
  /// Something with named scalar parameters that a study or a continuation may
  /// vary: a body, a term, or a system of both.
  class Parametrised
  {
  public:
    Parametrised()          = default;
    virtual ~Parametrised() = default;

    // Parameters refer to members.
    Parametrised(const Parametrised &) = delete;
    Parametrised &
    operator=(const Parametrised &) = delete;

    struct Parameter
    {
      std::string   name;
      std::string   description; ///< with its unit
      double       *value;
      double        scale; ///< a typical magnitude
      Parametrised *owner; ///< who is told about a change
    };

    const std::vector<Parameter> &
    parameters() const;

    double
    parameter(const std::string &name) const;

    /// Throws InputError, with the nearest name and all others, if there is no
    /// such one.
    void
    set_parameter(const std::string &name, double value);

    /// All values, in the order of parameters().
    std::vector<double>
    parameter_values() const;

    /// Tells each owner once, and only those of a value that differs.
    void
    set_parameter_values(const std::vector<double> &values);

    const Parameter &
    find_parameter(const std::string &name) const;

  protected:
    void
    add_parameter(const std::string &name,
                  const std::string &description,
                  double            &value,
                  double             scale);

    /// A parameter of a part becomes one of the whole, under a name of its own.
    void
    pass_on(const Parameter &of_part, const std::string &name);

    /// Called after each change, to renew what depends on the parameters. All
    /// ranks make a change together.
    virtual void
    parameters_changed();

  private:
    std::vector<Parameter> all_parameters;
  };
} // namespace slender

#endif

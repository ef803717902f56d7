// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_drives_h
#define slender_studies_drives_h

#include <slender/base/types.h>
#include <slender/systems/parametrised.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace dealii
{
  class ParameterHandler;
}

namespace slender
{
  /// A number as a function of time: a formula in t, or a table between whose
  /// rows it is linear.
  class TimeFunction
  {
  public:
    /// Throws InputError, with the reason, for what is no formula.
    static TimeFunction
    formula(const std::string &text, const std::string &parameter_path);

    /// The first two columns of a CSV file are time and value; times grow.
    /// Before the first and after the last the value is theirs.
    static TimeFunction
    table(const std::string &file, const std::string &parameter_path);

    double
    operator()(double time) const;

  private:
    std::function<double(double)> parsed; ///< or none
    std::vector<double>           times, values;
  };

  /**
   * The sections "Drive 1", "Drive 2", ... of a parameter file: parameters of
   * the model (loads, displacements and rotations of what holds it) that are
   * functions of time.
   */
  class Drives
  {
  public:
    void
    set_sections(const std::vector<std::string> &names);

    void
    declare(dealii::ParameterHandler &prm);

    /// Throws InputError for what is no function, and for a parameter that is
    /// driven twice.
    void
    check() const;

    struct Drive
    {
      std::string parameter;
      std::string path; ///< of the setting that names it
    };

    std::vector<Drive>
    all() const;

    bool
    drives(const std::string &parameter) const;

    /// Sets the parameters to their values at a time.
    class Applied
    {
    public:
      void
      operator()(Parametrised &system, double time) const;

      bool
      is_empty() const
      {
        return functions.empty();
      }

    private:
      friend class Drives;
      std::vector<std::pair<std::string, TimeFunction>> functions;
    };

    Applied
    make() const;

  private:
    struct Section
    {
      std::string parameter, formula, file;
    };
    std::map<int, Section> sections;
  };
} // namespace slender

#endif

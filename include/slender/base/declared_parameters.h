// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_base_declared_parameters_h
#define slender_base_declared_parameters_h

#include <slender/base/parameter_file.h>

#include <map>
#include <string>

namespace slender
{
  /**
   * The sections and parameters that a ParameterHandler declares, against
   * which settings are checked. deal.II would stop at a wrong one with an
   * exception that names neither the allowed values nor the nearest name.
   */
  class DeclaredParameters
  {
  public:
    explicit DeclaredParameters(const dealii::ParameterHandler &prm);

    /// Sets a value in the handler whose declarations these are. Throws
    /// InputError with one line if there is no such parameter or if it may not
    /// have that value.
    void
    set(const ParameterFile::Setting &setting,
        dealii::ParameterHandler     &prm) const;

    /// Whether the value of a parameter is the name of a file or a directory.
    bool
    names_a_file(const std::string &path) const;

    struct Declaration
    {
      std::string section; ///< the path of the section it belongs to
      std::string name;
      std::string pattern; ///< as deal.II describes it; none for a section
      bool        is_alias = false;
    };

    /// By path.
    using Declarations = std::map<std::string, Declaration>;

  private:
    const Declaration &
    find(const ParameterFile::Setting &setting) const;

    Declarations sections;
    Declarations parameters;
  };
} // namespace slender

#endif

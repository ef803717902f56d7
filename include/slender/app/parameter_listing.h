// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_app_parameter_listing_h
#define slender_app_parameter_listing_h

#include <slender/models/quantity.h>

#include <iosfwd>
#include <string>
#include <vector>

namespace dealii
{
  class ParameterHandler;
}

namespace slender
{
  /// All that is declared, in the order of the declarations, as deal.II says
  /// it: sections within sections; each parameter with its default value,
  /// pattern and documentation.
  std::string
  declarations_as_json(const dealii::ParameterHandler &prm);

  /// Sections of which a file may have any number: the first of each kind. A
  /// study declares those that it is told of.
  std::vector<std::string>
  numbered_sections();

  /// All that is declared, as a parameter file with the default values: above
  /// each parameter what it means and which values it may have.
  void
  print_declarations(const dealii::ParameterHandler &prm, std::ostream &out);

  /// Sections that are declared here and not there, as comments of such a
  /// file.
  void
  print_further_sections(const dealii::ParameterHandler &here,
                         const dealii::ParameterHandler &there,
                         std::ostream                   &out);

  /// What can be varied and what is measured, as comments of such a file.
  void
  print_quantities(const std::string &of_what,
                   const Quantities  &quantities,
                   std::ostream      &out);
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_app_parameter_listing_h
#define slender_app_parameter_listing_h

#include <slender/models/quantity.h>

#include <iosfwd>

namespace dealii
{
  class ParameterHandler;
}

namespace slender
{
  /// All that is declared, as a parameter file with the default values: above
  /// each parameter what it means and which values it may have.
  void
  print_declarations(const dealii::ParameterHandler &prm, std::ostream &out);

  /// What can be varied and what is measured, as comments of such a file.
  void
  print_quantities(const std::string &of_what,
                   const Quantities  &quantities,
                   std::ostream      &out);
} // namespace slender

#endif

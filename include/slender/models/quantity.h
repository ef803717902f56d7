// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_quantity_h
#define slender_models_quantity_h

#include <string>
#include <vector>

namespace slender
{
  /// A number that a user can vary or that is measured, in words.
  struct Quantity
  {
    /// "EDGE" and "POINT" stand for the names that a user gives.
    std::string name;
    std::string description; ///< with its unit
  };

  /// What a user can ask of a model, known before any body is there.
  struct Quantities
  {
    std::vector<Quantity> parameters;
    std::vector<Quantity> measurements;
  };
} // namespace slender

#endif

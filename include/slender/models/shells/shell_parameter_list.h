// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_shells_shell_parameter_list_h
#define slender_models_shells_shell_parameter_list_h

#include <slender/models/quantity.h>
#include <slender/models/shells/rest_surface.h>
#include <slender/models/shells/shell_body.h>

#include <functional>
#include <string>
#include <vector>

namespace slender
{
  using AddParameter = std::function<void(const std::string &name,
                                          const std::string &description,
                                          double            &value,
                                          double             scale)>;

  /// The numbers of a shell that can be varied, of those that `known`
  /// describes, one after the other; scales are those of the bending stiffness
  /// D and the size L.
  void
  list_parameters(ShellBody          &body,
                  RestSurface        &surface,
                  double              D,
                  double              L,
                  const Quantities   &known,
                  const AddParameter &add);

  /// Those that what is free of stress depends on.
  std::vector<double>
  rest_numbers(const ShellBody &body, RestSurface &surface);
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/shells/koiter_shell.h>
#include <slender/models/shells/shell_parameter_list.h>
#include <slender/models/triangles/triangle_shell.h>

#include <algorithm>

namespace slender
{
  void
  TriangleShell::declare_parameters()
  {
    list_parameters(body,
                    *surface,
                    bending_stiffness(),
                    length_unit,
                    triangle_shell_quantities(),
                    [this](const std::string &name,
                           const std::string &description,
                           double            &value,
                           const double       scale) {
                      add_parameter(name, description, value, scale);
                    });
  }

  const Quantities &
  triangle_shell_quantities()
  {
    static const Quantities all = [] {
      Quantities q = koiter_shell_quantities();
      q.parameters.erase(std::remove_if(q.parameters.begin(),
                                        q.parameters.end(),
                                        [](const Quantity &quantity) {
                                          return quantity.name == "EDGE moment";
                                        }),
                         q.parameters.end());
      return q;
    }();
    return all;
  }

  std::vector<double>
  TriangleShell::rest_numbers() const
  {
    return slender::rest_numbers(body, *surface);
  }
} // namespace slender

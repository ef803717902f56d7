// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/base/parameter_file.h>
#include <slender/validation/protocol.h>

#include <algorithm>
#include <cctype>

namespace slender
{
  const std::vector<Protocol> &
  all_protocols()
  {
    static const std::vector<Protocol> all = {Protocol::cantilever,
                                              Protocol::bend_twist,
                                              Protocol::lateral_buckling,
                                              Protocol::stick_slip};
    return all;
  }

  std::string
  name_of(const Protocol protocol)
  {
    switch (protocol)
      {
        case Protocol::cantilever:
          return "cantilever";
        case Protocol::bend_twist:
          return "bend twist";
        case Protocol::lateral_buckling:
          return "lateral buckling";
        default:
          return "stick slip";
      }
  }

  Protocol
  find_protocol(const std::string &name)
  {
    std::string plain = name;
    std::transform(plain.begin(), plain.end(), plain.begin(), [](const char c) {
      return c == '-' || c == '_'
               ? ' '
               : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    });
    std::vector<std::string> names;
    for (const Protocol protocol : all_protocols())
      {
        names.push_back(name_of(protocol));
        if (plain == names.back())
          return protocol;
      }
    const auto near = nearest_name(plain, names);
    throw InputError("there is no protocol '" + name + "'" +
                     (near ? "; did you mean '" + *near + "'?"
                           : "; there are 'cantilever', 'bend twist', "
                             "'lateral buckling' and 'stick slip'"));
  }

  Axes
  axes_of(const Protocol protocol)
  {
    switch (protocol)
      {
        case Protocol::cantilever:
          return {"Γ", "H/W", true};
        case Protocol::bend_twist:
          return {"Γ^(1/3)/φ", "φ/2π", true};
        case Protocol::lateral_buckling:
          return {"w/L", "Γ*", false};
        default:
          return {"ε", "μ", false};
      }
  }

  RefinementRule::RefinementRule(const std::vector<bool> &agrees)
  {
    std::size_t n_passing = 0;
    for (std::size_t i = agrees.size(); i > 0 && agrees[i - 1]; --i)
      first = i - 1, ++n_passing;
    is_confirmed = n_passing > 1;
    for (std::size_t i = 0; i + n_passing < agrees.size(); ++i)
      if (agrees[i])
        accident = i;
  }
} // namespace slender

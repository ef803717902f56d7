// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_app_describe_h
#define slender_app_describe_h

#include <iosfwd>
#include <string>

namespace slender
{
  /// The names of all models and studies, with a line about each.
  void
  print_list(std::ostream &out);

  /// The parameters of a study or a model, as a parameter file. Throws
  /// InputError if there is none of that name.
  void
  describe(const std::string &name, std::ostream &out);
} // namespace slender

#endif

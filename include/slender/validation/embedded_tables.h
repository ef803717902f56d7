// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_validation_embedded_tables_h
#define slender_validation_embedded_tables_h

#include <string>
#include <vector>

namespace slender
{
  /// A file of reference/, compiled into the program: a verdict must not
  /// depend on finding a file at run time.
  struct EmbeddedTable
  {
    std::string name;
    std::string text;
  };

  const std::vector<EmbeddedTable> &
  embedded_tables();
} // namespace slender

#endif

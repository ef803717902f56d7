// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_given_table_h
#define slender_studies_given_table_h

#include <slender/base/table.h>

#include <string>

namespace slender
{
  /// A table in a user's CSV file. Throws InputError that blames the parameter
  /// at `path`, which has the name of the file.
  Table
  read_given_table(const std::string &file, const std::string &path);
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/studies/given_table.h>

#include <fstream>

namespace slender
{
  Table
  read_given_table(const std::string &file, const std::string &path)
  {
    std::ifstream in(file);
    if (!in)
      throw InputError("cannot read '" + file + "'", path);
    try
      {
        return Table::read_csv(in, file);
      }
    catch (const InputError &error)
      {
        throw InputError(error.what(), path);
      }
  }
} // namespace slender

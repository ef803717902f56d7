// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_validation_sample_columns_h
#define slender_validation_sample_columns_h

#include <slender/base/table.h>

#include <set>
#include <string>
#include <vector>

namespace slender
{
  /**
   * The columns of a user's table by their names, with complaints that name
   * file, column and sample. A unit in brackets after the name, "L [m]", is
   * not part of it, and has to be one of the SI. What nobody has asked for when
   * all is read is reported.
   */
  class SampleColumns
  {
  public:
    /// Throws InputError for a table without samples, or with two columns of
    /// the same name.
    SampleColumns(const Table &table, std::string source);

    bool
    has(const std::string &name) const;

    /// Throws InputError if it is not there, naming what else would do.
    void
    require(const std::string &name, const std::string &alternative = "") const;

    std::size_t
    n_samples() const;

    /// Throws InputError if it is not there, or not finite.
    double
    number(const std::string &name, std::size_t sample) const;

    /// The same, and positive.
    double
    positive(const std::string &name, std::size_t sample) const;

    /// Or the default where there is no such column.
    double
    positive_or(const std::string &name,
                std::size_t        sample,
                double             default_value) const;

    /// Whatever is in the cell.
    std::string
    word(const std::string &name, std::size_t sample) const;

    [[noreturn]] void
    complain(const std::string &message) const;

    [[noreturn]] void
    complain(std::size_t sample, const std::string &message) const;

    /// Names of columns that nobody has asked for.
    std::vector<std::string>
    unused() const;

  private:
    std::size_t
    index_of(const std::string &name) const;

    const Table                  &table;
    std::string                   source;
    std::vector<std::string>      names;
    mutable std::set<std::string> used;
  };
} // namespace slender

#endif

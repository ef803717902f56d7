// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_base_table_h
#define slender_base_table_h

#include <iosfwd>
#include <limits>
#include <string>
#include <variant>
#include <vector>

namespace slender
{
  /**
   * A table of results: named columns, one row per sample, and remarks that
   * are written as comment lines above the header.
   */
  class Table
  {
  public:
    /// Numbers, counts or words; a value that is not known is a quiet NaN.
    using Cell = std::variant<double, long, std::string>;
    using Row  = std::vector<Cell>;

    static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

    Table() = default;
    explicit Table(std::vector<std::string> column_names);

    /// Throws std::logic_error unless the row has one cell per column.
    void
    add_row(Row row);

    void
    add_remark(std::string remark);

    const std::vector<std::string> &
    columns() const;

    const std::vector<Row> &
    rows() const;

    const std::vector<std::string> &
    remarks() const;

    /// All numbers of a column, in the order of the rows; words become
    /// unknown. Throws std::logic_error for a name that is not a column.
    std::vector<double>
    column(const std::string &name) const;

    /// "# remark" lines, the header, the rows, separated by ", "; numbers with
    /// as many digits as it takes to read them back exactly. A word that holds
    /// a comma, a quote or a line break is quoted.
    void
    write_csv(std::ostream &out) const;

    /// The inverse of write_csv: cells that parse as a number are numbers.
    /// Throws InputError naming `source` and the line of a malformed table.
    static Table
    read_csv(std::istream &in, const std::string &source);

  private:
    std::vector<std::string> names;
    std::vector<Row>         all_rows;
    std::vector<std::string> all_remarks;
  };
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_base_table_h
#define slender_base_table_h

#include <iosfwd>
#include <string>
#include <variant>
#include <vector>

namespace slender
{
  /**
   * A table of results: named columns, one row per sample, and remarks that
   * are written as comment lines above the header. See TableFile for one that
   * grows on the disk.
   */
  class Table
  {
  public:
    /// Numbers, counts or words; a value that is not known is a quiet NaN.
    using Cell = std::variant<double, long, std::string>;
    using Row  = std::vector<Cell>;

    /// A NaN of our own, which no arithmetic makes of numbers: so that a value
    /// that is known to be unknown can be told from one that went wrong.
    static constexpr double unknown = __builtin_nan("0x5e");

    /// Whether a number is `unknown`, or was computed from it.
    static bool
    is_unknown(double number);

    /// Numbers that are infinite, or NaN without being unknown.
    static bool
    is_not_finite(const Cell &cell);

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

    // The lines of write_csv, each with its line break.

    static std::string
    header_line(const std::vector<std::string> &column_names);

    static std::string
    row_line(const Row &row);

    /// One comment line for each line of the remark.
    static std::string
    remark_lines(const std::string &remark);

    /// The inverse of write_csv: cells that parse as a number are numbers, and
    /// lines that begin with '#' are remarks, wherever they are.
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

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_output_table_file_h
#define slender_output_table_file_h

#include <slender/base/table.h>
#include <slender/output/open_file.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace slender
{
  /**
   * A table that grows on the disk, in the form of Table::write_csv(): the
   * header is there at once, and every row and remark is handed to the
   * operating system whole before the call returns, so that the file can be
   * followed while it grows and a killed run loses no row. Rows are not kept in
   * memory.
   *
   * If the disk is full, what was half written is taken back and DiskError
   * thrown.
   */
  class TableFile
  {
  public:
    /// How far a table has come.
    struct Position
    {
      std::int64_t bytes = 0;
      std::int64_t rows  = 0;
    };

    /// Begins a new table, in the place of an earlier file.
    TableFile(const std::filesystem::path    &path,
              const std::vector<std::string> &columns);

    /// Goes on with a table from an earlier position; what was written after
    /// it is dropped. Throws InputError if the file is shorter, has another
    /// header, or if no row ends at that position.
    TableFile(const std::filesystem::path    &path,
              const std::vector<std::string> &columns,
              Position                        position);

    TableFile(const TableFile &) = delete;
    TableFile &
    operator=(const TableFile &) = delete;

    /// Throws std::logic_error unless the row has one cell per column.
    void
    add_row(const Table::Row &row);

    /// A comment line between the rows.
    void
    add_remark(const std::string &remark);

    Position
    position() const;

    /// Waits until all rows are on the disk.
    void
    sync();

  private:
    void
    append(const std::string &text);

    std::size_t n_columns;
    OpenFile    file;
    Position    end;
  };
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/output/table_file.h>

#include <fstream>
#include <stdexcept>

namespace slender
{
  namespace
  {
    /// Checks what can be checked without reading the rows: the header, and
    /// that a line ends where we go on.
    void
    require_continuable(const std::filesystem::path    &file,
                        const std::vector<std::string> &columns,
                        const TableFile::Position      &position)
    {
      const std::string header = Table::header_line(columns);
      const auto        refuse = [&file](const std::string &reason) {
        throw InputError("the table '" + file.string() +
                         "' cannot be continued: " + reason);
      };

      std::ifstream in(file, std::ios::binary);
      if (!in)
        refuse("it cannot be read");
      std::string found(header.size(), '\0');
      in.read(found.data(), static_cast<std::streamsize>(found.size()));
      if (found != header)
        refuse("it has other columns than the run that is resumed");

      in.clear();
      in.seekg(0, std::ios::end);
      if (position.rows < 0 ||
          position.bytes < static_cast<std::int64_t>(header.size()) ||
          position.bytes > static_cast<std::int64_t>(in.tellg()))
        refuse("it is shorter than at the checkpoint");
      in.seekg(position.bytes - 1);
      if (in.get() != '\n')
        refuse("no row ends where the checkpoint says");
    }
  } // namespace



  TableFile::TableFile(const std::filesystem::path    &path,
                       const std::vector<std::string> &columns)
    : n_columns(columns.size())
    , file(path, OpenFile::Mode::create)
  {
    append(Table::header_line(columns));
  }



  TableFile::TableFile(const std::filesystem::path    &path,
                       const std::vector<std::string> &columns,
                       const Position                  position)
    : n_columns(columns.size())
    , file((require_continuable(path, columns, position), path),
           OpenFile::Mode::extend)
    , end(position)
  {
    file.truncate(end.bytes);
  }



  void
  TableFile::add_row(const Table::Row &row)
  {
    if (row.size() != n_columns)
      throw std::logic_error("a row of " + std::to_string(row.size()) +
                             " cells in a table of " +
                             std::to_string(n_columns) + " columns");
    append(Table::row_line(row));
    ++end.rows;
  }



  void
  TableFile::add_remark(const std::string &remark)
  {
    append(Table::remark_lines(remark));
  }



  TableFile::Position
  TableFile::position() const
  {
    return end;
  }



  void
  TableFile::sync()
  {
    file.sync();
  }



  void
  TableFile::append(const std::string &text)
  {
    try
      {
        file.write(text, end.bytes);
      }
    catch (const DiskError &)
      {
        file.truncate(end.bytes);
        throw;
      }
    end.bytes += static_cast<std::int64_t>(text.size());
  }
} // namespace slender

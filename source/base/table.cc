// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/base/table.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <istream>
#include <iterator>
#include <optional>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace slender
{
  namespace
  {
    // ---------------------------------------------------------- numbers ---

    template <typename Number>
    std::string
    shortest_text(const Number number)
    {
      std::array<char, 64> text{};
      const auto           result =
        std::to_chars(text.data(), text.data() + text.size(), number);
      return {text.data(), result.ptr};
    }

    template <typename Number>
    std::optional<Number>
    parse_whole_text(const std::string &text)
    {
      Number      number = 0;
      const char *end    = text.data() + text.size();
      const auto  result = std::from_chars(text.data(), end, number);
      if (result.ec != std::errc() || result.ptr != end)
        return std::nullopt;
      return number;
    }

    /// A count only where the count is written in the same way again: "-0"
    /// must keep its sign, which only a floating-point number can.
    std::optional<Table::Cell>
    parse_number(const std::string &text)
    {
      const bool has_plus =
        text.size() > 1 && text[0] == '+' &&
        (text[1] == '.' || std::isdigit(static_cast<unsigned char>(text[1])));
      const std::string digits = has_plus ? text.substr(1) : text;

      const auto count = parse_whole_text<long>(digits);
      if (count && shortest_text(*count) == digits)
        return *count;
      if (const auto number = parse_whole_text<double>(digits))
        return std::isnan(*number) ? Table::unknown : *number;
      return std::nullopt;
    }



    // ---------------------------------------------------------- writing ---

    std::string
    in_quotes(const std::string &word)
    {
      std::string text = "\"";
      for (const char c : word)
        text += (c == '"') ? std::string("\"\"") : std::string(1, c);
      return text + '"';
    }

    /// Quotes are also needed by words that would be read back as something
    /// else: without the blanks at their ends, as a remark, or as a number.
    std::string
    word_as_text(const std::string &word)
    {
      const auto is_blank = [](const char c) { return c == ' ' || c == '\t'; };
      const bool is_ambiguous =
        !word.empty() && (is_blank(word.front()) || is_blank(word.back()) ||
                          word.front() == '#' || parse_number(word));
      const bool is_special =
        word.find_first_of(",\"\r\n") != std::string::npos;
      return is_ambiguous || is_special ? in_quotes(word) : word;
    }

    std::string
    as_text(const Table::Cell &cell)
    {
      if (const auto *word = std::get_if<std::string>(&cell))
        return word_as_text(*word);
      if (const auto *count = std::get_if<long>(&cell))
        return shortest_text(*count);

      // The sign of a NaN says nothing, yet to_chars writes it.
      const double number = std::get<double>(cell);
      return std::isnan(number) ? "nan" : shortest_text(number);
    }

    /// One line of the table.
    template <typename Item, typename ToText>
    std::string
    joined(const std::vector<Item> &items, const ToText &to_text)
    {
      std::string line;
      for (const Item &item : items)
        line += (&item == items.data() ? "" : ", ") + to_text(item);
      // A line that is blank as a whole would be skipped when read.
      return (line.empty() ? "\"\"" : line) + '\n';
    }



    // ---------------------------------------------------------- reading ---

    /// Walks through the text of a table, line by line and cell by cell.
    class CsvReader
    {
    public:
      struct Field
      {
        std::string text;
        bool        is_quoted;
      };

      CsvReader(std::string content, std::string source_name)
        : text(std::move(content))
        , source(std::move(source_name))
      {
        const std::string byte_order_mark = "\xEF\xBB\xBF";
        if (text.compare(0, byte_order_mark.size(), byte_order_mark) == 0)
          position = byte_order_mark.size();
      }

      [[noreturn]] void
      complain(const std::string &message) const
      {
        throw InputError(source + ':' + std::to_string(line) + ": " + message);
      }

      /// Goes to the next line that is not blank, if there is one.
      bool
      find_line()
      {
        for (; position < text.size() && is_white(text[position]); ++position)
          if (text[position] == '\n')
            ++next_line;
        line = next_line;
        return position < text.size();
      }

      /// The rest of the line if it is a remark.
      std::optional<std::string>
      read_remark()
      {
        if (!take('#'))
          return std::nullopt;
        take(' ');
        std::string remark = read_until("\n");
        if (!remark.empty() && remark.back() == '\r')
          remark.pop_back();
        return remark;
      }

      std::vector<Field>
      read_fields()
      {
        std::vector<Field> fields = {read_field()};
        while (take(','))
          fields.push_back(read_field());
        return fields;
      }

    private:
      static bool
      is_white(const char c)
      {
        return c == ' ' || c == '\t' || c == '\r' || c == '\n';
      }

      bool
      take(const char c)
      {
        const bool is_there = position < text.size() && text[position] == c;
        if (is_there)
          ++position;
        return is_there;
      }

      std::string
      read_until(const char *ends)
      {
        const std::size_t end =
          std::min(text.find_first_of(ends, position), text.size());
        const std::size_t begin = std::exchange(position, end);
        return text.substr(begin, end - begin);
      }

      void
      skip_blanks()
      {
        while (take(' ') || take('\t') || take('\r'))
          ;
      }

      Field
      read_field()
      {
        skip_blanks();
        if (take('"'))
          return {read_quoted(), true};

        std::string word = read_until(",\n");
        while (!word.empty() && is_white(word.back()))
          word.pop_back();
        return {word, false};
      }

      /// Two quotes within the word stand for one.
      std::string
      read_quoted()
      {
        std::string word = read_to_closing_quote();
        while (take('"'))
          word += '"' + read_to_closing_quote();
        next_line += std::count(word.begin(), word.end(), '\n');

        skip_blanks();
        if (position < text.size() && text[position] != ',' &&
            text[position] != '\n')
          complain("text follows after a closing quote; ',' or the end of the "
                   "line is expected");
        return word;
      }

      std::string
      read_to_closing_quote()
      {
        std::string part = read_until("\"");
        if (!take('"'))
          complain("a quoted cell is never closed; a quote is expected at its "
                   "end");
        return part;
      }

      std::string text;
      std::string source;
      std::size_t position  = 0;
      std::size_t line      = 1; ///< where the current row begins
      std::size_t next_line = 1;
    };

    Table::Cell
    as_cell(const CsvReader::Field &field)
    {
      if (!field.is_quoted)
        if (const auto number = parse_number(field.text))
          return *number;
      return field.text;
    }

    Table::Row
    as_row(const std::vector<CsvReader::Field> &fields)
    {
      Table::Row row(fields.size());
      std::transform(fields.begin(), fields.end(), row.begin(), as_cell);
      return row;
    }

    std::vector<std::string>
    as_names(const std::vector<CsvReader::Field> &fields)
    {
      std::vector<std::string> names;
      names.reserve(fields.size());
      for (const auto &field : fields)
        names.push_back(field.text);
      return names;
    }

    double
    as_number(const Table::Cell &cell)
    {
      if (const auto *number = std::get_if<double>(&cell))
        return *number;
      if (const auto *count = std::get_if<long>(&cell))
        return static_cast<double>(*count);
      return Table::unknown;
    }
  } // namespace



  Table::Table(std::vector<std::string> column_names)
    : names(std::move(column_names))
  {}



  void
  Table::add_row(Row row)
  {
    if (row.size() != names.size())
      throw std::logic_error("a row of " + std::to_string(row.size()) +
                             " cells in a table of " +
                             std::to_string(names.size()) + " columns");
    all_rows.push_back(std::move(row));
  }



  void
  Table::add_remark(std::string remark)
  {
    all_remarks.push_back(std::move(remark));
  }



  const std::vector<std::string> &
  Table::columns() const
  {
    return names;
  }



  const std::vector<Table::Row> &
  Table::rows() const
  {
    return all_rows;
  }



  const std::vector<std::string> &
  Table::remarks() const
  {
    return all_remarks;
  }



  std::vector<double>
  Table::column(const std::string &name) const
  {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw std::logic_error("a table has no column '" + name + "'");
    const auto index = static_cast<std::size_t>(found - names.begin());

    std::vector<double> numbers;
    numbers.reserve(all_rows.size());
    for (const Row &row : all_rows)
      numbers.push_back(as_number(row[index]));
    return numbers;
  }



  bool
  Table::is_unknown(const double number)
  {
    const auto bits = [](const double x) {
      std::uint64_t result = 0;
      std::memcpy(&result, &x, sizeof(x));
      return result << 1; // without the sign
    };
    return bits(number) == bits(unknown);
  }



  bool
  Table::is_not_finite(const Cell &cell)
  {
    const auto *number = std::get_if<double>(&cell);
    return number != nullptr && !std::isfinite(*number) && !is_unknown(*number);
  }



  std::string
  Table::header_line(const std::vector<std::string> &column_names)
  {
    return joined(column_names, word_as_text);
  }



  std::string
  Table::row_line(const Row &row)
  {
    return joined(row, as_text);
  }



  std::string
  Table::remark_lines(const std::string &remark)
  {
    std::string        result;
    std::istringstream lines(remark + '\n');
    for (std::string line; std::getline(lines, line);)
      result += (line.empty() ? "#" : "# ") + line + '\n';
    return result;
  }



  void
  Table::write_csv(std::ostream &out) const
  {
    for (const std::string &remark : all_remarks)
      out << remark_lines(remark);
    out << header_line(names);
    for (const Row &row : all_rows)
      out << row_line(row);
  }



  Table
  Table::read_csv(std::istream &in, const std::string &source)
  {
    if (!in)
      throw InputError(source + ": the table cannot be read; a readable .csv "
                                "file is expected");
    CsvReader reader({std::istreambuf_iterator<char>(in), {}}, source);

    Table table;
    bool  has_header = false;
    while (reader.find_line())
      if (auto remark = reader.read_remark())
        table.add_remark(*std::move(remark));
      else if (!std::exchange(has_header, true))
        table.names = as_names(reader.read_fields());
      else
        {
          Row row = as_row(reader.read_fields());
          if (row.size() != table.names.size())
            reader.complain("the line has " + std::to_string(row.size()) +
                            " cells; as many as the header has columns, " +
                            std::to_string(table.names.size()) +
                            ", are expected");
          table.add_row(std::move(row));
        }

    if (!has_header)
      reader.complain("the table is empty; a line with the names of its "
                      "columns is expected");
    return table;
  }
} // namespace slender

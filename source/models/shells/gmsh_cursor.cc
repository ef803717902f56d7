// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/shells/gmsh_cursor.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace slender
{
  namespace
  {
    bool
    is_blank(const char c)
    {
      return c == ' ' || c == '\t' || c == '\r';
    }

    bool
    is_space(const char c)
    {
      return is_blank(c) || c == '\n';
    }

    /// What can be shown of a word of the file: not much of it, and nothing
    /// that a terminal would obey.
    std::string
    shown(const std::string_view word)
    {
      std::string result(word.substr(0, 20));
      for (char &c : result)
        if (c < ' ' || c > '~')
          c = '?';
      return "'" + result + (word.size() > 20 ? "..." : "") + "'";
    }
  } // namespace

  GmshCursor::GmshCursor(const std::string_view the_bytes, std::string a_path)
    : bytes(the_bytes)
    , path(std::move(a_path))
  {}

  void
  GmshCursor::refuse(const std::string &why) const
  {
    const std::string where =
      encoding == Encoding::text
        ? "line " + std::to_string(
                      1 + std::count(bytes.begin(), bytes.begin() + last, '\n'))
        : "byte " + std::to_string(last);
    throw InputError("mesh '" + path + "' cannot be read, " + where + ": " +
                     why);
  }

  bool
  GmshCursor::skip_space()
  {
    while (place < bytes.size() && is_space(bytes[place]))
      ++place;
    last = place;
    return place < bytes.size();
  }

  std::string_view
  GmshCursor::line()
  {
    last                     = place;
    const std::size_t end    = std::min(bytes.find('\n', place), bytes.size());
    std::string_view  result = bytes.substr(place, end - place);
    place                    = std::min(end + 1, bytes.size());
    while (!result.empty() && is_blank(result.back()))
      result.remove_suffix(1);
    while (!result.empty() && is_blank(result.front()))
      result.remove_prefix(1);
    return result;
  }

  void
  GmshCursor::advance(const std::size_t n_bytes)
  {
    last = place;
    if (n_bytes > bytes.size() - place)
      refuse("the file ends here, although more was announced");
    place += n_bytes;
  }

  void
  GmshCursor::begin_record()
  {
    if (encoding == Encoding::text && !skip_space())
      refuse("the file ends here, although more was announced");
  }

  void
  GmshCursor::end_record()
  {
    if (encoding != Encoding::text)
      return;
    while (place < bytes.size() && is_blank(bytes[place]))
      ++place;
    if (place < bytes.size() && bytes[place] != '\n')
      {
        last = place;
        refuse("the line should end before " + shown(word()));
      }
  }

  std::string_view
  GmshCursor::word()
  {
    while (place < bytes.size() && is_blank(bytes[place]))
      ++place;
    last = place;
    while (place < bytes.size() && !is_space(bytes[place]))
      ++place;
    return bytes.substr(last, place - last);
  }

  template <typename Number>
  Number
  GmshCursor::from_word(const std::string &expected)
  {
    const std::string_view text = word();
    if (text.empty())
      refuse("a number is missing; " + expected + " is expected");
    Number     value{};
    const auto end = text.data() + text.size();
    // A sign that from_chars does not know.
    const auto begin  = text.data() + (text[0] == '+' ? 1 : 0);
    const auto result = std::from_chars(begin, end, value);
    if (result.ec != std::errc() || result.ptr != end ||
        text.substr(0, 2) == "+-")
      refuse(shown(text) + " is not " + expected);
    return value;
  }

  template <typename Number>
  Number
  GmshCursor::from_bytes()
  {
    const std::size_t begin = place;
    advance(sizeof(Number));
    char raw[sizeof(Number)];
    std::memcpy(raw, bytes.data() + begin, sizeof(Number));
    if (encoding == Encoding::swapped)
      std::reverse(raw, raw + sizeof(Number));
    Number value;
    std::memcpy(&value, raw, sizeof(Number));
    return value;
  }

  int
  GmshCursor::integer()
  {
    static_assert(sizeof(int) == 4, "as in files of gmsh");
    return encoding == Encoding::text ? from_word<int>("an integer")
                                      : from_bytes<int>();
  }

  std::uint64_t
  GmshCursor::size()
  {
    return encoding == Encoding::text
             ? from_word<std::uint64_t>("an integer that is not negative")
             : from_bytes<std::uint64_t>();
  }

  double
  GmshCursor::number()
  {
    const double value = encoding == Encoding::text
                           ? from_word<double>("a number")
                           : from_bytes<double>();
    // Beyond that, squares of distances would not be finite.
    if (!(std::abs(value) <= 1e100))
      refuse("a coordinate must be a finite number, at most 1e100");
    return value;
  }

  void
  GmshCursor::check_room(const std::uint64_t count,
                         const std::size_t   least_bytes_in_text,
                         const std::size_t   bytes_in_binary,
                         const std::string  &of_what) const
  {
    const std::size_t each =
      encoding == Encoding::text ? least_bytes_in_text : bytes_in_binary;
    // The last line needs no end.
    const std::size_t most = (bytes.size() - place + 1) / each;
    if (count > most)
      refuse(std::to_string(count) + " " + of_what +
             " are announced, but the file is too short for more than " +
             std::to_string(most));
  }
} // namespace slender

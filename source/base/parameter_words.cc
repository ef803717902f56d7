// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/base/parameter_file.h>
#include <slender/base/parameter_words.h>
#include <slender/base/printable.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <sstream>
#include <utility>

namespace slender::parameter_words
{
  namespace
  {
    /// "[List of <[Double]> of length 1...3 (inclusive)]" taken apart: the
    /// first word, the patterns within, and what follows after them.
    struct Description
    {
      std::string              kind;
      std::vector<std::string> inner_patterns;
      std::string              tail;
    };

    std::string
    without_brackets(const std::string &description)
    {
      const bool has_brackets = description.size() >= 2 &&
                                description.front() == '[' &&
                                description.back() == ']';
      return has_brackets ? description.substr(1, description.size() - 2)
                          : description;
    }

    Description
    take_apart(const std::string &pattern_description)
    {
      const std::string text        = without_brackets(pattern_description);
      const std::size_t end_of_kind = std::min(text.find(' '), text.size());

      Description description;
      description.kind = text.substr(0, end_of_kind);

      std::size_t tail_begin = end_of_kind;
      std::size_t begin      = 0;
      int         depth      = 0;
      for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] == '[' && depth++ == 0)
          begin = i;
        else if (text[i] == ']' && --depth == 0)
          {
            tail_begin = i + 1;
            description.inner_patterns.push_back(
              text.substr(begin, tail_begin - begin));
          }
      description.tail = text.substr(tail_begin);
      return description;
    }

    /// The ends of a range as deal.II prints them, empty where they are only
    /// the limit of what the type of number can hold.
    struct Range
    {
      std::string lower;
      std::string upper;
    };

    Range
    range_in(const std::string &tail)
    {
      static const std::vector<std::string> limits = {"-MAX_DOUBLE",
                                                      "MAX_DOUBLE",
                                                      "-inf",
                                                      "inf",
                                                      "-2147483648",
                                                      "2147483647",
                                                      "4294967295"};
      const auto unless_limit = [](const std::string &end) {
        const bool is_limit =
          std::find(limits.begin(), limits.end(), end) != limits.end();
        return is_limit ? std::string() : end;
      };

      const std::size_t dots = tail.find("...");
      if (dots == std::string::npos)
        return {};
      const std::size_t begin = tail.rfind(' ', dots) + 1;
      const std::size_t end   = tail.find(' ', dots);
      return {unless_limit(tail.substr(begin, dots - begin)),
              unless_limit(tail.substr(dots + 3, end - dots - 3))};
    }

    /// A tiny lower end is how a pattern excludes zero.
    bool
    is_just_above_zero(const std::string &number)
    {
      double value = 0.;
      std::from_chars(number.data(), number.data() + number.size(), value);
      return value > 0. && value < 1e-99;
    }

    std::string
    number_in_range(const std::string &number, const Range &range)
    {
      const bool        is_positive = is_just_above_zero(range.lower);
      const std::string from        = is_positive ? "0" : range.lower;

      if (from.empty() && range.upper.empty())
        return number;
      if (from.empty())
        return number + " of at most " + range.upper;
      if (range.upper.empty())
        return number + (is_positive ? " greater than " : " of at least ") +
               from;
      if (is_positive)
        return number + " greater than 0 and at most " + range.upper;
      return number + " from " + from + " to " + range.upper;
    }

    std::string
    length_of_list(const Range &length)
    {
      const bool any_shortness = length.lower.empty() || length.lower == "0";
      if (any_shortness && length.upper.empty())
        return "items";
      if (any_shortness)
        return "at most " + length.upper + " items";
      if (length.upper.empty())
        return "at least " + length.lower + " items";
      if (length.lower == length.upper)
        return length.lower + (length.lower == "1" ? " item" : " items");
      return length.lower + " to " + length.upper + " items";
    }

    std::string
    separated_by(const std::string &tail, const std::string &usual_separator)
    {
      const std::string prefix = "separated by <";
      const std::size_t found  = tail.find(prefix);
      if (found == std::string::npos)
        return "separated by " + in_quotes(usual_separator);
      const std::size_t begin = found + prefix.size();
      return "separated by " +
             in_quotes(tail.substr(begin, tail.rfind('>') - begin));
    }

    std::string
    list_in_words(const Description &list)
    {
      return "a list of " + length_of_list(range_in(list.tail)) + ' ' +
             separated_by(list.tail, ",") + ", each " +
             expected_value(list.inner_patterns.at(0));
    }

    std::string
    map_in_words(const Description &map)
    {
      return "a list of " + length_of_list(range_in(map.tail)) + ' ' +
             separated_by(map.tail, ",") + ", each a pair 'key:value' of " +
             expected_value(map.inner_patterns.at(0)) + " and " +
             expected_value(map.inner_patterns.at(1));
    }

    std::string
    tuple_in_words(const Description &tuple)
    {
      std::string words = std::to_string(tuple.inner_patterns.size()) +
                          " items " + separated_by(tuple.tail, ":");
      std::string link = ": ";
      for (const std::string &pattern : tuple.inner_patterns)
        {
          words += link + expected_value(pattern);
          link = ", then ";
        }
      return words;
    }

    bool
    is_of_kind(const std::string &pattern_description, const std::string &kind)
    {
      const std::string text = without_brackets(pattern_description);
      return text.compare(0, kind.size() + 1, kind + ' ') == 0;
    }

    std::vector<std::string>
    split(const std::string &text, const char separator)
    {
      std::vector<std::string> parts;
      std::istringstream       stream(text);
      for (std::string part; std::getline(stream, part, separator);)
        parts.push_back(trimmed(part));
      return parts;
    }

    /// "[Selection a|b c|d ]" -> "a", "b c", "d". Words may hold brackets.
    std::vector<std::string>
    words_of_selection(const std::string &pattern_description)
    {
      const std::string text = without_brackets(pattern_description);
      return split(text.substr(std::min(text.find(' '), text.size())), '|');
    }
  } // namespace



  std::string
  expected_value(const std::string &pattern_description)
  {
    if (is_of_kind(pattern_description, "Selection"))
      return quoted_list(words_of_selection(pattern_description), " or ");
    if (is_of_kind(pattern_description, "MultipleSelection"))
      return "any of " +
             quoted_list(words_of_selection(pattern_description), " and ") +
             ", separated by ','";

    const Description description = take_apart(pattern_description);
    const std::size_t n_inner     = description.inner_patterns.size();

    if (description.kind == "Integer")
      return number_in_range("a whole number", range_in(description.tail));
    if (description.kind == "Double")
      return number_in_range("a number", range_in(description.tail));
    if (description.kind == "Bool")
      return "'true' or 'false'";
    if (description.kind == "Anything")
      return "any text";
    if (description.kind == "FileName")
      return "the name of a file";
    if (description.kind == "DirectoryName")
      return "the name of a directory";
    if (description.kind == "List" && n_inner == 1)
      return list_in_words(description);
    if (description.kind == "Map" && n_inner == 2)
      return map_in_words(description);
    if (description.kind == "Tuple" && n_inner > 0)
      return tuple_in_words(description);

    return "a value of the form " + pattern_description;
  }



  Choice
  wrong_choice(const std::string &pattern_description, const std::string &value)
  {
    if (take_apart(pattern_description).kind == "Bool")
      return {value, {"true", "false"}};
    if (is_of_kind(pattern_description, "Selection"))
      return {value, words_of_selection(pattern_description)};
    if (!is_of_kind(pattern_description, "MultipleSelection"))
      return {value, {}};

    const auto allowed = words_of_selection(pattern_description);
    for (const std::string &word : split(value, ','))
      if (std::find(allowed.begin(), allowed.end(), word) == allowed.end())
        return {word, allowed};
    return {value, allowed};
  }



  std::string
  in_quotes(const std::string &text)
  {
    constexpr std::size_t longest = 80;
    if (text.size() <= longest)
      return "'" + text + "'";

    // Cut in front of a character, not within its UTF-8 bytes.
    std::size_t end = longest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
      --end;
    return "'" + text.substr(0, end) + "...'";
  }



  std::string
  quoted_list(const std::vector<std::string> &words,
              const std::string              &last_link)
  {
    std::string list;
    for (std::size_t i = 0; i < words.size(); ++i)
      {
        if (i > 0)
          list += (i + 1 == words.size()) ? last_link : ", ";
        list += in_quotes(words[i]);
      }
    return list;
  }



  std::string
  trimmed(const std::string &text)
  {
    const char       *blanks = " \t\r\n\v\f";
    const std::size_t begin  = text.find_first_not_of(blanks);
    if (begin == std::string::npos)
      return "";
    return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
  }



  std::string
  choice_among(const std::string &name, const std::vector<std::string> &names)
  {
    const auto near = nearest_name(name, names);
    return (near ? "; did you mean '" + *near + "'?" : ";") + " there are " +
           quoted_list(names, " and ");
  }

  std::string
  single_spaced(const std::string &name)
  {
    std::istringstream stream(name);
    std::string        result;
    for (std::string word; stream >> word;)
      result += (result.empty() ? "" : " ") + word;
    return result;
  }



  void
  fail(const std::string &origin, const std::string &message)
  {
    throw InputError(printable(origin + ": " + message));
  }
} // namespace slender::parameter_words



namespace slender
{
  namespace
  {
    /// How many letters must be left out, put in, replaced or swapped with
    /// their neighbour to turn one word into the other, ignoring case.
    std::size_t
    edit_distance(const std::string &a, const std::string &b)
    {
      const auto same = [&](const std::size_t i, const std::size_t j) {
        return std::tolower(static_cast<unsigned char>(a[i - 1])) ==
               std::tolower(static_cast<unsigned char>(b[j - 1]));
      };

      std::vector<std::size_t> before_last;
      std::vector<std::size_t> last(b.size() + 1);
      std::vector<std::size_t> current(b.size() + 1);
      for (std::size_t j = 0; j <= b.size(); ++j)
        current[j] = j;
      for (std::size_t i = 1; i <= a.size(); ++i)
        {
          before_last = std::exchange(last, current);
          current[0]  = i;
          for (std::size_t j = 1; j <= b.size(); ++j)
            {
              current[j] = std::min({last[j] + 1,
                                     current[j - 1] + 1,
                                     last[j - 1] + (same(i, j) ? 0 : 1)});
              if (i > 1 && j > 1 && same(i, j - 1) && same(i - 1, j))
                current[j] = std::min(current[j], before_last[j - 2] + 1);
            }
        }
      return current.back();
    }
  } // namespace



  std::optional<std::string>
  nearest_name(const std::string              &word,
               const std::vector<std::string> &candidates)
  {
    std::optional<std::string> nearest;
    std::size_t                least_distance = 0;
    for (const std::string &candidate : candidates)
      {
        // Farther than a third of the letters, it is another word.
        const std::size_t longer  = std::max(word.size(), candidate.size());
        const std::size_t shorter = std::min(word.size(), candidate.size());
        const std::size_t limit   = longer / 3;
        if (longer - shorter > limit)
          continue;
        const std::size_t distance = edit_distance(word, candidate);
        if (distance <= limit && (!nearest || distance < least_distance))
          {
            nearest        = candidate;
            least_distance = distance;
          }
      }
    return nearest;
  }
} // namespace slender

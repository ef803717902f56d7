// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_base_parameter_words_h
#define slender_base_parameter_words_h

#include <string>
#include <vector>

/**
 * deal.II describes a pattern for machines, as in "[Integer range
 * 1...100000 (inclusive)]", and gives no other access to what it holds.
 * These functions read that description and say it in words for a user.
 */
namespace slender::parameter_words
{
  /// What a pattern accepts: "a whole number from 1 to 100000".
  std::string
  expected_value(const std::string &pattern_description);

  /// The words of which `value` should have been one (or several), and the
  /// first of its words that is none of them.
  struct Choice
  {
    std::string              wrong_word;
    std::vector<std::string> allowed_words;
  };

  /// Nothing is allowed in particular where a pattern is not a selection.
  Choice
  wrong_choice(const std::string &pattern_description,
               const std::string &value);

  /// 'text' between quotes, cut where it gets too long for a message.
  std::string
  in_quotes(const std::string &text);

  /// 'a', 'b' or 'c', with `last_link` before the last one.
  std::string
  quoted_list(const std::vector<std::string> &words,
              const std::string              &last_link);

  /// For the end of a message about a wrong name: what was perhaps meant, and
  /// what there is.
  std::string
  choice_among(const std::string &name, const std::vector<std::string> &names);

  /// A name as it is declared, however its words were spaced out.
  std::string
  single_spaced(const std::string &name);

  /// Without the white space at its ends.
  std::string
  trimmed(const std::string &text);

  /// Throws InputError with one line, "origin: message", whatever control
  /// characters the names and values in it hold.
  [[noreturn]] void
  fail(const std::string &origin, const std::string &message);
} // namespace slender::parameter_words

#endif

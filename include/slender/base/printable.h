// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_base_printable_h
#define slender_base_printable_h

#include <string>

namespace slender
{
  /// Whether a text holds control characters (other than tabs), with which a
  /// file could take over a user's terminal.
  bool
  has_control_characters(const std::string &text);

  /// A text on one line, with a space for each control character: what may be
  /// shown of a user's words.
  std::string
  printable(const std::string &text);
} // namespace slender

#endif

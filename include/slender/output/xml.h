// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_output_xml_h
#define slender_output_xml_h

#include <string>

namespace slender::xml
{
  /// A text as it may stand in an attribute. Control characters, which no XML
  /// file may hold, are dropped.
  std::string
  escaped(const std::string &text);

  /// The inverse of escaped().
  std::string
  unescaped(const std::string &text);

  /// name="value"
  std::string
  attribute(const std::string &name, const std::string &value);

  /// The shortest digits that read back as the same number, whatever the
  /// locale.
  std::string
  digits(double number);

  /// byte_order="..." of the numbers that this machine writes.
  std::string
  byte_order();
} // namespace slender::xml

#endif

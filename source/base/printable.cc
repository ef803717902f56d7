// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/printable.h>

namespace slender
{
  namespace
  {
    /// The length of the control character that begins at i, or 0. Terminals
    /// obey those of ASCII and U+0080 to U+009F, two bytes in UTF-8.
    std::size_t
    control_character_at(const std::string &text, const std::size_t i)
    {
      const auto byte = [&](const std::size_t k) {
        return static_cast<unsigned char>(text[k]);
      };
      if (byte(i) < 0x20 || byte(i) == 0x7F)
        return 1;
      const bool is_c1 = byte(i) == 0xC2 && i + 1 < text.size() &&
                         byte(i + 1) >= 0x80 && byte(i + 1) < 0xA0;
      return is_c1 ? 2 : 0;
    }
  } // namespace



  bool
  has_control_characters(const std::string &text)
  {
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] != '\t' && control_character_at(text, i) > 0)
        return true;
    return false;
  }



  std::string
  printable(const std::string &text)
  {
    std::string result;
    for (std::size_t i = 0; i < text.size();)
      if (const std::size_t length = control_character_at(text, i))
        {
          result += ' ';
          i += length;
        }
      else
        result += text[i++];
    return result;
  }
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/output/xml.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <utility>

namespace slender::xml
{
  namespace
  {
    constexpr std::array<std::pair<char, const char *>, 5> entities = {
      {{'&', "&amp;"},
       {'<', "&lt;"},
       {'>', "&gt;"},
       {'"', "&quot;"},
       {'\'', "&apos;"}}};
  } // namespace



  std::string
  escaped(const std::string &text)
  {
    std::string result;
    for (const char letter : text)
      {
        const char *entity = nullptr;
        for (const auto &[character, name] : entities)
          if (letter == character)
            entity = name;
        if (entity != nullptr)
          result += entity;
        else if (static_cast<unsigned char>(letter) >= 32 && letter != 127)
          result += letter;
      }
    return result;
  }



  std::string
  unescaped(const std::string &text)
  {
    std::string result;
    for (std::size_t i = 0; i < text.size();)
      {
        std::size_t length = 1;
        char        letter = text[i];
        for (const auto &[character, name] : entities)
          if (text.compare(i, std::strlen(name), name) == 0)
            {
              length = std::strlen(name);
              letter = character;
            }
        result += letter;
        i += length;
      }
    return result;
  }



  std::string
  attribute(const std::string &name, const std::string &value)
  {
    return name + "=\"" + escaped(value) + '"';
  }



  std::string
  digits(const double number)
  {
    char       buffer[32];
    const auto end =
      std::to_chars(std::begin(buffer), std::end(buffer), number).ptr;
    return {buffer, end};
  }



  std::string
  byte_order()
  {
    const std::uint16_t one        = 1;
    unsigned char       first_byte = 0;
    std::memcpy(&first_byte, &one, 1);
    return attribute("byte_order",
                     first_byte == 1 ? "LittleEndian" : "BigEndian");
  }
} // namespace slender::xml

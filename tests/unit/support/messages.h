// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_tests_support_messages_h
#define slender_tests_support_messages_h

#include <slender/base/errors.h>

#include <boost/test/unit_test.hpp>

#include <string>

namespace slender::test
{
  /// The message of the InputError that a function throws.
  template <class Function>
  std::string
  message_of(const Function &function)
  {
    try
      {
        function();
      }
    catch (const InputError &error)
      {
        return error.what();
      }
    return "no error";
  }

  /// It says these words, in one line.
  inline void
  check_message(const std::string &message, const std::string &words)
  {
    BOOST_TEST(message.find(words) != std::string::npos,
               "'" << message << "' does not say '" << words << "'");
    BOOST_TEST(message.find('\n') == std::string::npos);
  }
} // namespace slender::test

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/progress.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <sstream>
#include <string>
#include <thread>

namespace
{
  using slender::Progress;

  /// Progress is silent for a second.
  void
  outlast_the_silence()
  {
    std::this_thread::sleep_for(std::chrono::milliseconds(1050));
  }

  /// With T in the place of every time, which depends on how busy the machine
  /// is: "T s", "T min T s", "T h T min".
  std::string
  without_times(const std::string &text)
  {
    const std::string digits = "0123456789";
    std::string       result;
    std::size_t       position = 0;
    while (position < text.size())
      {
        const std::size_t begin =
          std::min(text.find_first_of(digits, position), text.size());
        const std::size_t end =
          std::min(text.find_first_not_of(digits, begin), text.size());
        result += text.substr(position, begin - position);
        const bool is_time = text.compare(end, 2, " s") == 0 ||
                             text.compare(end, 4, " min") == 0 ||
                             text.compare(end, 2, " h") == 0;
        result += is_time ? "T" : text.substr(begin, end - begin);
        position = end;
      }
    return result;
  }

  std::ptrdiff_t
  occurrences(const std::string &text, const char c)
  {
    return std::count(text.begin(), text.end(), c);
  }
} // namespace



BOOST_AUTO_TEST_SUITE(progress)

BOOST_AUTO_TEST_CASE(quick_work_is_not_reported)
{
  for (const bool is_terminal : {false, true})
    {
      std::ostringstream out;
      {
        Progress progress(&out, is_terminal, "Cantilever", 100);
        for (int i = 0; i < 100; ++i)
          progress.advance("remark");
      }
      BOOST_TEST(out.str() == "");
    }
}

BOOST_AUTO_TEST_CASE(other_ranks_say_nothing)
{
  Progress progress(nullptr, true, "Cantilever", 1);
  outlast_the_silence();
  BOOST_CHECK_NO_THROW(progress.advance());
}

BOOST_AUTO_TEST_CASE(a_file_gets_a_line_at_every_further_tenth)
{
  std::ostringstream out;
  {
    Progress progress(&out, false, "Cantilever", 1000);
    for (int i = 0; i < 450; ++i)
      progress.advance();
    outlast_the_silence();
    for (int i = 450; i < 1000; ++i)
      progress.advance("two\nlines");
  }
  BOOST_TEST(without_times(out.str()) ==
             "Cantilever: 50 % (500 of 1000), T s, about T s left, two lines\n"
             "Cantilever: 60 % (600 of 1000), T s, about T s left, two lines\n"
             "Cantilever: 70 % (700 of 1000), T s, about T s left, two lines\n"
             "Cantilever: 80 % (800 of 1000), T s, about T s left, two lines\n"
             "Cantilever: 90 % (900 of 1000), T s, about T s left, two lines\n"
             "Cantilever: 100 % (1000 of 1000), T s, two lines\n");
}

BOOST_AUTO_TEST_CASE(a_terminal_gets_one_line_that_is_rarely_rewritten)
{
  std::ostringstream out;
  {
    Progress progress(&out, true, "Cantilever", 100000);
    outlast_the_silence();
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 100000; ++i)
      progress.advance();
    const std::chrono::duration<double> duration =
      std::chrono::steady_clock::now() - begin;

    // The first and the last piece, and ten times a second between.
    BOOST_TEST(occurrences(out.str(), '\r') <= 2 + 10 * duration.count());
    BOOST_TEST(occurrences(out.str(), '\n') == 0);
  }
  const std::string text  = without_times(out.str());
  const std::string first = text.substr(0, text.find('\r', 1));
  BOOST_TEST(first == "\rCantilever: 0 % (1 of 100000), T s, about T h T min "
                      "left\033[K");

  // The last piece is shown although the one before was shown just now.
  const std::string last = text.substr(text.rfind('\r'));
  BOOST_TEST(last == "\rCantilever: 100 % (100000 of 100000), T s\033[K\n");
}

BOOST_AUTO_TEST_CASE(the_time_left_is_in_proportion_to_the_work_left)
{
  std::ostringstream out;
  Progress           progress(&out, true, "Cantilever", 201);
  outlast_the_silence();
  progress.advance();

  // At least 200 times 1.05 s, and as much more as the machine was busy.
  const std::string text = out.str();
  BOOST_TEST(without_times(text) == "\rCantilever: 0 % (1 of 201), T s, about "
                                    "T min T s left\033[K");
  const std::size_t about = text.find("about ");
  BOOST_REQUIRE(about != std::string::npos);
  BOOST_TEST(std::stoi(text.substr(about + 6)) >= 3);
}

BOOST_AUTO_TEST_CASE(a_line_on_a_terminal_does_not_wrap_around)
{
  std::ostringstream out;
  {
    Progress progress(&out, true, "Träger", 2);
    outlast_the_silence();
    std::string remark;
    for (int i = 0; i < 100; ++i)
      remark += "ä";
    progress.advance(remark);
  }
  const std::string text = out.str();
  const auto        n_characters =
    std::count_if(text.begin(), text.end(), [](const char c) {
      return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    });
  const auto n_control_characters = std::string("\r\033[K\n").size();
  BOOST_TEST(n_characters == 79 + n_control_characters);
  BOOST_TEST(text.find("ä\033[K\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(work_of_unknown_extent_is_counted)
{
  std::ostringstream out;
  {
    Progress progress(&out, true, "Search", 0);
    outlast_the_silence();
    progress.advance();
  }
  BOOST_TEST(without_times(out.str()) == "\rSearch: 1 done, T s\033[K\n");
}

BOOST_AUTO_TEST_CASE(more_work_than_announced_is_not_more_than_all)
{
  std::ostringstream out;
  Progress           progress(&out, true, "Search", 1);
  progress.advance();
  outlast_the_silence();
  progress.advance();
  BOOST_TEST(without_times(out.str()) == "\rSearch: 100 % (2 of 1), T s\033[K");
}

BOOST_AUTO_TEST_SUITE_END()

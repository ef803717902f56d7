// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/output/summary.h>

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <limits>
#include <sstream>
#include <stdexcept>

namespace
{
  using slender::Summary;
  using slender::Verdict;

  std::string
  text(const Summary &summary)
  {
    std::ostringstream out;
    write_json(out, summary);
    return out.str();
  }



  nlohmann::ordered_json
  json(const Summary &summary)
  {
    return nlohmann::ordered_json::parse(text(summary));
  }



  Summary
  example()
  {
    Summary summary;
    summary.study              = "cantilever";
    summary.model              = "kirchhoff_rod";
    summary.answer             = "it hangs down";
    summary.verdict            = Verdict::OK;
    summary.distance           = 0.1;
    summary.max_relative_error = 1. / 3.;
    summary.samples            = 40;
    summary.failed             = 2;
    summary.newton_iterations  = 5000000000;
    summary.seconds            = 1.5;
    summary.ranks              = 8;
    summary.version            = "0.1.0";
    return summary;
  }
} // namespace



BOOST_AUTO_TEST_SUITE(summary)

BOOST_AUTO_TEST_CASE(every_figure_has_its_name)
{
  const auto read = json(example());
  BOOST_TEST(read.at("study") == "cantilever");
  BOOST_TEST(read.at("model") == "kirchhoff_rod");
  BOOST_TEST(read.at("verdict") == "OK");
  BOOST_TEST(read.at("distance") == 0.1);
  BOOST_TEST(read.at("max_relative_error") == 1. / 3.);
  BOOST_TEST(read.at("samples") == 40);
  BOOST_TEST(read.at("failed") == 2);
  BOOST_TEST(read.at("newton_iterations") == 5000000000);
  BOOST_TEST(read.at("seconds") == 1.5);
  BOOST_TEST(read.at("ranks") == 8);
  BOOST_TEST(read.at("version") == "0.1.0");
  BOOST_TEST(read.at("answer") == "it hangs down");
  BOOST_TEST(read.size() == 12u);
}

BOOST_AUTO_TEST_CASE(what_is_not_known_is_null)
{
  Summary summary            = example();
  summary.distance           = std::nullopt;
  summary.max_relative_error = std::numeric_limits<double>::quiet_NaN();
  summary.extra   = {{"force", std::numeric_limits<double>::infinity()}};
  const auto read = json(summary);
  BOOST_TEST(read.at("distance").is_null());
  BOOST_TEST(read.at("max_relative_error").is_null());
  BOOST_TEST(read.at("force").is_null());
}

BOOST_AUTO_TEST_CASE(verdicts_have_the_words_of_the_paper)
{
  BOOST_TEST(to_string(Verdict::OK) == "OK");
  BOOST_TEST(to_string(Verdict::KO) == "KO");
  BOOST_TEST(to_string(Verdict::none) == "none");
  BOOST_TEST(json(Summary()).at("verdict") == "none");
}

BOOST_AUTO_TEST_CASE(figures_of_a_study_come_last_in_their_own_order)
{
  Summary summary = example();
  summary.extra   = {{"slope", 2.}, {"critical_width", 0.1}, {"angle", -3.}};
  const auto               read = json(summary);
  std::vector<std::string> names;
  for (const auto &item : read.items())
    names.push_back(item.key());
  const std::vector<std::string> last(names.end() - 3, names.end());
  const std::vector<std::string> expected = {"slope",
                                             "critical_width",
                                             "angle"};
  BOOST_TEST(last == expected, boost::test_tools::per_element());
  BOOST_TEST(names.front() == "study");
  BOOST_TEST(read.at("critical_width") == 0.1);
}

BOOST_AUTO_TEST_CASE(a_name_stands_for_one_figure)
{
  Summary summary = example();
  summary.extra   = {{"samples", 3.}};
  BOOST_CHECK_THROW(text(summary), std::logic_error);
  summary.extra = {{"slope", 3.}, {"slope", 4.}};
  BOOST_CHECK_THROW(text(summary), std::logic_error);
}

BOOST_AUTO_TEST_CASE(names_need_not_be_plain)
{
  Summary summary = example();
  summary.study   = "a \"quoted\"\nstudy";
  summary.model   = "not UTF-8: \xff";
  const auto read = json(summary);
  BOOST_TEST(read.at("study") == summary.study);
  BOOST_TEST(read.at("model") == "not UTF-8: \xef\xbf\xbd");
}

BOOST_AUTO_TEST_CASE(the_file_ends_with_a_line_end)
{
  BOOST_TEST(text(example()).substr(text(example()).size() - 3) == "\n}\n");
}

BOOST_AUTO_TEST_SUITE_END()

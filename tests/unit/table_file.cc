// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/messages.h"
#include "support/playground.h"

#include <slender/output/table_file.h>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>

namespace
{
  using namespace slender;
  using namespace slender::test;

  const std::vector<std::string> columns = {"load", "outcome"};

  struct TablePlayground : Playground
  {
    TablePlayground()
      : file(root / "results.csv")
    {}

    fs::path file;
  };
} // namespace



BOOST_FIXTURE_TEST_SUITE(table_file, TablePlayground)

BOOST_AUTO_TEST_CASE(a_table_can_be_followed_while_it_grows)
{
  TableFile table(file, columns);
  BOOST_TEST(get(file) == "load, outcome\n");
  table.add_row({0.5, "converged"});
  BOOST_TEST(get(file) == "load, outcome\n0.5, converged\n");
  table.add_remark("two\nlines");
  table.add_row({Table::unknown, "a, b"});
  const std::string expected = "load, outcome\n"
                               "0.5, converged\n"
                               "# two\n# lines\n"
                               "nan, \"a, b\"\n";
  BOOST_TEST(get(file) == expected);
  BOOST_TEST(table.position().rows == 2);
  BOOST_TEST(table.position().bytes ==
             static_cast<std::int64_t>(expected.size()));

  std::ifstream in(file);
  const Table   result = Table::read_csv(in, "results.csv");
  BOOST_TEST(result.rows().size() == 2u);
  BOOST_TEST(result.remarks().size() == 2u);
  BOOST_CHECK_THROW(table.add_row({1.}), std::logic_error);
  BOOST_TEST(get(file) == expected);
}

BOOST_AUTO_TEST_CASE(a_table_goes_on_from_an_earlier_position)
{
  TableFile::Position position;
  std::string         expected;
  {
    TableFile table(file, columns);
    table.add_row({1., "a"});
    position = table.position();
    expected = get(file) + "2, b\n";
    table.add_row({2., "to be dropped"});
    table.add_remark("this, too");
  }
  {
    TableFile table(file, columns, position);
    table.add_row({2., "b"});
    BOOST_TEST(table.position().rows == 2);
  }
  BOOST_TEST(get(file) == expected);
}

BOOST_AUTO_TEST_CASE(a_position_that_is_none_is_refused)
{
  TableFile::Position position;
  {
    TableFile table(file, columns);
    table.add_row({1., "a"});
    position = table.position();
  }
  const std::string before = get(file);
  const auto        check  = [&](const std::vector<std::string> &names,
                         const TableFile::Position      &from,
                         const std::string              &words) {
    check_message(message_of([&] { TableFile(file, names, from); }), words);
    BOOST_TEST(get(file) == before);
  };
  check({"load", "other"}, position, "has other columns");
  check(columns, {position.bytes + 1, 1}, "shorter than at the checkpoint");
  check(columns, {3, 0}, "shorter than at the checkpoint");
  check(columns, {-1, 0}, "shorter than at the checkpoint");
  check(columns, {position.bytes - 2, 1}, "no row ends");
  fs::remove(file);
  check_message(message_of([&] { TableFile(file, columns, position); }),
                "cannot be read");
}

BOOST_AUTO_TEST_CASE(a_full_disk_leaves_whole_rows)
{
  const SmallDisk disk(root / "disk", 16384);
  if (!disk.is_there())
    return;
  const fs::path small = root / "disk" / "results.csv";
  TableFile      table(small, {"word"});
  long           n_rows  = 0;
  std::string    message = "no error";
  try
    {
      for (; n_rows < 1000; ++n_rows)
        table.add_row({std::string(100, 'x')});
    }
  catch (const DiskError &error)
    {
      message = error.what();
    }
  check_message(message, "results.csv': No space left on device");
  BOOST_TEST(table.position().rows == n_rows);
  std::ifstream in(small);
  BOOST_TEST(Table::read_csv(in, "results.csv").rows().size() ==
             static_cast<std::size_t>(n_rows));
  const std::string text = get(small);
  BOOST_TEST(text.size() == 5u + 101u * static_cast<std::size_t>(n_rows));
}

BOOST_AUTO_TEST_CASE(numbers_that_went_wrong_are_told_from_unknown_ones)
{
  const double zero     = std::stod("0");
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double wrong :
       {zero / zero, infinity, -infinity, std::log(-1. + zero)})
    BOOST_TEST(Table::is_not_finite(wrong));
  for (const Table::Cell &right : {Table::Cell(1.),
                                   Table::Cell(2L),
                                   Table::Cell("nan"),
                                   Table::Cell(Table::unknown),
                                   Table::Cell(-Table::unknown),
                                   Table::Cell(2. * Table::unknown + 1.)})
    BOOST_TEST(!Table::is_not_finite(right));
}

BOOST_AUTO_TEST_CASE(a_hundred_thousand_rows_take_no_memory)
{
  TableFile  table(file, columns);
  const auto add_rows = [&table](const long n) {
    for (long i = 0; i < n; ++i)
      table.add_row({1. / (1. + static_cast<double>(i)), "converged"});
  };
  add_rows(100);
  forget_peak();
  const long before = peak_memory();
  add_rows(100000);
  // Some pages of the allocator; the rows themselves are 3 MB as text, and 10
  // as cells.
  BOOST_TEST(peak_memory() - before < 1024);
  BOOST_TEST(table.position().rows == 100100);
}

BOOST_AUTO_TEST_SUITE_END()

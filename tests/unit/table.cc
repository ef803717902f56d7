// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/base/table.h>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>

namespace
{
  using slender::InputError;
  using slender::Table;

  std::string
  written(const Table &table)
  {
    std::ostringstream out;
    table.write_csv(out);
    return out.str();
  }

  Table
  read(const std::string &text)
  {
    std::istringstream in(text);
    return Table::read_csv(in, "a.csv");
  }

  std::string
  error_in(const std::string &text)
  {
    try
      {
        read(text);
      }
    catch (const InputError &error)
      {
        return error.what();
      }
    return "no error";
  }

  Table::Cell
  read_back(const Table::Cell &cell)
  {
    Table table({"first", "second"});
    table.add_row({cell, 1L});
    return read(written(table)).rows().at(0).at(0);
  }
} // namespace



BOOST_AUTO_TEST_SUITE(table)

BOOST_AUTO_TEST_CASE(a_table_is_written_with_remarks_header_and_rows)
{
  Table table({"load", "steps", "outcome"});
  table.add_remark("load in N");
  table.add_remark("two\nlines");
  table.add_remark("");
  table.add_row({0.1, 12L, "converged"});
  table.add_row({Table::unknown, -3L, "no step, \"too\" small"});

  BOOST_TEST(written(table) == "# load in N\n"
                               "# two\n"
                               "# lines\n"
                               "#\n"
                               "load, steps, outcome\n"
                               "0.1, 12, converged\n"
                               "nan, -3, \"no step, \"\"too\"\" small\"\n");
}

BOOST_AUTO_TEST_CASE(the_format_of_the_stream_does_not_matter)
{
  Table table({"x"});
  table.add_row({1. / 3.});
  std::ostringstream out;
  out.precision(2);
  out.setf(std::ios::scientific);
  table.write_csv(out);
  BOOST_TEST(out.str() == "x\n0.3333333333333333\n");
}

BOOST_AUTO_TEST_CASE(numbers_are_read_back_bit_by_bit)
{
  using Limits = std::numeric_limits<double>;
  for (const double number : {0.1,
                              1. / 3.,
                              -2.5e-7,
                              Limits::max(),
                              Limits::min(),
                              Limits::denorm_min(),
                              Limits::epsilon(),
                              -0.,
                              3.,
                              9007199254740993e3,
                              1.2345678901234567e19,
                              Limits::infinity(),
                              -Limits::infinity()})
    {
      Table table({"x"});
      table.add_row({number});
      const double result = read(written(table)).column("x").at(0);
      BOOST_TEST((result == number &&
                  std::signbit(result) == std::signbit(number)),
                 "written as " << written(table) << " read as " << result);
    }
  for (const long count : {0L,
                           -1L,
                           std::numeric_limits<long>::max(),
                           std::numeric_limits<long>::min()})
    BOOST_TEST(std::get<long>(read_back(count)) == count);
}

BOOST_AUTO_TEST_CASE(an_unknown_value_stays_unknown)
{
  BOOST_TEST(std::isnan(std::get<double>(read_back(Table::unknown))));
  BOOST_TEST(std::isnan(std::get<double>(read_back(-Table::unknown))));

  Table table({"x"});
  table.add_row({-Table::unknown});
  BOOST_TEST(written(table) == "x\nnan\n");
}

BOOST_AUTO_TEST_CASE(words_are_read_back_letter_by_letter)
{
  for (const std::string word : {"plain",
                                 "two words",
                                 "a, b",
                                 "\"quoted\"",
                                 "\"",
                                 "two\nlines",
                                 "two\r\nlines",
                                 " blanks ",
                                 "# no remark",
                                 "12",
                                 "-0.5e3",
                                 "nan",
                                 "+1",
                                 "1e999",
                                 "größer",
                                 ""})
    BOOST_TEST(std::get<std::string>(read_back(word)) == word);
}

BOOST_AUTO_TEST_CASE(remarks_and_names_are_read_back)
{
  Table table({"a, b", "# c", "", "3"});
  table.add_remark("  indented = 1");
  table.add_remark("");
  table.add_row({1L, 2L, 3L, 4L});

  const Table result = read(written(table));
  BOOST_TEST(result.columns() == table.columns(),
             boost::test_tools::per_element());
  BOOST_TEST(result.remarks() == table.remarks(),
             boost::test_tools::per_element());
  BOOST_CHECK(result.rows() == table.rows());
}

BOOST_AUTO_TEST_CASE(a_single_column_keeps_its_empty_cells)
{
  Table table({"word"});
  table.add_row({""});
  table.add_row({"x"});
  BOOST_CHECK(read(written(table)).rows() == table.rows());
}

BOOST_AUTO_TEST_CASE(tables_of_other_programs_are_read)
{
  const Table table = read("\xEF\xBB\xBF\r\n"
                           "#remark\r\n"
                           "x,y ,\"z\"\r\n"
                           "\r\n"
                           "1,+2.50,a\r\n"
                           "   \r\n"
                           "# between\r\n"
                           " 3.0E+01 , -.5,  \"b\" ");
  BOOST_TEST(table.columns() == (std::vector<std::string>{"x", "y", "z"}),
             boost::test_tools::per_element());
  BOOST_TEST(table.remarks() == (std::vector<std::string>{"remark", "between"}),
             boost::test_tools::per_element());
  BOOST_TEST(table.column("x") == (std::vector<double>{1., 30.}),
             boost::test_tools::per_element());
  BOOST_TEST(table.column("y") == (std::vector<double>{2.5, -.5}),
             boost::test_tools::per_element());
  BOOST_TEST(std::get<std::string>(table.rows()[1][2]) == "b");
}

BOOST_AUTO_TEST_CASE(a_malformed_table_is_refused_with_its_line)
{
  BOOST_TEST(error_in("# remark\nx, y\n1, 2\n1, 2, 3\n") ==
             "a.csv:4: the line has 3 cells; as many as the header has "
             "columns, 2, are expected");
  BOOST_TEST(error_in("x, y\n\"a\nb\", 2\n1\n") ==
             "a.csv:4: the line has 1 cells; as many as the header has "
             "columns, 2, are expected");
  BOOST_TEST(error_in("x, y\n1, \"2\n3, 4\n") ==
             "a.csv:2: a quoted cell is never closed; a quote is expected at "
             "its end");
  BOOST_TEST(error_in("x, y\n1, \"2\" 3\n") ==
             "a.csv:2: text follows after a closing quote; ',' or the end of "
             "the line is expected");
  BOOST_TEST(error_in("# remark\n\n") ==
             "a.csv:3: the table is empty; a line with the names of its "
             "columns is expected");
}

BOOST_AUTO_TEST_CASE(a_stream_that_cannot_be_read_is_refused)
{
  std::istringstream in("x\n1\n");
  in.setstate(std::ios::failbit);
  BOOST_CHECK_THROW(Table::read_csv(in, "a.csv"), InputError);
}

BOOST_AUTO_TEST_CASE(a_column_holds_numbers_and_counts_but_no_words)
{
  Table table({"a", "b"});
  table.add_row({1.5, 2L});
  table.add_row({"word", 4.});
  BOOST_TEST(table.column("a").at(0) == 1.5);
  BOOST_TEST(std::isnan(table.column("a").at(1)));
  BOOST_TEST(table.column("b") == (std::vector<double>{2., 4.}),
             boost::test_tools::per_element());
  BOOST_CHECK_THROW(table.column("c"), std::logic_error);
}

BOOST_AUTO_TEST_CASE(a_row_has_one_cell_per_column)
{
  Table table({"a", "b"});
  BOOST_CHECK_THROW(table.add_row({1.}), std::logic_error);
  BOOST_CHECK_THROW(table.add_row({1., 2., 3.}), std::logic_error);
  BOOST_TEST(table.rows().empty());
}

BOOST_AUTO_TEST_SUITE_END()

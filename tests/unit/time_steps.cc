// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/studies/time_steps.h>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <vector>

BOOST_AUTO_TEST_SUITE(time_steps)

using namespace slender;

namespace
{
  TimeParameters
  times(const double end, const double step)
  {
    TimeParameters result;
    result.end           = end;
    result.step          = step;
    result.smallest_step = 1e-3 * step;
    return result;
  }

  /// Takes all steps, each with an error of `rate` h^(order + 1), and gives
  /// where those ended at which a row was due.
  std::vector<double>
  times_of_rows(TimeSteps &steps, const double rate, const int order)
  {
    std::vector<double> result;
    double              now = 0.;
    steps.n_rows            = 1;
    while (!steps.has_ended(now))
      {
        const double length = steps.length_from(now);
        const double error  = rate * std::pow(length, order + 1);
        if (steps.is_too_coarse(length, error))
          {
            steps.shorten(length, error);
            continue;
          }
        steps.accept(length, error);
        now += length;
        if (steps.row_is_due(now, length, steps.has_ended(now)))
          {
            result.push_back(now);
            ++steps.n_rows;
          }
      }
    return result;
  }
} // namespace

BOOST_AUTO_TEST_CASE(fixed_steps_end_at_the_end_without_a_splinter)
{
  const TimeParameters      time = times(1., 0.1);
  TimeSteps                 steps(time, 1);
  const std::vector<double> ends = times_of_rows(steps, 0., 1);
  BOOST_TEST(steps.n_steps == 10);
  BOOST_TEST(ends.size() == 10u);
  BOOST_TEST(ends.back() == 1., boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(the_last_of_fixed_steps_is_as_long_as_what_is_left)
{
  const TimeParameters      time = times(0.97, 0.1);
  TimeSteps                 steps(time, 1);
  const std::vector<double> ends = times_of_rows(steps, 0., 1);
  BOOST_TEST(steps.n_steps == 10);
  BOOST_TEST(ends.back() == 0.97, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_step_that_fails_is_halved_and_doubles_again)
{
  const TimeParameters time = times(1., 0.1);
  TimeSteps            steps(time, 1);
  BOOST_TEST(steps.halve(0.1));
  BOOST_TEST(steps.halve(0.05));
  BOOST_TEST(steps.length_from(0.) == 0.025);
  steps.accept(0.025, 0.);
  BOOST_TEST(steps.length_from(0.025) == 0.05);
  steps.accept(0.05, 0.);
  steps.accept(0.1, 0.);
  BOOST_TEST(steps.length_from(0.175) == 0.1);
}

BOOST_AUTO_TEST_CASE(below_the_smallest_step_there_is_none)
{
  const TimeParameters time = times(1., 0.1);
  TimeSteps            steps(time, 1);
  double               length = 0.1;
  unsigned int         halved = 0;
  while (steps.halve(length))
    {
      length = steps.length_from(0.);
      ++halved;
    }
  BOOST_TEST(length == time.smallest_step);
  BOOST_TEST(halved == 10u); // 2^10 > 1000
}

BOOST_AUTO_TEST_CASE(adaptive_steps_are_as_long_as_their_error_allows)
{
  TimeParameters time = times(1., 0.1);
  time.is_adaptive    = true;
  time.tolerance      = 1e-4;
  for (const int order : {1, 2})
    {
      TimeSteps steps(time, order);
      times_of_rows(steps, 1., order);
      // h^(order + 1) = 1e-4 with the margin of 0.9.
      const double expected = 1. / (0.9 * std::pow(1e-4, 1. / (order + 1)));
      BOOST_TEST(steps.n_steps == expected, boost::test_tools::tolerance(0.05));
    }
}

BOOST_AUTO_TEST_CASE(adaptive_steps_stay_where_a_little_longer_would_do)
{
  TimeParameters time = times(1., 0.1);
  time.is_adaptive    = true;
  TimeSteps steps(time, 1);
  // With errors that allow for 1.1, 1.3 and 0.9 times the length.
  for (const double longer : {1.1, 1.3, 0.9})
    {
      const double length = steps.length_from(0.);
      steps.accept(length, time.tolerance * std::pow(0.9 / longer, 2));
      BOOST_TEST(steps.length_from(0.) ==
                   (longer < 1.2 && longer > 1. ? 1. : longer) * length,
                 boost::test_tools::tolerance(1e-12));
    }
}

BOOST_AUTO_TEST_CASE(adaptive_steps_end_where_rows_are_due)
{
  TimeParameters time = times(1., 0.03);
  time.is_adaptive    = true;
  time.rows_every     = 0.25;
  TimeSteps                 steps(time, 1);
  const std::vector<double> ends = times_of_rows(steps, 0.1, 1);
  BOOST_REQUIRE(ends.size() == 4u);
  for (std::size_t i = 0; i < 4; ++i)
    BOOST_TEST(ends[i] == 0.25 * (i + 1), boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(what_is_saved_goes_on_alike)
{
  const TimeParameters time = times(1., 0.1);
  TimeSteps            steps(time, 1);
  steps.halve(0.1);
  steps.accept(0.05, 0.);
  steps.halve(0.1);
  steps.n_rows   = 3;
  steps.n_shapes = 2;
  TimeSteps again(time, 1);
  BOOST_REQUIRE(steps.numbers().size() == TimeSteps::n_numbers);
  again.set(steps.numbers());
  BOOST_TEST(again.length_from(0.) == steps.length_from(0.));
  BOOST_TEST(again.n_steps == 1);
  BOOST_TEST(again.n_rows == 3);
  BOOST_TEST(again.n_shapes == 2);
}

BOOST_AUTO_TEST_SUITE_END()

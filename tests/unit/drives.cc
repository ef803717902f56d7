// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/playground.h"

#include <slender/studies/drives.h>

#include <boost/test/unit_test.hpp>

using namespace slender;
using namespace slender::test;

BOOST_FIXTURE_TEST_SUITE(drives, Playground)

BOOST_AUTO_TEST_CASE(tables_are_linear_between_their_rows_and_constant_beyond)
{
  const fs::path file = root / "pull.csv";
  put(file, "time, value\n0, 1\n1, 3\n3, -1\n");
  const TimeFunction pull = TimeFunction::table(file.string(), "Drive 1/Table");
  BOOST_TEST(pull(-1.) == 1.);
  BOOST_TEST(pull(0.25) == 1.5);
  BOOST_TEST(pull(1.) == 3.);
  BOOST_TEST(pull(2.5) == 0.);
  BOOST_TEST(pull(4.) == -1.);
}

BOOST_AUTO_TEST_SUITE_END()

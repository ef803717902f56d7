// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/app/ranks_per_sample.h>

#include <boost/test/unit_test.hpp>

using namespace slender;

BOOST_AUTO_TEST_SUITE(ranks_per_sample)

BOOST_AUTO_TEST_CASE(small_bodies_are_not_shared)
{
  for (const int n_ranks : {1, 2, 3, 8})
    {
      BOOST_TEST(choose_ranks_per_sample(n_ranks, 1, {BodyKind::shell, 3000}) ==
                 1);
      BOOST_TEST(choose_ranks_per_sample(n_ranks, 1, {BodyKind::rod, 120000}) ==
                 1);
      BOOST_TEST(
        choose_ranks_per_sample(n_ranks, 1, {BodyKind::ribbon, 1000000}) == 1);
    }
}

BOOST_AUTO_TEST_CASE(a_large_body_gets_all_ranks)
{
  for (const int n_ranks : {1, 2, 3, 7, 8})
    {
      BOOST_TEST(choose_ranks_per_sample(n_ranks,
                                         1,
                                         {BodyKind::shell, 100000}) == n_ranks);
      BOOST_TEST(choose_ranks_per_sample(n_ranks,
                                         1,
                                         {BodyKind::rod, 4000000}) == n_ranks);
    }
}

BOOST_AUTO_TEST_CASE(pieces_come_before_shared_bodies)
{
  const BodySize large{BodyKind::shell, 100000};
  BOOST_TEST(choose_ranks_per_sample(8, 2, large) == 4);
  BOOST_TEST(choose_ranks_per_sample(8, 8, large) == 1);
  BOOST_TEST(choose_ranks_per_sample(8, 100, large) == 1);
  BOOST_TEST(choose_ranks_per_sample(2, 2, large) == 1);
}

BOOST_AUTO_TEST_CASE(groups_are_of_equal_size)
{
  // Four ranks would pay.
  const BodySize body{BodyKind::shell, 20000};
  BOOST_TEST(choose_ranks_per_sample(6, 1, body) == 3);
  BOOST_TEST(choose_ranks_per_sample(7, 1, body) == 7);
  BOOST_TEST(choose_ranks_per_sample(8, 1, body) == 4);
  // Where two would pay, seven that wait for each other do not.
  BOOST_TEST(choose_ranks_per_sample(7, 1, {BodyKind::shell, 10000}) == 1);
}

BOOST_AUTO_TEST_SUITE_END()

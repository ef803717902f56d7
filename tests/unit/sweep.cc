// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/studies/sweep.h>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>

namespace
{
  using namespace slender;

  Sample
  sample_with(const double value)
  {
    Equilibrium found;
    found.outcome = Outcome::converged;
    return make_sample(found, 2, [&] {
      return std::vector<double>{1., value};
    });
  }
} // namespace



BOOST_AUTO_TEST_SUITE(sweep)

BOOST_AUTO_TEST_CASE(a_sample_with_a_value_that_is_not_finite_has_failed)
{
  for (const double value : {std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity(),
                             std::nan(""),
                             -std::nan("")})
    {
      const Sample sample = sample_with(value);
      BOOST_TEST(sample.failure == to_string(Outcome::not_finite));
      BOOST_REQUIRE(sample.values.size() == 2);
      BOOST_TEST(Table::is_unknown(sample.values[0]));
    }
}

BOOST_AUTO_TEST_CASE(what_is_not_known_is_no_failure)
{
  BOOST_TEST(sample_with(2.).failure == "");
  BOOST_TEST(sample_with(Table::unknown).failure == "");
}

BOOST_AUTO_TEST_SUITE_END()

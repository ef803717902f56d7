// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/dynamics/integrator.h>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <ostream>

namespace
{
  using namespace slender;
  namespace data = boost::unit_test::data;

  Vector
  number(const double value)
  {
    return Vector::Constant(1, value);
  }

  /// The oscillation x = cos t, of x'' = -x, with its past.
  Instant
  exact(const double t, const double h)
  {
    Instant now;
    now.place       = number(std::cos(t));
    now.rate        = number(-std::sin(t));
    now.second      = number(-std::cos(t));
    now.balanced    = now.second;
    now.before      = number(std::cos(t - h));
    now.rate_before = number(-std::sin(t - h));
    now.step_before = h;
    return now;
  }

  /// Implicit methods, in the order of their names.
  const std::vector<IntegratorKind> implicit_ones = {
    IntegratorKind::implicit_euler,
    IntegratorKind::newmark,
    IntegratorKind::bdf2,
    IntegratorKind::implicit_midpoint};
} // namespace

BOOST_AUTO_TEST_SUITE(integrators)

BOOST_DATA_TEST_CASE(errors_of_a_step_are_estimated,
                     data::xrange(implicit_ones.size()),
                     i)
{
  IntegratorOptions options;
  options.kind = implicit_ones[i];
  const Integrator integrator(options);
  const double     t = 0.7, h = 1e-3;
  Instant          now = exact(t, h);
  if (options.kind == IntegratorKind::implicit_midpoint)
    now.second = exact(t - 0.5 * h, h).second; // that of the step before
  const auto springs = integrator.springs(now, h);
  // x + c (x - x0) = 0
  const Vector found =
    springs.strength * springs.origin / (1. + springs.strength);
  const Instant next      = integrator.arrived(now, found, h);
  const double  error     = next.place(0) - std::cos(t + h);
  const double  estimated = integrator.local_error(now, next, h)(0);
  // To the leading order in h.
  BOOST_TEST(std::abs(estimated / error) == 1.,
             boost::test_tools::tolerance(0.02));
}

BOOST_AUTO_TEST_SUITE_END()

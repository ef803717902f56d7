// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/random.h"

#include <slender/contact/coulomb.h>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdio>
#include <unistd.h>

namespace
{
  using namespace slender;
  using namespace slender::test;
  namespace data = boost::unit_test::data;

  /// A unit mass on a plane that is pushed by a force, in a unit step.
  CoulombProblem
  block(const Vector3 &push, const double friction)
  {
    return {Eigen::MatrixXd::Identity(3, 3), push, {friction}};
  }

  /// Contacts of a body whose response is any definite matrix.
  CoulombProblem
  random_problem(const Index n, const double friction, const unsigned int seed)
  {
    Random          random(seed);
    Eigen::MatrixXd A(3 * n, 3 * n);
    for (Index j = 0; j < 3 * n; ++j)
      A.col(j) = random.vector(3 * n);
    return {A * A.transpose() / (3. * n) +
              0.1 * Eigen::MatrixXd::Identity(3 * n, 3 * n),
            random.vector(3 * n),
            std::vector<double>(n, friction)};
  }

  const std::vector<double> frictions = {0., 0.3, 1., 10.};
} // namespace

BOOST_AUTO_TEST_SUITE(coulomb)

BOOST_AUTO_TEST_CASE(a_block_sticks_below_its_threshold_and_slides_above)
{
  const double mu = 0.4;
  for (const double push : {0.3999999999, 0.4000000001})
    {
      const CoulombProblem  problem = block({-1., push, 0.}, mu);
      const CoulombSolution found =
        solve_coulomb(problem, Vector::Zero(3), 1e-14);
      const Vector u = problem.W * found.r + problem.b;
      BOOST_TEST(found.converged);
      BOOST_TEST(found.r(0) == 1., boost::test_tools::tolerance(1e-14));
      BOOST_TEST(std::abs(u(1) - std::max(0., push - mu)) < 1e-15);
      BOOST_TEST((found.states[0] == ContactState::stick) == (push < mu));
    }
}

BOOST_AUTO_TEST_CASE(a_tolerance_below_round_off_is_nothing_to_print)
{
  // Sweeps over one contact stand still after the first, before an error that
  // cannot be reached.
  std::fflush(stdout);
  std::fflush(stderr);
  std::FILE *said = std::tmpfile();
  const int  out = ::dup(1), error = ::dup(2);
  ::dup2(::fileno(said), 1);
  ::dup2(::fileno(said), 2);
  for (const double tolerance : {1e-12, 1e-16, 0.})
    for (const double push : {0.1, 0.3, 0.7})
      solve_by_gauss_seidel(block({-1. / 3., push, push / 3.}, 0.4),
                            Vector::Zero(3),
                            tolerance);
  std::fflush(stdout);
  std::fflush(stderr);
  ::dup2(out, 1);
  ::dup2(error, 2);
  ::close(out);
  ::close(error);
  std::fseek(said, 0, SEEK_END);
  BOOST_TEST(std::ftell(said) == 0);
  std::fclose(said);
}

BOOST_AUTO_TEST_CASE(what_is_pulled_away_bears_no_force)
{
  const CoulombSolution found =
    solve_coulomb(block({0.1, 5., 0.}, 0.5), Vector::Ones(3));
  BOOST_TEST(found.converged);
  BOOST_TEST(found.r.norm() == 0.);
  BOOST_TEST((found.states[0] == ContactState::open));
}

BOOST_DATA_TEST_CASE(both_methods_find_the_same_forces,
                     data::make(frictions) * data::make({1, 4, 12}),
                     friction,
                     n)
{
  const CoulombProblem  problem = random_problem(n, friction, 7 + n);
  const Vector          start   = Vector::Zero(3 * n);
  const CoulombSolution one     = solve_coulomb(problem, start, 1e-12);
  const CoulombSolution other   = solve_by_gauss_seidel(problem, start, 1e-12);
  BOOST_TEST(one.converged);
  // Of forces with friction there may be several; of residuals, none is large.
  BOOST_TEST(coulomb_residual(problem, other.r) < 1e-9);
  if (friction == 0.)
    BOOST_TEST((one.r - other.r).norm() < 1e-8 * one.r.norm());
}

BOOST_AUTO_TEST_CASE(a_response_may_be_negative_where_contacts_alone_hold)
{
  // As that of a column above its buckling load.
  CoulombProblem problem;
  problem.W        = Eigen::Vector3d(-0.5, 2., 1.).asDiagonal();
  problem.b        = Eigen::Vector3d(0.5, 0.1, 0.);
  problem.friction = {0.3};
  const CoulombSolution found =
    solve_coulomb(problem, Eigen::Vector3d(0.9, 0., 0.), 1e-13);
  BOOST_TEST(found.converged);
  BOOST_TEST(found.r(0) == 1., boost::test_tools::tolerance(1e-12));
  BOOST_TEST(found.r(1) == -0.05, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()

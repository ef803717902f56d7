// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/continuation.h"

#include <slender/statics/deflation.h>
#include <slender/statics/stability_count.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace
{
  using namespace slender;
  using namespace slender::test;

  /// All equilibria under a load that is raised from zero, and how many
  /// directions are unstable at each, in ascending order.
  struct Found
  {
    Equilibria         all;
    std::vector<Index> n_negative;
  };

  Found
  find_all(System            &model,
           const std::string &load,
           const double       value,
           const int          most = 20)
  {
    EquilibriumSolver solver(model, NewtonOptions());
    const Equilibrium first =
      solver.load(model.initial_state(), {{load, value}});
    BOOST_REQUIRE(first.converged());
    DeflationOptions options;
    options.most_equilibria = most;
    Found found;
    found.all = find_equilibria(model,
                                NewtonOptions(),
                                model.state(first.q),
                                options,
                                [] { return true; });
    for (const State &state : found.all.states)
      {
        model.set_state(state);
        found.n_negative.push_back(solver.inertia(state.q).negative);
        BOOST_TEST(solver.solve(state.q).iterations <= 1);
      }
    std::sort(found.n_negative.begin(), found.n_negative.end());
    return found;
  }
} // namespace

BOOST_AUTO_TEST_SUITE(deflation)

BOOST_AUTO_TEST_CASE(a_column_has_two_more_equilibria_beyond_each_load)
{
  // Loads are those of Euler, times 1, 9, 25: (pi/2)^2, ...
  const std::vector<std::pair<double, std::vector<Index>>> cases = {
    {2., {0}}, {6., {0, 0, 1}}, {24., {0, 0, 2, 2, 2}}};
  for (const auto &[force, expected] : cases)
    {
      const auto  rod   = make_rod(Kind::kirchhoff, column(), mesh_of(8, 3));
      const Found found = find_all(*rod, "end force", force);
      BOOST_TEST_CONTEXT("force " << force)
      BOOST_TEST(found.n_negative == expected,
                 boost::test_tools::per_element());
      BOOST_TEST(!found.all.are_enough);
    }
}

BOOST_AUTO_TEST_CASE(a_shallow_arch_has_three_equilibria_between_its_folds)
{
  // Two that are stable and no path connects at this load.
  const auto  rod   = make_rod(Kind::discrete, arch(), mesh_of(40));
  const Found found = find_all(*rod, "gravity", 15.);
  BOOST_TEST(found.n_negative == (std::vector<Index>{0, 0, 1}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(it_ends_when_there_are_enough)
{
  const auto  rod   = make_rod(Kind::kirchhoff, column(), mesh_of(8, 3));
  const Found found = find_all(*rod, "end force", 24., 3);
  BOOST_TEST(found.all.states.size() == 3);
  BOOST_TEST(found.all.are_enough);
}

BOOST_AUTO_TEST_SUITE_END()

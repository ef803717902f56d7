// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/loaded_rod.h"

#include <slender/statics/linear_buckling.h>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace
{
  using namespace slender;
  using namespace slender::test;
  namespace data = boost::unit_test::data;
} // namespace



BOOST_AUTO_TEST_SUITE(buckling)

BOOST_DATA_TEST_CASE(a_column_buckles_under_its_weight_where_greenhill_says,
                     data::make(both_kinds),
                     kind)
{
  // Clamped below, free above: rho A g L^3 / B = 7.83735 (both directions of a
  // round section at once), the next modes at 55.977.
  RodBody body;
  body.start_frame  = {Vector3::UnitZ(), Vector3::UnitX()};
  const auto    rod = make_rod(kind, body, fine_mesh(kind));
  NewtonOptions banded, mumps;
  banded.linear_solver = "banded";
  mumps.linear_solver  = "mumps";
  EquilibriumSolver solver(*rod, banded), other(*rod, mumps);
  Vector            q = rod->initial_state();
  // 0.1 % on either side: the discrete rod is off by 2e-4.
  for (const auto &[gamma, negative] : std::vector<std::pair<double, int>>{
         {1., 0}, {7.829, 0}, {7.846, 2}, {30., 2}, {55.7, 2}, {56.3, 4}})
    BOOST_TEST_CONTEXT("gamma " << gamma)
    {
      rod->set_parameter("gravity", gamma);
      const Equilibrium upright = solver.solve(q);
      BOOST_TEST(upright.converged());
      BOOST_TEST(upright.q.allFinite());
      q = upright.q;
      BOOST_TEST(solver.inertia(q).negative == negative);
      BOOST_TEST(other.inertia(q).negative == negative);
      BOOST_TEST(solver.inertia(q).positive == rod->layout().size - negative);
      BOOST_TEST(other.inertia(q).positive == rod->layout().size - negative);
    }
}

BOOST_DATA_TEST_CASE(a_strip_buckles_about_its_weak_axis_first,
                     data::make(both_kinds),
                     kind)
{
  // Euler's pi^2 B / (4 L^2) for each of the two bending stiffnesses.
  RodBody body;
  body.bending_1           = 1.;
  body.bending_2           = 3.;
  body.end_force_direction = -Vector3::UnitX();
  const auto        rod    = make_rod(kind, body, fine_mesh(kind));
  EquilibriumSolver solver(*rod, NewtonOptions());
  const double      weak = pi * pi / 4.;
  for (const auto &[force, negative] :
       std::vector<std::pair<double, int>>{{0.999 * weak, 0},
                                           {1.001 * weak, 1},
                                           {2.997 * weak, 1},
                                           {3.003 * weak, 2}})
    {
      rod->set_parameter("end force", force);
      const Equilibrium straight = solver.solve(rod->initial_state());
      BOOST_TEST(straight.converged());
      BOOST_TEST(solver.inertia(straight.q).negative == negative);
    }
}

BOOST_DATA_TEST_CASE(linear_analysis_finds_the_loads_of_euler_and_only_positive,
                     data::make(both_kinds),
                     kind)
{
  // (2 n - 1)^2 pi^2 B / (4 L^2) for each of the two bending stiffnesses.
  RodBody body;
  body.bending_1           = 1.;
  body.bending_2           = 3.;
  body.end_force_direction = -Vector3::UnitX();
  const auto rod           = make_rod(kind, body, fine_mesh(kind));
  const auto modes =
    buckling_modes(*rod, rod->initial_state(), "end force", 1., 4);
  BOOST_REQUIRE(modes.size() == 4u);
  const double multiples[] = {1., 3., 9., 25.};
  for (int i = 0; i < 4; ++i)
    // The discrete rod is off by 4e-4 in the fourth.
    BOOST_TEST(std::abs(modes[i].load / (multiples[i] * pi * pi / 4.) - 1.) <
               1e-3);

  // A pull does not buckle it: the loads change sign with the force.
  body.end_force_direction = Vector3::UnitX();
  const auto pulled        = make_rod(kind, body, fine_mesh(kind));
  for (const BucklingMode &mode :
       buckling_modes(*pulled, pulled->initial_state(), "end force", 1., 1))
    BOOST_TEST(mode.load > 1e4);
}

BOOST_AUTO_TEST_SUITE_END()

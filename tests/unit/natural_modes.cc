// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/moving_bodies.h"

#include <slender/dynamics/natural_modes.h>
#include <slender/statics/equilibrium.h>

#include <boost/math/constants/constants.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace
{
  using namespace slender;
  using namespace slender::test;
  namespace data = boost::unit_test::data;

  constexpr double pi = boost::math::constants::pi<double>();

  /// Roots of cos x cosh x = -1 (cantilever); w = x^2 sqrt(B/m)/L^2.
  constexpr double cantilever_roots[] = {1.875104068711961,
                                         4.694091132974175,
                                         7.854757438237613};

  RodBody
  slender_cantilever()
  {
    RodBody body;
    body.length          = 2.;
    body.bending_1       = 3.;
    body.bending_2       = 3. * 16.; // far above, so that modes are in a plane
    body.twisting        = 1000.;
    body.mass_per_length = 0.7;
    return body;
  }

  double
  exact(const RodBody &body, const double root)
  {
    return root * root / (body.length * body.length) *
           std::sqrt(body.bending_1 / body.mass_per_length);
  }

  double
  angular(const NaturalMode &mode)
  {
    return 2. * pi * mode.frequency();
  }
} // namespace

BOOST_AUTO_TEST_SUITE(vibrations)

BOOST_DATA_TEST_CASE(a_cantilever_has_the_frequencies_of_euler_and_bernoulli,
                     data::make(both_kinds) * data::make({true, false}),
                     kind,
                     lumped)
{
  const RodBody body = slender_cantilever();
  Mesh          mesh;
  mesh.pieces     = kind == Kind::kirchhoff ? 8 : 100;
  mesh.constraint = 1e8;
  const auto  rod = make_rod(kind, body, mesh);
  MassOptions masses;
  masses.lumped = lumped;
  const auto modes =
    natural_modes(*rod, *rod->kinetics(masses), rod->initial_state(), 4);
  BOOST_REQUIRE(modes.size() == 4u);
  // The third is the first one across, four times as stiff.
  BOOST_TEST(angular(modes[0]) == exact(body, cantilever_roots[0]),
             boost::test_tools::tolerance(3e-4));
  BOOST_TEST(angular(modes[1]) == 4. * exact(body, cantilever_roots[0]),
             boost::test_tools::tolerance(3e-4));
  BOOST_TEST(angular(modes[2]) == exact(body, cantilever_roots[1]),
             boost::test_tools::tolerance(1e-3));
  BOOST_TEST(angular(modes[3]) == exact(body, cantilever_roots[2]),
             boost::test_tools::tolerance(2e-3));
}

BOOST_DATA_TEST_CASE(curvatures_vibrate_as_the_rod_does,
                     data::make({true, false}),
                     is_linear)
{
  const RodBody body   = slender_cantilever();
  const auto    strain = is_linear ? curvature::Interpolation::linear
                                   : curvature::Interpolation::constant;
  const auto    rod    = make_super_rod(body, strain, 20);
  const auto    modes =
    natural_modes(*rod, *rod->kinetics({}), rod->initial_state(), 2);
  BOOST_TEST(angular(modes.at(0)) == exact(body, cantilever_roots[0]),
             boost::test_tools::tolerance(1e-3));
}

BOOST_AUTO_TEST_CASE(a_free_rod_has_six_rigid_motions)
{
  RodBody body = with_rotary_inertia(RodBody());
  body.start   = RodEnd();
  for (const Kind kind : both_kinds)
    {
      const auto rod = make_rod(kind, body, small_mesh(kind));
      const auto modes =
        natural_modes(*rod, *rod->kinetics({}), rod->initial_state(), 7);
      BOOST_REQUIRE(modes.size() == 7u);
      for (int i = 0; i < 6; ++i)
        BOOST_TEST(std::abs(modes[i].squared) < 1e-7 * modes[6].squared);
    }
}

// The frequency of a column under a thrust P is w0 sqrt(1 - P/P_c) for hinged
// ends: a straight line in w^2.
BOOST_AUTO_TEST_CASE(the_frequency_of_a_column_vanishes_at_the_load_of_euler)
{
  RodBody body;
  body.bending_2           = 16.;
  body.start.rotation      = RodEnd::Rotation::about_y;
  body.end.position_fixed  = {{false, true, true}};
  body.end.rotation        = RodEnd::Rotation::about_y;
  body.end_force_direction = -Vector3::UnitX();
  Mesh mesh;
  mesh.pieces           = 6;
  mesh.degree           = 4;
  const auto        rod = make_rod(Kind::kirchhoff, body, mesh);
  EquilibriumSolver solver(*rod, NewtonOptions());
  Vector            q = solver.solve(rod->initial_state()).q;
  for (const double part : {0., 0.5, 0.9, 1.1})
    {
      q                = solver.load(q, {{"end force", part * pi * pi}}).q;
      const auto modes = natural_modes(*rod, *rod->kinetics({}), q, 1);
      BOOST_TEST(modes.at(0).squared / std::pow(pi, 4) == 1. - part,
                 boost::test_tools::tolerance(1e-5));
    }
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/loaded_rod.h"
#include "support/one_unknown.h"

#include <slender/models/rods/curvature_rod.h>
#include <slender/statics/relaxation.h>

#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/ellint_2.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace
{
  using namespace slender;
  using namespace slender::test;
  namespace data = boost::unit_test::data;

  /// A column that is clamped at the origin and pushed back at its free end;
  /// one way to bend is softer than the other.
  RodBody
  column()
  {
    RodBody body;
    body.bending_2           = 1.5;
    body.end_force_direction = -Vector3::UnitX();
    return body;
  }

  /// Where the end of the elastica is whose end has turned by 2 asin(k), and
  /// the force K(k)^2 that it takes.
  struct Elastica
  {
    explicit Elastica(const double k)
      : force(std::pow(boost::math::ellint_1(k), 2))
      , end_x(2. * boost::math::ellint_2(k) / boost::math::ellint_1(k) - 1.)
    {}
    double force, end_x;
  };

  /// One unknown on a wavy floor that rises to both sides: a basin every turn,
  /// the lowest in the middle.
  class WavyFloor : public OneUnknown
  {
  public:
    double
    value(const double x) const override
    {
      return 1. - std::cos(x) + rise * x * x / 2.;
    }

    double
    slope(const double x) const override
    {
      return std::sin(x) + rise * x;
    }

    double
    bend(const double x) const override
    {
      return std::cos(x) + rise;
    }

  private:
    static constexpr double rise = 0.01;
  };
} // namespace



BOOST_AUTO_TEST_SUITE(relaxation)

BOOST_DATA_TEST_CASE(a_straight_column_is_left_for_the_elastica,
                     data::make(both_kinds),
                     kind)
{
  // From just beyond Euler's load, where the way down is flat, to a rod that
  // is bent back.
  for (const double k : {0.1, 0.5, 0.9})
    BOOST_TEST_CONTEXT("modulus " << k)
    {
      const Elastica    elastica(k);
      const auto        rod = make_rod(kind, column(), fine_mesh(kind));
      EquilibriumSolver solver(*rod, NewtonOptions());
      const Equilibrium straight =
        solver.load(rod->initial_state(), {{"end force", elastica.force}});
      BOOST_REQUIRE(straight.converged());
      BOOST_TEST(solver.inertia(straight.q).negative > 0);

      Relaxation        relaxation(*rod, NewtonOptions());
      const Equilibrium bent = relaxation.leave(straight.q);
      BOOST_REQUIRE(bent.converged());
      BOOST_TEST(solver.inertia(bent.q).negative == 0);
      BOOST_TEST(rod->energy(bent.q) < rod->energy(straight.q));
      // Near Euler's load the shape is as sensitive to the discrete rod's own
      // load as 1/k^2.
      BOOST_TEST(std::abs(rod->stations(bent.q).back().position.x() -
                          elastica.end_x) < 3. * error_of(kind));
    }
}

BOOST_DATA_TEST_CASE(symmetry_does_not_keep_it_on_a_saddle,
                     data::make(both_kinds),
                     kind)
{
  // Straight and under a load that it cannot bear, but in no way bent.
  const Elastica elastica(0.5);
  const auto     rod = make_rod(kind, column(), fine_mesh(kind));
  rod->set_parameter("end force", elastica.force);
  Relaxation        relaxation(*rod, NewtonOptions());
  const Equilibrium bent = relaxation.relax(rod->initial_state());
  BOOST_REQUIRE(bent.converged());
  BOOST_TEST(std::abs(rod->stations(bent.q).back().position.x() -
                      elastica.end_x) < 3. * error_of(kind));
}

BOOST_DATA_TEST_CASE(a_stable_equilibrium_is_where_it_stays,
                     data::make(both_kinds),
                     kind)
{
  const Loaded hanging =
    load(kind, RodBody(), fine_mesh(kind), {{"gravity", 10.}});
  Relaxation        relaxation(*hanging.rod, NewtonOptions());
  const Equilibrium same = relaxation.relax(hanging.state.q);
  BOOST_TEST(same.converged());
  BOOST_TEST((same.q - hanging.state.q).cwiseAbs().maxCoeff() < 1e-8);
}

BOOST_DATA_TEST_CASE(a_rod_that_is_let_go_comes_to_rest_where_it_hangs,
                     data::make(both_kinds),
                     kind)
{
  // Gravity all at once, on a horizontal rod: no load steps.
  const Loaded hanging =
    load(kind, RodBody(), fine_mesh(kind), {{"gravity", 1000.}});
  const auto rod = make_rod(kind, RodBody(), fine_mesh(kind));
  rod->set_parameter("gravity", 1000.);
  Relaxation        relaxation(*rod, NewtonOptions());
  const Equilibrium found = relaxation.relax(rod->initial_state());
  BOOST_REQUIRE(found.converged());
  BOOST_TEST((rod->stations(found.q).back().position - hanging.tip()).norm() <
             1e-8);
}

BOOST_AUTO_TEST_CASE(it_goes_downhill_whatever_newtons_method_would_do)
{
  // Where the floor is hardly curved, beyond a quarter of a turn, a step of
  // Newton's method leads across many waves, into basins that are higher than
  // the start.
  std::vector<double> starts;
  for (double start = 1.5; start < 3.1; start += 0.02)
    starts.push_back(start);
  for (double start = 1.565; start < 1.59; start += 0.0005)
    starts.push_back(start);
  for (const double start : starts)
    {
      WavyFloor         floor;
      Relaxation        relaxation(floor, NewtonOptions());
      const Vector      from  = Vector::Constant(1, start);
      const Equilibrium found = relaxation.relax(from);
      BOOST_TEST(found.converged());
      BOOST_TEST(floor.energy(found.q) <= floor.energy(from),
                 "from " << start << " up to " << found.q(0));
    }
}

BOOST_AUTO_TEST_CASE(a_lagrangian_is_refused)
{
  RodBody body;
  body.end = RodEnd::clamped();
  CurvatureRod rod(body, CurvatureRodDiscretisation(), MPI_COMM_SELF);
  BOOST_TEST(rod.n_multipliers() > 0);
  BOOST_CHECK_THROW(Relaxation(rod, NewtonOptions()), std::logic_error);
}

BOOST_AUTO_TEST_SUITE_END()

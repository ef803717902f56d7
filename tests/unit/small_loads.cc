// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/loaded_rod.h"
#include "support/one_unknown.h"
#include "support/shells.h"

#include <slender/statics/equilibrium.h>

#include <boost/math/constants/constants.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <limits>

// Tolerances are absolute: a load may be so small that the unloaded body meets
// them. Its displacement has digits all the same, or it is refused.
namespace
{
  using namespace slender;
  using namespace slender::test;
  namespace data = boost::unit_test::data;

  constexpr double degree = boost::math::constants::degree<double>();

  /// A quarter of the roof of Scordelis and Lo under its weight; gravity is
  /// the fraction of its load.
  std::unique_ptr<Model>
  roof()
  {
    Cylinder cylinder;
    cylinder.radius = 25.;
    cylinder.length = 25.;
    cylinder.start  = 50. * degree;
    cylinder.angle  = 40. * degree;
    cylinder.cells  = {6, 6};

    ShellBody body;
    body.young             = 4.32e8;
    body.poisson           = 0.;
    body.thickness         = 0.25;
    body.density           = 90. / body.thickness;
    body.gravity_direction = -Vector3::UnitY();
    ShellEdge diaphragm;
    diaphragm.name           = "top";
    diaphragm.position_fixed = {{true, true, false}};
    body.edges               = {ShellEdge::symmetry("end", 0),
                                ShellEdge::symmetry("bottom", 2),
                                diaphragm};
    body.points              = {
                   {"edge",
                    {25. * std::cos(50. * degree), 25. * std::sin(50. * degree), 0.}}};
    return make_shell({"roof", body, make_surface(cylinder)});
  }

  std::unique_ptr<Model>
  rod(const Kind kind)
  {
    RodBody body;
    body.gravity_direction = -Vector3::UnitY();
    return make_rod(kind, body, fine_mesh(kind));
  }

  struct Body
  {
    std::string                             name;
    std::function<std::unique_ptr<Model>()> make;
    std::string                             sags;
    double                                  exact; ///< per unit of gravity
  };

  std::ostream &
  operator<<(std::ostream &stream, const Body &body)
  {
    return stream << body.name;
  }

  // The roof's figure is that of the literature for linear theory; the rods'
  // is that of a beam.
  const std::vector<Body> bodies = {
    {"Scordelis-Lo roof", roof, "edge displacement y", -0.3006},
    {"Kirchhoff rod", [] { return rod(Kind::kirchhoff); }, "end y", -0.125},
    {"discrete elastic rod",
     [] { return rod(Kind::discrete); },
     "end y",
     -0.125}};

  /// One unknown whose only measurement is not a number once it is loaded.
  class Unmeasurable : public OneUnknown
  {
  public:
    Unmeasurable()
    {
      add_parameter("load", "a force [1]", load, 1.);
    }

    double
    value(const double x) const override
    {
      return 0.5 * x * x - load * x;
    }

    double
    slope(const double x) const override
    {
      return x - load;
    }

    double
    bend(double) const override
    {
      return 1.;
    }

    std::vector<Measurement>
    measure(const Vector &q) const override
    {
      return {{"fine", 1.}, {"overflows", std::exp(1000. * q(0))}};
    }

  private:
    double load = 0.;
  };
} // namespace



BOOST_AUTO_TEST_SUITE(small_loads)

BOOST_DATA_TEST_CASE(a_small_load_is_carried_to_its_digits_or_refused,
                     data::make(bodies),
                     body)
{
  int n_converged = 0, n_lost = 0;
  for (double load = 1e-3; load > 1e-19; load /= 10.)
    {
      const auto        model = body.make();
      EquilibriumSolver solver(*model, NewtonOptions());
      const Equilibrium found =
        solver.load(model->initial_state(), {{"gravity", load}});
      if (!found.converged())
        {
          BOOST_TEST((found.outcome == Outcome::lost_in_round_off));
          BOOST_TEST(model->parameter("gravity") == 0.);
          ++n_lost;
          continue;
        }
      BOOST_TEST(n_lost == 0, "lost at a larger load than " << load);
      ++n_converged;
      const double sags =
        find_measurement(model->measure(found.q), body.sags) / load;
      BOOST_TEST_MESSAGE(body.name << " at " << load << ": " << sags << ", "
                                   << found.iterations << " iterations");
      // The literature's digits, the discrete rod's error; round-off may take
      // all but two digits.
      BOOST_TEST(std::abs(sags - body.exact) < 0.03 * std::abs(body.exact),
                 "under " << load << " it sags by " << sags
                          << " per unit instead of " << body.exact);
    }
  BOOST_TEST_MESSAGE(body.name << ": " << n_converged << " converged, "
                               << n_lost << " lost");
  BOOST_TEST(n_converged >= 4);
  // Positions of the straight discrete rod across itself are small numbers,
  // which have all their digits.
  BOOST_TEST((n_lost >= 1 || body.name == "discrete elastic rod"));
}

BOOST_AUTO_TEST_CASE(a_load_that_hardly_changes_is_not_lost)
{
  // What is a small change beside a large load is not a small load.
  RodBody column;
  column.end_force_direction = -Vector3::UnitX();
  const auto        rod      = make_rod(Kind::kirchhoff, column, mesh_of(8));
  EquilibriumSolver solver(*rod, NewtonOptions());
  Equilibrium found = solver.load(rod->initial_state(), {{"end force", 1.}});
  BOOST_TEST(found.converged());
  for (const double change : {1e-6, 1e-12, 1e-15})
    {
      found = solver.load(found.q, {{"end force", 1. + change}});
      BOOST_TEST(found.converged());
    }
}

BOOST_AUTO_TEST_CASE(what_cannot_be_measured_is_not_found)
{
  Unmeasurable      model;
  EquilibriumSolver solver(model, NewtonOptions());
  Equilibrium       found = solver.load(model.initial_state(), {{"load", 0.1}});
  BOOST_TEST(all_finite(measure(model, found)));
  BOOST_TEST(found.converged());
  found = solver.load(found.q, {{"load", 10.}});
  BOOST_TEST(found.converged());
  BOOST_TEST(!all_finite(measure(model, found)));
  BOOST_TEST((found.outcome == Outcome::not_finite));
}

BOOST_AUTO_TEST_SUITE_END()

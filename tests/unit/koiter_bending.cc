// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/differences.h"
#include "support/shells.h"

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

  NewtonOptions
  options()
  {
    NewtonOptions result;
    result.linear_solver = "mumps";
    return result;
  }

  /// A strip of length 1 and its shape after bending.
  struct Strip
  {
    std::unique_ptr<KoiterShell> shell;
    Equilibrium                  state;

    double
    measured(const std::string &name) const
    {
      return find_measurement(shell->measure(state.q), name);
    }

    Vector3
    tip() const
    {
      return {measured("tip x"), measured("tip y"), measured("tip z")};
    }

    /// Largest distance of a node from where an exact solution has it.
    double
    distance(const std::function<Vector3(const Vector3 &rest)> &exact) const
    {
      double largest = 0.;
      shell->transformed(state.q, [&](const Vector3 &rest, const Vector3 &x) {
        largest = std::max(largest, (x - exact(rest)).norm());
        return x;
      });
      return largest;
    }
  };

  Strip
  bend(ShellBody                      body,
       const double                   width,
       const CellCounts              &cells,
       const int                      degree,
       const std::vector<LoadTarget> &targets,
       const int                      steps = 1)
  {
    // A corner is a node for every degree.
    body.points = {{"tip", {1., width / 2, 0.}}};
    Rectangle rectangle;
    rectangle.width = width;
    rectangle.cells = cells;
    KoiterShellDiscretisation discretisation;
    discretisation.degree = degree;
    Strip strip;
    strip.shell = std::make_unique<KoiterShell>(body,
                                                *make_surface(rectangle),
                                                discretisation,
                                                MPI_COMM_SELF);
    EquilibriumSolver solver(*strip.shell, options());
    strip.state.q = strip.shell->initial_state();
    for (int step = 1; step <= steps; ++step)
      {
        std::vector<LoadTarget> part = targets;
        for (LoadTarget &target : part)
          target.value *= static_cast<double>(step) / steps;
        strip.state = solver.load(strip.state.q, part);
        BOOST_REQUIRE(strip.state.converged());
      }
    return strip;
  }

  /// The circle into which a strip rolls, upwards, when its tangent turns by
  /// `turn` and its length grows by a factor.
  std::function<Vector3(const Vector3 &)>
  circle(const double turn, const double stretch = 1.)
  {
    return [turn, stretch](const Vector3 &rest) -> Vector3 {
      return {stretch * std::sin(turn * rest(0)) / turn,
              rest(1),
              stretch * (1. - std::cos(turn * rest(0))) / turn};
    };
  }

  /// Meshes on which errors are between those of a coarse shape and round-off.
  std::vector<int>
  meshes(const int degree)
  {
    return degree == 2   ? std::vector<int>{16, 32, 64}
           : degree == 3 ? std::vector<int>{8, 16, 32}
                         : std::vector<int>{6, 12};
  }

  void
  check_orders(const int degree, const std::vector<double> &errors)
  {
    for (const double error : errors)
      BOOST_TEST_MESSAGE("degree " << degree << ": error " << error);
    for (const double order : orders(errors))
      BOOST_TEST(order > degree + 0.8,
                 "degree " << degree << ": order " << order);
  }
} // namespace



BOOST_AUTO_TEST_SUITE(koiter_bending)

BOOST_DATA_TEST_CASE(an_end_moment_rolls_a_strip_into_a_ring,
                     data::make({2, 3, 4}),
                     degree)
{
  // A whole turn at nu = 0. A moment M works on the angle, which turns at the
  // rate b / lambda where the curvature is b and the stretch lambda:
  //   b = M / lambda,   K/2 (lambda^2 - 1) lambda = -M^2 / lambda^3.
  const double thickness = 1e-3, M = 2. * pi, K = 12. / thickness / thickness;
  double       lambda = 1.;
  for (int i = 0; i < 20; ++i)
    lambda = std::sqrt(1. - 2. * M * M / (K * std::pow(lambda, 4)));
  ShellBody body = cantilever_plate(thickness, 0., -Vector3::UnitZ());
  body.edges.push_back(ShellEdge::free("right"));
  std::vector<double> errors;
  for (const int n : meshes(degree))
    errors.push_back(bend(body, 0.1, {n, 1}, degree, {{"right moment", M}}, 4)
                       .distance(circle(M / (lambda * lambda), lambda)));
  check_orders(degree, errors);
  BOOST_TEST(errors.back() < (degree == 2 ? 1e-4 : 1e-5));
}

BOOST_DATA_TEST_CASE(a_strip_takes_its_natural_curvature,
                     data::make({2, 3, 4}),
                     degree)
{
  // Free of stress, whatever Poisson's ratio is.
  const ShellBody     body = cantilever_plate(1e-3, 0.3, -Vector3::UnitZ());
  std::vector<double> errors;
  for (const int n : meshes(degree))
    errors.push_back(
      bend(body, 0.1, {n, 1}, degree, {{"natural curvature 1", pi}})
        .distance(circle(pi)));
  check_orders(degree, errors);
}

BOOST_DATA_TEST_CASE(a_thin_plate_does_not_lock, data::make({2, 3, 4}), degree)
{
  // Eight cells; the elastica's descent over its span at Gamma* = 10. What
  // remains is an error of the mesh, and it does not depend on the thickness;
  // at h/L = 1e-2 the plate stretches visibly.
  const double elastica = 1.0668023;
  for (const double thickness : {1e-2, 1e-3, 1e-4, 1e-5})
    {
      const Vector3 tip =
        bend(cantilever_plate(thickness, 0., -Vector3::UnitZ()),
             0.1,
             {8, 1},
             degree,
             {{"gravity", 10.}})
          .tip();
      BOOST_TEST_MESSAGE("degree " << degree << ", thickness " << thickness
                                   << ": " << -tip(2) / tip(0));
      BOOST_TEST(std::abs(-tip(2) / tip(0) / elastica - 1.) <
                 (degree == 2         ? 1e-2
                  : thickness == 1e-2 ? 1e-4
                                      : 5e-5));
    }
}

BOOST_AUTO_TEST_CASE(a_wide_cantilever_follows_the_elastica)
{
  for (const auto &[degree, n] : {std::pair(4, 8), std::pair(3, 16)})
    {
      const Strip   strip = bend(cantilever_plate(1e-3, 0., -Vector3::UnitZ()),
                               0.1,
                               {n, 2},
                               degree,
                               {{"gravity", 10.}});
      const Vector3 tip   = strip.tip();
      // The elastica to its digits, the mesh to some 1e-6.
      BOOST_TEST(std::abs(-tip(2) / tip(0) - 1.0668023) < 3e-6);
      // The clamp carries the weight: rho h g w L = 1 in units of D/L.
      BOOST_TEST(std::abs(strip.measured("left force z") - 1.) < 1e-7);
    }
}

BOOST_AUTO_TEST_SUITE_END()

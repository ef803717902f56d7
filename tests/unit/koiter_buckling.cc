// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/shells.h"

#include <slender/statics/equilibrium.h>
#include <slender/statics/frontier.h>
#include <slender/statics/stability.h>

#include <boost/test/unit_test.hpp>

namespace
{
  using namespace slender;
  using namespace slender::test;

  NewtonOptions
  options()
  {
    NewtonOptions result;
    result.linear_solver = "mumps";
    return result;
  }

  /// A plate on its edge, clamped at one end, with h/L = 1e-3, nu = 0.35.
  std::unique_ptr<KoiterShell>
  plate_on_edge(const double width, const CellCounts &cells)
  {
    Rectangle rectangle;
    rectangle.width     = width;
    rectangle.cells     = cells;
    rectangle.grading_x = 4.; // towards the corners of the clamp
    rectangle.grading_y = 4.;
    return std::make_unique<KoiterShell>(cantilever_plate(1e-3,
                                                          0.35,
                                                          -Vector3::UnitY()),
                                         *make_surface(rectangle),
                                         KoiterShellDiscretisation(),
                                         MPI_COMM_SELF);
  }

  /// Whether the planar state loses its stability within 0.1 % of a load.
  void
  check_critical(KoiterShell       &plate,
                 EquilibriumSolver &solver,
                 Vector            &q,
                 const double       critical)
  {
    for (const int sign : {-1, 1})
      {
        const Equilibrium planar =
          solver.load(q, {{"gravity", critical * (1. + 1e-3 * sign)}});
        BOOST_REQUIRE(planar.converged());
        q = planar.q;
        BOOST_TEST(solver.inertia(q).negative == (sign < 0 ? 0 : 1));
        // It stays in its plane.
        plate.transformed(q, [](const Vector3 &, const Vector3 &x) {
          BOOST_REQUIRE(std::abs(x(2)) < 1e-9);
          return x;
        });
      }
  }
} // namespace



BOOST_AUTO_TEST_SUITE(koiter_buckling)

BOOST_AUTO_TEST_CASE(a_plate_on_its_edge_buckles_sideways_under_its_weight)
{
  // Converged eigenvalues of the thin plate; these meshes are within 0.04 %.
  for (const auto &[width, critical, cells] :
       {std::tuple(0.1, 14.869, CellCounts{16, 3}),
        std::tuple(1., 29.147, CellCounts{8, 8})})
    BOOST_TEST_CONTEXT("width " << width)
    {
      const auto        plate = plate_on_edge(width, cells);
      EquilibriumSolver solver(*plate, options());
      Vector            q = plate->initial_state();
      check_critical(*plate, solver, q, critical);
    }
}

BOOST_AUTO_TEST_CASE(the_width_of_a_plate_varies_continuously)
{
  const auto        plate = plate_on_edge(0.1, {10, 4});
  EquilibriumSolver solver(*plate, options());
  Vector            q =
    solver.load(plate->initial_state(), {{"gravity", 14.}, {"width", 0.5}}).q;
  check_critical(*plate, solver, q, 20.808);

  // It is the plate that was made that wide.
  const auto other = plate_on_edge(0.5, {10, 4});
  other->set_parameter("gravity", plate->parameter("gravity"));
  BOOST_TEST(std::abs(other->energy(q) - plate->energy(q)) <
             1e-12 * std::abs(plate->energy(q)));
  BOOST_TEST((other->gradient(q) - plate->gradient(q)).norm() < 1e-8);
}

BOOST_AUTO_TEST_CASE(the_frontier_of_buckling_is_tracked_over_all_widths)
{
  const auto        plate = plate_on_edge(0.1, {10, 4});
  EquilibriumSolver solver(*plate, options());
  const Vector q = solver.load(plate->initial_state(), {{"gravity", 14.8}}).q;
  const auto   modes = lowest_eigenpairs(*plate, q, 1);
  BOOST_REQUIRE(modes.size() == 1u);

  Controls        controls(*plate, {"gravity", "width"});
  FrontierOptions box;
  box.minimum      = {{5., 0.05}};
  box.maximum      = {{40., 1.}};
  box.first_step   = 0.1;
  box.largest_step = 0.2;
  std::vector<FrontierPoint> points;
  const FrontierEnd          end =
    FrontierTracker(controls, options(), box)
      .track(q, modes[0].mode, 1, +1, [&](const FrontierPoint &point) {
        points.push_back(point);
        return true;
      });
  BOOST_TEST((end == FrontierEnd::left_box));
  BOOST_REQUIRE(points.size() > 3u);
  BOOST_TEST(std::abs(points.front().controls[0] / 14.869 - 1.) < 1e-3);
  BOOST_TEST(points.back().controls[1] == 1.);
  // Four cells across a square plate leave 0.1 %.
  BOOST_TEST(std::abs(points.back().controls[0] / 29.147 - 1.) < 2e-3);
}

BOOST_AUTO_TEST_SUITE_END()

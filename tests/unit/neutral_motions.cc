// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/continuation.h"
#include "support/dense_hessian.h"

#include <slender/solvers/neutral_border.h>
#include <slender/solvers/petsc.h>
#include <slender/statics/neutral_motions.h>
#include <slender/systems/kinematics.h>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace
{
  using namespace slender;
  using namespace slender::test;
  namespace data = boost::unit_test::data;

  /// A straight round rod along z between two clamps, one of which slides
  /// towards the other under the end force.
  RodBody
  round_column()
  {
    RodBody body;
    body.start_frame         = {Vector3::UnitZ(), Vector3::UnitY()};
    body.end_force_direction = -Vector3::UnitZ();
    body.end                 = RodEnd::clamped();
    body.end.position_fixed  = {true, true, false};
    return body;
  }

  /// A straight round rod bent to a ring, whose ends are clamped at one point.
  RodBody
  whole_ring()
  {
    RodBody body;
    body.twisting          = 0.8;
    body.start_frame       = {Vector3::UnitX(), Vector3::UnitY()};
    body.initial_strain    = {0., 2. * pi, 0.};
    body.end               = RodEnd::clamped();
    body.end.rotation_axis = Vector3::UnitX();
    return body;
  }

  std::size_t
  n_neutral(const Kind kind, const RodBody &body)
  {
    const auto        rod = make_rod(kind, body, column_mesh(kind));
    EquilibriumSolver solver(*rod, NewtonOptions());
    const Equilibrium found = solver.solve(rod->initial_state());
    BOOST_REQUIRE(found.converged());
    return neutral_motions(*rod, found.q).size();
  }
} // namespace

BOOST_AUTO_TEST_SUITE(neutral)

BOOST_DATA_TEST_CASE(what_nothing_holds_moves_rigidly,
                     data::make(both_kinds),
                     kind)
{
  RodBody body;
  body.start = body.end = RodEnd();
  const auto straight   = make_rod(kind, body, column_mesh(kind));
  // The turn about the axis is the spin.
  BOOST_TEST(neutral_motions(*straight, straight->initial_state()).size() ==
             6u);

  // A curved one is no equilibrium before it has settled on its mesh.
  const auto        curved = make_rod(kind, free_body(), column_mesh(kind));
  EquilibriumSolver solver(*curved, NewtonOptions());
  solver.set_neutral_motions(free_motions(*curved, curved->initial_state()));
  const Equilibrium found = solver.solve(curved->initial_state());
  BOOST_REQUIRE(found.converged());
  BOOST_TEST(neutral_motions(*curved, found.q).size() == 6u);
}

BOOST_DATA_TEST_CASE(a_round_ring_turns_about_its_clamp,
                     data::make(both_kinds),
                     kind)
{
  RodBody body = whole_ring();
  BOOST_TEST(n_neutral(kind, body) == 1u);
  // Nearly round is not round.
  body.bending_2 = 1.00001;
  BOOST_TEST(n_neutral(kind, body) == 0u);
  body         = whole_ring();
  body.gravity = 1e-3;
  BOOST_TEST(n_neutral(kind, body) == 0u);
}

BOOST_DATA_TEST_CASE(a_straight_clamped_column_has_none,
                     data::make(both_kinds),
                     kind)
{
  BOOST_TEST(n_neutral(kind, round_column()) == 0u);
}

BOOST_DATA_TEST_CASE(a_whole_ring_leaves_its_plane_at_zajacs_rotation,
                     data::make(both_kinds),
                     kind)
{
  // 2 pi sqrt(3) B/C, and less by 2.47/K of itself (see the theory of
  // continuation); the discrete ring has an error of second order, the square
  // of the angle between two segments times a number of order one.
  const double        exact = 2. * pi * std::sqrt(3.) / 0.8;
  std::vector<double> found, claimed;
  for (const double largest_step : {0.05, 0.083})
    {
      BranchOptions options;
      options.maximum       = 14.;
      options.largest_step  = largest_step;
      const auto        rod = make_rod(kind, whole_ring(), column_mesh(kind));
      EquilibriumSolver solver(*rod, NewtonOptions());
      const Vector      start  = solver.solve(rod->initial_state()).q;
      const Followed    branch = follow(*rod, "end rotation", options, start);
      BOOST_TEST_MESSAGE(to_string(branch.end));
      const auto events = branch.of_kind(PointKind::bifurcation);
      BOOST_REQUIRE(!events.empty());
      BOOST_TEST(events[0].n_negative == 0);
      found.push_back(events[0].parameter);
      claimed.push_back(events[0].uncertainty);
    }
  BOOST_TEST(std::abs(found[0] - exact) <
             exact * (kind == Kind::kirchhoff ? 1e-7 : 4. / 1e4));
  // Independent of steps, as far as is claimed: the mesh of the discrete ring
  // parts the two bifurcations that coincide on a smooth one, by no more than
  // its error.
  BOOST_TEST(std::abs(found[0] - found[1]) <=
             claimed[0] + claimed[1] + 1e-9 * exact);
  BOOST_TEST(std::max(claimed[0], claimed[1]) <
             exact * (kind == Kind::kirchhoff ? 1e-8 : 4. / 1e4));
}

BOOST_DATA_TEST_CASE(a_round_column_buckles_to_any_side,
                     data::make(both_kinds),
                     kind)
{
  const auto    rod = make_rod(kind, round_column(), column_mesh(kind));
  BranchOptions options;
  options.maximum = 60.;
  const auto events =
    follow(*rod, "end force", options).of_kind(PointKind::bifurcation);
  BOOST_REQUIRE(events.size() >= 1);
  const BranchPoint &euler = events.front();
  BOOST_TEST(std::abs(euler.parameter / (4. * pi * pi) - 1.) <
             (kind == Kind::kirchhoff ? 1e-7 : 2e-3));
  BOOST_TEST(euler.n_critical == 2);
  BOOST_TEST(euler.companions.size() == 1u);
  BOOST_TEST(euler.uncertainty < 1e-6 * euler.parameter);

  Controls       controls(*rod, {"end force"});
  BranchFollower follower(controls, 0, NewtonOptions(), options);
  int            n_points = 0;
  const auto     end =
    follower.switch_branch(euler, 1, [&](const BranchPoint &point) {
      // In one plane, which turns at no cost, and stable otherwise.
      const auto stations = rod->stations(point.q);
      const auto middle   = stations[stations.size() / 2].position;
      if (point.kind != PointKind::start)
        {
          BOOST_TEST(std::abs(middle.x()) > 1e-3);
          BOOST_TEST(std::abs(middle.y()) < 1e-6);
          BOOST_TEST(neutral_motions(*rod, point.q).size() == 1u);
          ++n_points;
        }
      BOOST_TEST(point.n_negative == 0);
      BOOST_TEST(!point.is_undecided);
      return true;
    });
  BOOST_TEST((end == BranchEnd::left_range));
  BOOST_TEST(n_points > 5);
}

BOOST_DATA_TEST_CASE(neutral_motions_are_kept_out_of_solutions_and_signs,
                     data::make({"banded", "mumps"}),
                     solver)
{
  // A ring beyond its bifurcation: one direction is unstable, one neutral.
  const auto rod =
    make_rod(Kind::kirchhoff, whole_ring(), column_mesh(Kind::kirchhoff));
  BranchOptions path;
  path.maximum   = 16.;
  path.requested = {14.};
  EquilibriumSolver solver_of_start(*rod, NewtonOptions());
  const auto        beyond = follow(*rod,
                             "end rotation",
                             path,
                             solver_of_start.solve(rod->initial_state()).q)
                        .of_kind(PointKind::requested);
  BOOST_REQUIRE(beyond.size() == 1);
  rod->set_parameter("end rotation", 14.);
  const Vector q       = beyond[0].q;
  const auto   motions = neutral_motions(*rod, q);
  BOOST_REQUIRE(motions.size() == 1u);

  NewtonOptions options;
  options.linear_solver = solver;
  SystemTangent tangent(*rod, options.solver());
  tangent.set_neutral_motions(motions);
  tangent.hold_hessian(q);
  const Inertia inertia = tangent.inertia();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(
    dense_hessian(*rod, q));
  BOOST_TEST(inertia.zero == 1);
  BOOST_TEST(inertia.negative == (eigen.eigenvalues().array() < -1e-6).count());

  petsc::Owned<Vec, VecDestroy> b, x;
  *&b            = petsc::create_vector(rod->layout());
  *&x            = petsc::create_vector(rod->layout());
  const Vector f = rod->parameter_derivative(q, "end rotation");
  petsc::set_values(b, f);
  BOOST_TEST(tangent.solve(b, x));
  const Vector solution = petsc::local_values(x);
  BOOST_TEST(std::abs(solution.dot(motions[0])) < 1e-12 * solution.norm());
  const Vector rest = rod->hessian_times(q, solution) - f;
  BOOST_TEST((rest - motions[0].dot(rest) * motions[0]).norm() <
             1e-6 * f.norm());
}

BOOST_AUTO_TEST_SUITE_END()

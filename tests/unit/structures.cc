// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/structures.h"

#include "support/dense_hessian.h"
#include "support/differences.h"
#include "support/messages.h"
#include "support/random.h"

#include <slender/base/errors.h>
#include <slender/models/rods/director_rates.h>
#include <slender/statics/branch.h>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>


namespace
{
  using namespace slender;
  using namespace slender::test;
  namespace data = boost::unit_test::data;

  /// A state in which nothing is special.
  Vector
  disturbed(const System &system, const double size)
  {
    return system.initial_state() +
           size * Random(3).vector(system.layout().n_local());
  }

  /// Gradient and Hessian are those of the energy, and a product with the
  /// Hessian is one.
  void
  check_derivatives(const System &system, const Vector &q)
  {
    const Vector direction = Random(5).vector(static_cast<Index>(q.size()));
    const double slope     = system.gradient(q).dot(direction);
    check_second_order(
      [&](const double h) {
        return (system.energy(q + h * direction) -
                system.energy(q - h * direction)) /
                 (2. * h) -
               slope;
      },
      1e-3,
      std::abs(system.energy(q)));

    DenseSink hessian(static_cast<Index>(q.size()));
    system.hessian(q, hessian);
    const Vector product = hessian.matrix * direction;
    const double size    = product.norm();
    BOOST_TEST((hessian.matrix - hessian.matrix.transpose()).norm() <
               1e-12 * hessian.matrix.norm());
    BOOST_TEST((system.hessian_times(q, direction) - product).norm() <
               1e-10 * size);
    check_second_order(
      [&](const double h) {
        return ((system.gradient(q + h * direction) -
                 system.gradient(q - h * direction)) /
                  (2. * h) -
                product)
          .norm();
      },
      1e-3,
      size);
  }

  Mesh
  soft_mesh()
  {
    Mesh mesh       = mesh_of(5, 3);
    mesh.constraint = 100.;
    return mesh;
  }
} // namespace

BOOST_AUTO_TEST_SUITE(structures)

BOOST_AUTO_TEST_CASE(directors_of_a_quaternion_have_right_derivatives)
{
  const Vector4 q(0.7, -0.3, 0.5, 0.9), dq(0.2, 0.4, -0.6, 0.3);
  const auto    at = quaternion::director_rates(q);
  const auto    R  = quaternion::to_matrix(q);
  for (int i = 0; i < 9; ++i)
    BOOST_TEST(std::abs(at.directors(i) - R.data()[i]) < 1e-14);

  const Eigen::Matrix<double, 9, 1> rate =
    precise_derivative([&](const double h) {
      return quaternion::director_rates(q + h * dq).directors;
    });
  BOOST_TEST((rate - at.rates * dq).norm() < 1e-10);

  Eigen::Matrix<double, 9, 1> weights;
  weights << 0.3, -0.5, 0.2, 0.8, -0.1, 0.4, -0.7, 0.6, 0.9;
  const Vector4 change = precise_derivative([&](const double h) -> Vector4 {
    return quaternion::director_rates(q + h * dq).rates.transpose() * weights;
  });
  BOOST_TEST((change - quaternion::director_curvature(q, weights) * dq).norm() <
             1e-9);
}

BOOST_AUTO_TEST_CASE(a_frame_has_right_derivatives)
{
  const LeesFrame frame(soft_mesh());
  frame.frame->set_parameter("load/force", 30.);
  check_derivatives(*frame.frame, disturbed(*frame.frame, 0.05));
}

BOOST_AUTO_TEST_CASE(a_strip_with_a_rod_has_right_derivatives)
{
  const StripWithRod all(2, MPI_COMM_SELF);
  // Far from rest the strip is very stiff.
  check_derivatives(*all.structure, disturbed(*all.structure, 1e-3));
}

BOOST_AUTO_TEST_CASE(a_spring_has_right_derivatives)
{
  const Cantilevers two(MPI_COMM_SELF);
  two.structure->set_parameter("spring/stiffness", 7.);
  two.structure->set_parameter("spring/length", 0.3);
  check_derivatives(*two.structure, disturbed(*two.structure, 0.01));
}

BOOST_AUTO_TEST_CASE(a_pattern_is_made_anew_only_when_it_has_changed)
{
  const Cantilevers two(MPI_COMM_SELF);
  const Vector      q = two.structure->initial_state();
  SystemTangent     tangent(*two.structure, LinearSolver::mumps);
  tangent.hold_hessian(q);
  two.structure->set_parameter("upper/end force", 1.);
  tangent.hold_hessian(q);
  BOOST_TEST(tangent.n_patterns() == 1);
  two.structure->set_parameter("spring/stiffness", 5.);
  tangent.hold_hessian(q);
  BOOST_TEST(tangent.n_patterns() == 2);
  two.structure->set_parameter("spring/stiffness", 6.);
  tangent.hold_hessian(q);
  BOOST_TEST(tangent.n_patterns() == 2);
}

BOOST_AUTO_TEST_CASE(ambiguous_names_are_refused_and_others_need_no_prefix)
{
  const LeesFrame frame(soft_mesh());
  frame.frame->set_parameter("column/gravity", 3.);
  BOOST_TEST(frame.column->parameter("gravity") == 3.);
  BOOST_TEST(frame.beam->parameter("gravity") == 0.);
  frame.frame->set_parameter("force", 2.); // only the load has one
  BOOST_TEST(frame.frame->parameter("load/force") == 2.);
  check_message(message_of([&] { frame.frame->set_parameter("gravity", 1.); }),
                "'column/gravity' and 'beam/gravity'");
  BOOST_TEST(
    find_measurement(frame.frame->measure(frame.frame->initial_state()),
                     "beam/end x") == 120.);
}

BOOST_AUTO_TEST_CASE(lees_frame_snaps_at_its_known_loads)
{
  Mesh mesh       = mesh_of(10, 3);
  mesh.constraint = 1e8;
  const LeesFrame frame(mesh);
  Controls        controls(*frame.frame, {"load/force"});
  BranchOptions   options;
  options.minimum      = -2.;
  options.maximum      = 3.;
  options.largest_step = 0.02;
  options.max_points   = 400;
  std::vector<double> folds;
  BranchFollower(controls, 0, NewtonOptions(), options)
    .follow(frame.frame->initial_state(), 1, [&](const BranchPoint &point) {
      if (point.kind == PointKind::fold)
        folds.push_back(point.parameter);
      return folds.size() < 2;
    });
  BOOST_REQUIRE(folds.size() == 2);
  // reference/lees_frame.py
  BOOST_TEST(std::abs(folds[0] - 1.8556728) < 1e-6);
  BOOST_TEST(std::abs(folds[1] + 0.9414432) < 2e-6);
}

BOOST_AUTO_TEST_CASE(a_welded_corner_keeps_its_angle)
{
  Mesh            mesh = mesh_of(10, 3);
  const LeesFrame frame(mesh);
  const auto      found =
    EquilibriumSolver(*frame.frame, NewtonOptions())
      .load(frame.frame->initial_state(), {{"load/force", 1.}});
  BOOST_REQUIRE(found.converged());
  const auto corner =
    frame.column->section(1.)->linearise(frame.frame->share(0, found.q));
  const auto end =
    frame.beam->section(0.)->linearise(frame.frame->share(1, found.q));
  BOOST_TEST((corner.numbers.head<3>() - end.numbers.head<3>()).norm() <
             1e-7 * LeesFrame::length);
  const Vector3 up    = corner.numbers.segment<3>(3),
                along = end.numbers.segment<3>(3);
  BOOST_TEST(std::abs(up.x()) > 0.01); // it has turned
  BOOST_TEST(std::abs(up.dot(along)) < 1e-7);
}

BOOST_AUTO_TEST_SUITE_END()

// On any number of ranks, one included.
BOOST_AUTO_TEST_SUITE(parallel)

BOOST_AUTO_TEST_CASE(a_strip_with_a_rod_is_as_stiff_as_two_beams_in_a_row)
{
  const StripWithRod all(8, MPI_COMM_WORLD);
  constexpr double   force = 1e-4;
  NewtonOptions      options;
  options.linear_solver = "mumps";
  EquilibriumSolver solver(*all.structure, options);
  const auto        found =
    solver.load(all.structure->initial_state(), {{"end force", force}});
  BOOST_REQUIRE(found.converged());
  const double z =
    find_measurement(all.structure->measure(found.q), "rod/end z");
  BOOST_TEST_MESSAGE("relative error "
                     << -z / force / StripWithRod::compliance() - 1.);
  BOOST_TEST(std::abs(-z / force / StripWithRod::compliance() - 1.) < 1e-5);
  BOOST_TEST(solver.inertia(found.q).negative == 0);
}

BOOST_DATA_TEST_CASE(a_spring_that_appears_changes_the_pattern,
                     data::make({"banded", "mumps"}),
                     kind)
{
  int n_ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
  NewtonOptions options;
  // Several ranks have but one choice.
  options.linear_solver = n_ranks > 1 ? "mumps" : kind;
  const Cantilevers two(MPI_COMM_WORLD);
  System           &system = *two.structure;
  constexpr double  force = 1e-4, stiffness = 5., bending = 3.; // 3 B/L^3
  EquilibriumSolver solver(system, options);
  const auto        alone =
    solver.load(system.initial_state(), {{"upper/end force", force}});
  BOOST_REQUIRE(alone.converged());
  const auto fallen = [&](const Vector &q) {
    return 0.5 - find_measurement(system.measure(q), "upper/end z");
  };
  BOOST_TEST(std::abs(fallen(alone.q) * bending / force - 1.) < 1e-6);

  const unsigned long before = system.pattern();
  system.set_parameter("spring/stiffness", stiffness);
  BOOST_TEST(system.pattern() != before);
  const auto held = solver.solve(alone.q);
  BOOST_REQUIRE(held.converged());
  // The spring and the lower rod are in a row, and beside the upper rod.
  const double total = bending + 1. / (1. / stiffness + 1. / bending);
  BOOST_TEST(std::abs(fallen(held.q) * total / force - 1.) < 1e-6);

  // And goes again.
  system.set_parameter("spring/stiffness", 0.);
  const auto again = solver.solve(held.q);
  BOOST_REQUIRE(again.converged());
  BOOST_TEST(std::abs(fallen(again.q) - fallen(alone.q)) < 1e-12);
}

BOOST_AUTO_TEST_SUITE_END()

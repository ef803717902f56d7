// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/dense_hessian.h"
#include "support/differences.h"
#include "support/random.h"
#include "support/triangle_shells.h"

#include <slender/base/errors.h>
#include <slender/dynamics/projective_steps.h>
#include <slender/statics/equilibrium.h>

#include <Eigen/Dense>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace
{
  using namespace slender;
  using namespace slender::test;
  using triangles::FoldRule;
  using triangles::MembraneKind;
  namespace data = boost::unit_test::data;

  constexpr double gravity = 5.;

  /// A plate, clamped at the left and a mirror image at the bottom, of length
  /// and bending stiffness one.
  std::unique_ptr<TriangleShell>
  hanging_plate(const Triangulation kind,
                const double        thickness    = 0.02,
                MPI_Comm            communicator = MPI_COMM_SELF)
  {
    ShellBody body;
    body.poisson   = 0.;
    body.thickness = thickness;
    body.young     = 12. / std::pow(thickness, 3);
    body.density   = 1. / thickness;
    body.gravity   = gravity;
    body.edges = {ShellEdge::clamped("left"), ShellEdge::symmetry("bottom", 1)};
    body.points = {{"end", Vector3(1., -0.05, 0.)}};
    Rectangle                   rectangle{1., 0.1, {20, 2}, 1., 1.};
    TriangleShellDiscretisation how;
    how.rule               = FoldRule::vector;
    how.membrane           = MembraneKind::isometric;
    how.fold_factor        = 1.;
    how.triangulation.kind = kind;
    return std::make_unique<TriangleShell>(body,
                                           *make_surface(rectangle),
                                           how,
                                           communicator);
  }

  const std::vector<Triangulation> kinds = {Triangulation::regular,
                                            Triangulation::alternating,
                                            Triangulation::equilateral,
                                            Triangulation::random};

  Eigen::MatrixXd
  dense_projective_tangent(const TriangleShell &system)
  {
    const Index     n = system.layout().n_local();
    Eigen::MatrixXd G(n, n);
    for (Index i = 0; i < n; ++i)
      {
        const Vector      direction = Vector::Unit(n, i);
        HessianMultiplier product(direction);
        system.projective_tangent(product);
        G.col(i) = product.product();
      }
    return G;
  }
} // namespace

BOOST_AUTO_TEST_SUITE(projective)

BOOST_DATA_TEST_CASE(forces_and_stiffness_are_derivatives_of_the_energy,
                     data::make(kinds),
                     kind)
{
  const auto            shell = hanging_plate(kind);
  const Vector          q = 0.005 * Random(1).vector(shell->layout().n_local());
  const Vector          d = Random(2).unit_vector(q.size());
  const Eigen::MatrixXd H = dense_hessian(*shell, q);
  BOOST_TEST((H - H.transpose()).norm() < 1e-13 * H.norm());
  check_second_order(
    [&](const double h) {
      return std::abs((shell->energy(q + h * d) - shell->energy(q - h * d)) /
                        (2. * h) -
                      shell->gradient(q).dot(d));
    },
    5e-3,
    std::abs(shell->energy(q)));
  check_second_order(
    [&](const double h) {
      return ((shell->gradient(q + h * d) - shell->gradient(q - h * d)) /
                (2. * h) -
              H * d)
        .norm();
    },
    5e-3,
    shell->gradient(q).norm());
  BOOST_TEST((shell->hessian_times(q, d) - H * d).norm() <
             1e-12 * (H * d).norm());
}

BOOST_AUTO_TEST_CASE(the_membrane_is_the_distance_from_the_nearest_isometry)
{
  Random random(3);
  for (int i = 0; i < 10; ++i)
    {
      Eigen::Matrix<double, 3, 2> F = Eigen::Matrix<double, 3, 2>::Zero();
      F.topRows<2>().setIdentity();
      for (int k = 0; k < 6; ++k)
        F(k) += 0.3 * random.vector(1)(0);
      const Eigen::Vector2d stretches =
        Eigen::JacobiSVD<Eigen::MatrixXd>(F).singularValues();
      const triangles::MembraneEnergy membrane(MembraneKind::isometric,
                                               0.3,
                                               0.1,
                                               {F.col(0).squaredNorm(),
                                                F.col(1).squaredNorm(),
                                                F.col(0).dot(F.col(1))});
      const double expected = 0.5 * triangles::isometric_stiffness(0.3, 0.1) *
                              (stretches.array() - 1.).square().sum();
      BOOST_TEST(membrane.value == expected,
                 boost::test_tools::tolerance(1e-9));
    }
}

// With projections held the energy is a parabola that lies above E and touches
// it, so that G - H is not negative and no iteration goes uphill.
BOOST_DATA_TEST_CASE(no_iteration_goes_uphill, data::make(kinds), kind)
{
  const auto            shell = hanging_plate(kind);
  Vector                q = 0.01 * Random(4).vector(shell->layout().n_local());
  const Eigen::MatrixXd G = dense_projective_tangent(*shell);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> above(
    G - dense_hessian(*shell, q), Eigen::EigenvaluesOnly);
  BOOST_TEST(above.eigenvalues()(0) > -1e-12 * G.norm());
  ProjectiveSearch search(*shell, *shell, LinearSolver::automatic);
  double           energy = shell->energy(q);
  for (int i = 0; i < 30; ++i)
    {
      const Vector before = q;
      BOOST_TEST((search.iterate(q).outcome == Outcome::converged));
      BOOST_TEST((G * (before - q) - shell->gradient(before)).norm() <
                 1e-9 * shell->gradient(before).norm());
      BOOST_TEST(shell->energy(q) < energy);
      energy = shell->energy(q);
    }
}

BOOST_AUTO_TEST_CASE(local_and_global_steps_come_to_the_equilibrium)
{
  const auto        shell = hanging_plate(Triangulation::regular, 0.1);
  Newton            newton(*shell, NewtonOptions());
  const Equilibrium exact = newton.search(shell->initial_state());
  BOOST_REQUIRE(exact.converged());
  ProjectiveSearch  search(*shell, *shell, LinearSolver::automatic);
  const Equilibrium found = search.search(shell->initial_state(), 20000, 1e-8);
  BOOST_TEST(found.residual < 1e-8);
  BOOST_TEST((found.q - exact.q).lpNorm<Eigen::Infinity>() < 1e-6);
  BOOST_TEST(search.matrix().n_factorisations() == 1);
}

// A step by implicit Euler, approached by iterations, is the one that Newton's
// method finds.
BOOST_AUTO_TEST_CASE(a_time_step_converges_to_that_of_newton)
{
  const auto        one = hanging_plate(Triangulation::regular, 0.1);
  const auto        two = hanging_plate(Triangulation::regular, 0.1);
  ProjectiveOptions options;
  options.iterations = 3000;
  ProjectiveSteps steps(*one, options);
  MotionOptions   by_newton = steps.motion_options();
  by_newton.search          = {};
  Motion first(*one, steps.motion_options()), second(*two, by_newton);
  first.start(one->initial_state(), 0.);
  second.start(two->initial_state(), 0.);
  for (int i = 0; i < 5; ++i)
    {
      BOOST_TEST(first.step(0.02).converged());
      BOOST_TEST(second.step(0.02).converged());
    }
  const Vector difference =
    first.now().unknowns.place - second.now().unknowns.place;
  BOOST_TEST(second.now().unknowns.place.lpNorm<Eigen::Infinity>() > 1e-3);
  BOOST_TEST(difference.lpNorm<Eigen::Infinity>() < 1e-8);
}

BOOST_AUTO_TEST_CASE(other_shells_have_no_projections)
{
  const auto shell =
    make_triangles(all_kinds_of_shells().front(), FoldRule::tangent);
  const Vector      q = shell->initial_state();
  HessianMultiplier nowhere(q);
  BOOST_CHECK_THROW(shell->projective_tangent(nowhere), InputError);
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/dense_hessian.h"
#include "support/differences.h"
#include "support/random.h"
#include "support/shells.h"

#include <Eigen/Dense>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace
{
  using namespace slender;
  using namespace slender::test;
  using Eigen::MatrixXd;
  namespace data = boost::unit_test::data;

  const std::vector<NamedShell> shells  = all_kinds_of_shells();
  const std::vector<NamedShell> unheld  = free_shells();
  const std::vector<int>        degrees = {2, 3, 4};

  /// A shell with a random state of moderate strains.
  struct Sample
  {
    std::unique_ptr<KoiterShell> shell;
    Vector                       q;

    Sample(const NamedShell &named, const int degree, const unsigned int seed)
      : shell(make_shell(named, degree))
      , q(0.02 / degree * Random(seed).vector(shell->layout().n_local()))
    {}
  };
} // namespace



BOOST_AUTO_TEST_SUITE(koiter_shell)

BOOST_DATA_TEST_CASE(forces_and_stiffness_are_derivatives_of_the_energy,
                     data::make(shells) * data::make(degrees),
                     named,
                     degree)
{
  const Sample       sample(named, degree, 1);
  const KoiterShell &shell     = *sample.shell;
  const Vector      &q         = sample.q;
  const Vector       d         = Random(11).unit_vector(q.size());
  const double       slope     = shell.gradient(q).dot(d);
  const MatrixXd     H         = dense_hessian(shell, q);
  const Vector       stiffness = H * d;
  if (shell.has_potential())
    {
      BOOST_TEST((H - H.transpose()).norm() < 1e-13 * H.norm());
      check_second_order(
        [&](const double h) {
          return std::abs((shell.energy(q + h * d) - shell.energy(q - h * d)) /
                            (2. * h) -
                          slope);
        },
        5e-3,
        std::abs(shell.energy(q)));
    }
  else
    BOOST_TEST((H - H.transpose()).norm() > 1e-6 * H.norm());
  check_second_order(
    [&](const double h) {
      return ((shell.gradient(q + h * d) - shell.gradient(q - h * d)) /
                (2. * h) -
              stiffness)
        .norm();
    },
    5e-3,
    shell.gradient(q).norm());
  BOOST_TEST((shell.hessian_times(q, d) - stiffness).norm() <
             1e-12 * stiffness.norm());
}

BOOST_DATA_TEST_CASE(mixed_tangent_is_the_stiffness_where_nothing_moved,
                     data::make(shells),
                     named)
{
  const Sample       sample(named, 3, 2);
  const KoiterShell &shell = *sample.shell;
  const Vector      &q     = sample.q;
  const MatrixXd     H     = dense_hessian(shell, q);
  BOOST_TEST((dense_newton_tangent(shell, q, shell.full_state(q)) - H).norm() <
             1e-13 * H.norm());

  // Elsewhere the predicted stress is off by the square of the way.
  const Vector d = Random(12).unit_vector(q.size());
  check_second_order(
    [&](const double h) {
      return (dense_newton_tangent(shell, q + h * d, shell.full_state(q)) -
              dense_hessian(shell, q + h * d))
        .norm();
    },
    5e-3,
    H.norm());
}

BOOST_DATA_TEST_CASE(a_rigid_motion_changes_neither_energy_nor_forces,
                     data::make(unheld),
                     named)
{
  const Sample          sample(named, 3, 3);
  const KoiterShell    &shell = *sample.shell;
  const Vector         &q     = sample.q;
  Random                random(4);
  const Vector4         r = random.rotation();
  const Eigen::Matrix3d R =
    Eigen::Quaterniond(r(0), r(1), r(2), r(3)).toRotationMatrix();
  const Vector3 t    = random.vector(3);
  const auto    move = [&](const Vector &state) {
    return shell.transformed(state,
                             [&](const Vector3 &, const Vector3 &x) -> Vector3 {
                               return R * x + t;
                             });
  };
  BOOST_TEST(std::abs(shell.energy(move(q)) - shell.energy(q)) <
             1e-10 * shell.energy(q));
  // The forces move along: they do the same work on the moved displacements.
  const Vector d    = random.unit_vector(q.size());
  const double work = shell.gradient(q).dot(d);
  BOOST_TEST(std::abs(shell.gradient(move(q)).dot(move(q + d) - move(q)) -
                      work) < 1e-10 * shell.gradient(q).norm());
}

BOOST_DATA_TEST_CASE(a_free_shell_at_rest_has_six_rigid_modes_and_no_other,
                     data::make(unheld) * data::make(degrees),
                     named,
                     degree)
{
  NamedShell thin      = named;
  thin.body.thickness  = 0.02;
  const auto     shell = make_shell(thin, degree);
  const Vector   q     = shell->initial_state();
  const MatrixXd H     = dense_hessian(*shell, q);
  const Vector   values =
    Eigen::SelfAdjointEigenSolver<MatrixXd>(H, Eigen::EigenvaluesOnly)
      .eigenvalues();
  // Round-off against the largest, the membrane's.
  const double zero = 1e-12 * values.tail<1>()(0);
  BOOST_TEST(values.head<6>().cwiseAbs().maxCoeff() < zero);
  BOOST_TEST(values(6) > 100. * zero);
  BOOST_TEST(shell->gradient(q).norm() < zero);
}

BOOST_DATA_TEST_CASE(a_plate_at_rest_is_stable_whatever_its_cells_and_poisson,
                     data::make(degrees) * data::make({0.5, 0., -0.9}) *
                       data::make({0.01, 1.}),
                     degree,
                     poisson,
                     width)
{
  // Half the default penalty suffices, a third does not always.
  NamedShell plate;
  plate.body.poisson = poisson;
  plate.body.edges   = {ShellEdge::clamped("left")};
  Rectangle rectangle;
  rectangle.width     = width;
  rectangle.cells     = {4, 3};
  rectangle.grading_x = 8.;
  rectangle.grading_y = 8.;
  plate.surface       = make_surface(rectangle);
  const auto shell    = make_shell(plate, degree);
  BOOST_TEST(dense_hessian(*shell, shell->initial_state()).llt().info() ==
             Eigen::Success);
}

BOOST_DATA_TEST_CASE(forces_per_parameter_are_derivatives_of_the_forces,
                     data::make(shells),
                     named)
{
  // The width of a plate and all loads: smooth, however the rest state changes.
  const Sample sample(named, 3, 5);
  KoiterShell &shell = *sample.shell;
  const Vector q     = sample.q;
  for (const Model::Parameter &p : shell.parameters())
    {
      const double value = *p.value;
      const Vector rate  = shell.parameter_derivative(q, p.name);
      BOOST_TEST_CONTEXT(p.name)
      check_second_order(
        [&](const double h) {
          shell.set_parameter(p.name, value + h * p.scale);
          Vector difference = shell.gradient(q);
          shell.set_parameter(p.name, value - h * p.scale);
          difference -= shell.gradient(q);
          shell.set_parameter(p.name, value);
          return (difference / (2. * h * p.scale) - rate).norm() * p.scale;
        },
        1e-2,
        // The rate itself is a difference, good to some 1e-9.
        1e3 * (shell.gradient(q).norm() + rate.norm() * p.scale));
    }
}

BOOST_AUTO_TEST_SUITE_END()

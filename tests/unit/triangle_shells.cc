// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/triangle_shells.h"

#include "support/dense_hessian.h"
#include "support/differences.h"
#include "support/random.h"

#include <slender/statics/equilibrium.h>

#include <Eigen/Dense>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace
{
  using namespace slender;
  using namespace slender::test;
  using Eigen::MatrixXd;
  using triangles::FoldRule;
  using triangles::MembraneKind;
  namespace data = boost::unit_test::data;

  const std::vector<NamedShell>   shells = all_kinds_of_shells();
  const std::vector<NamedShell>   unheld = free_shells();
  const std::vector<MembraneKind> membranes =
    {MembraneKind::st_venant_kirchhoff, MembraneKind::neo_hookean};

  /// A shell with a random state of moderate strains.
  struct Sample
  {
    std::unique_ptr<TriangleShell> shell;
    Vector                         q;

    Sample(const NamedShell  &named,
           const FoldRule     rule,
           const MembraneKind membrane,
           const unsigned int seed)
      : shell(make_triangles(named, rule, membrane))
      , q(0.01 * Random(seed).vector(shell->layout().n_local()))
    {}
  };
} // namespace



BOOST_AUTO_TEST_SUITE(triangle_shell)

BOOST_DATA_TEST_CASE(forces_and_stiffness_are_derivatives_of_the_energy,
                     data::make(shells) * data::make(fold_rules()) *
                       data::make(membranes),
                     named,
                     rule,
                     membrane)
{
  const Sample         sample(named, rule, membrane, 1);
  const TriangleShell &shell     = *sample.shell;
  const Vector        &q         = sample.q;
  const Vector         d         = Random(11).unit_vector(q.size());
  const double         slope     = shell.gradient(q).dot(d);
  const MatrixXd       H         = dense_hessian(shell, q);
  const Vector         stiffness = H * d;
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
                     data::make(shells) * data::make(membranes),
                     named,
                     membrane)
{
  const Sample         sample(named, FoldRule::average, membrane, 2);
  const TriangleShell &shell = *sample.shell;
  const Vector        &q     = sample.q;
  const MatrixXd       H     = dense_hessian(shell, q);
  BOOST_TEST((dense_newton_tangent(shell, q, shell.full_state(q)) - H).norm() <
             1e-13 * H.norm());
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
                     data::make(unheld) * data::make(fold_rules()) *
                       data::make(membranes),
                     named,
                     rule,
                     membrane)
{
  const Sample          sample(named, rule, membrane, 3);
  const TriangleShell  &shell = *sample.shell;
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
  const double energy = shell.energy(q);
  BOOST_TEST(energy > 0.);
  BOOST_TEST(std::abs(shell.energy(move(q)) - energy) < 1e-11 * energy);
  BOOST_TEST(
    std::abs(shell.gradient(move(q)).norm() - shell.gradient(q).norm()) <
    1e-10 * shell.gradient(q).norm());
}

BOOST_DATA_TEST_CASE(a_shell_at_rest_is_free_of_stress_and_stable,
                     data::make(unheld) * data::make(fold_rules()),
                     named,
                     rule)
{
  const auto shell =
    make_triangles(named, rule, MembraneKind::st_venant_kirchhoff);
  const Vector   q = shell->initial_state();
  const MatrixXd H = dense_hessian(*shell, q);
  BOOST_TEST(std::abs(shell->energy(q)) < 1e-20 * H.norm());
  BOOST_TEST(shell->gradient(q).norm() < 1e-13 * H.norm());
  const Eigen::SelfAdjointEigenSolver<MatrixXd> modes(H,
                                                      Eigen::EigenvaluesOnly);
  const double largest = modes.eigenvalues().maxCoeff();
  BOOST_TEST(modes.eigenvalues()(0) > -1e-12 * largest);
  // Six rigid motions. A hinge that nothing resists is known of the edges' own
  // energies alone.
  BOOST_TEST(modes.eigenvalues()(5) < 1e-12 * largest);
  BOOST_TEST(modes.eigenvalues()(6) > 1e-8 * largest);
}

BOOST_AUTO_TEST_SUITE_END()

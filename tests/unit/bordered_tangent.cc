// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/linear_system.h"
#include "support/random.h"

#include <slender/solvers/bordered_tangent.h>

#include <Eigen/Dense>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

// Matrices that are singular, made regular by borders.
namespace
{
  using namespace slender;
  using namespace slender::test;
  using Eigen::MatrixXd;
  namespace data = boost::unit_test::data;

  /// Bending of a beam of n nodes between two hinges, whose stiffness is 16 n^4
  /// for the shortest wave and pi^4 for the longest.
  MatrixXd
  beam(const Index n)
  {
    MatrixXd curvature = MatrixXd::Zero(n, n);
    for (Index i = 0; i < n; ++i)
      {
        curvature(i, i) = -2.;
        if (i > 0)
          curvature(i, i - 1) = curvature(i - 1, i) = 1.;
      }
    return std::pow(n + 1., 4) * curvature * curvature;
  }
} // namespace

BOOST_AUTO_TEST_SUITE(bordered_tangents)

// On springs whose stiffness is minus the lowest eigenvalue, as near to
// singular as numbers can be, in a hundred ways.
BOOST_DATA_TEST_CASE(what_is_singular_to_round_off_spoils_no_other_mode,
                     data::xrange(1, 101),
                     seed)
{
  constexpr Index                               n = 60;
  const MatrixXd                                A = beam(n);
  const Eigen::SelfAdjointEigenSolver<MatrixXd> modes(A);
  Random                                        random(seed);
  // Seeds differ in the last digits of the matrix.
  const double shift = modes.eigenvalues()(0) * (1. + 1e-14 * random.number());
  const LinearSystem system(A - shift * MatrixXd::Identity(n, n));
  SystemTangent      tangent(system, LinearSolver::automatic);
  tangent.hold_hessian(Vector::Zero(n));

  // Borders are modes that are known roughly.
  MatrixXd W = modes.eigenvectors().leftCols(2);
  W.col(0) += 1e-3 * random.unit_vector(n);
  W.col(1) += 1e-3 * random.unit_vector(n);
  W = MatrixXd(Eigen::HouseholderQR<MatrixXd>(W).householderQ() *
               MatrixXd::Identity(n, 2));

  BorderedTangent bordered(system, tangent);
  BOOST_TEST_REQUIRE(bordered.set_borders(W));
  MatrixXd whole               = MatrixXd::Zero(n + 2, n + 2), rhs(n + 2, 3);
  whole.topLeftCorner(n, n)    = system.K;
  whole.topRightCorner(n, 2)   = W;
  whole.bottomLeftCorner(2, n) = W.transpose();
  rhs << MatrixXd::Zero(n, 2), random.vector(n), MatrixXd::Identity(2, 2),
    random.vector(2);
  const MatrixXd exact = whole.fullPivLu().solve(rhs);

  // Round-off of the stiffest wave, 16 n^4, over what tells the modes apart,
  // 15 pi^4.
  constexpr double round_off = 1e-9;
  BOOST_TEST((bordered.vectors() - exact.topLeftCorner(n, 2)).norm() <
             round_off);
  const double gap = modes.eigenvalues()(1) - modes.eigenvalues()(0);
  BOOST_TEST((bordered.reduced() - exact.bottomLeftCorner(2, 2)).norm() <
             round_off * gap);
  MatrixXd F = rhs.topRightCorner(n, 1), G = rhs.bottomRightCorner(2, 1);
  BOOST_TEST_REQUIRE(bordered.solve(F, G));
  BOOST_TEST((F - exact.topRightCorner(n, 1)).norm() < round_off);
  BOOST_TEST((G - exact.bottomRightCorner(2, 1)).norm() < round_off * gap);
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/linear_system.h"
#include "support/random.h"

#include <slender/solvers/petsc.h>
#include <slender/solvers/system_tangent.h>
#include <slender/solvers/unsymmetric_inertia.h>
#include <slender/statics/branch.h>
#include <slender/statics/relaxation.h>
#include <slender/statics/small_motions.h>
#include <slender/statics/stability.h>

#include <Eigen/Dense>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

// Systems in which something acts that has no potential, and what solvers make
// of them.
namespace
{
  using namespace slender;
  using namespace slender::test;
  using Eigen::MatrixXd;
  namespace data = boost::unit_test::data;

  MatrixXd
  random_band(const Index n, const unsigned int seed)
  {
    Random   random(seed);
    MatrixXd K = MatrixXd::Zero(n, n);
    for (Index j = 0; j < n; ++j)
      for (Index i = std::max(0, j - 2); i <= std::min(n - 1, j + 2); ++i)
        K(i, j) = random.number() + (i == j ? 1.5 : 0.);
    return K;
  }

  /// Ziegler's column: two rigid links of length one, two springs of stiffness
  /// one in their joints, and a force P on the tip whose direction turns by a
  /// part of the angle of the second link: nothing for a dead force, all of it
  /// for one that follows.
  class Ziegler : public SmallSystem
  {
  public:
    explicit Ziegler(const double following)
      : SmallSystem(2)
      , part(following)
    {
      add_parameter("force", "force on the tip [force]", P, 1.);
    }

    bool
    has_potential() const override
    {
      return part == 0. || P == 0.;
    }

    double
    energy(const Vector &q) const override
    {
      return 0.5 * (q(0) * q(0) + std::pow(q(1) - q(0), 2)) +
             (part == 0. ? P * (std::cos(q(0)) + std::cos(q(1))) : 0.);
    }

    Vector
    gradient(const Vector &q) const override
    {
      return Eigen::Vector2d(2. * q(0) - q(1) -
                               P * std::sin(q(0) - part * q(1)),
                             q(1) - q(0) - P * std::sin(q(1) - part * q(1)));
    }

    void
    hessian(const Vector &q, HessianSink &sink) const override
    {
      const double    first  = P * std::cos(q(0) - part * q(1));
      const double    second = P * std::cos(q(1) - part * q(1));
      Eigen::Matrix2d H;
      H << 2. - first, -1. + part * first, -1., 1. - (1. - part) * second;
      const Index unknowns[2] = {0, 1};
      sink.add(unknowns, 2, H.data());
    }

    /// Of Ziegler's masses, two in the joint and one at the tip.
    static void
    mass(Vec x, Vec y)
    {
      Eigen::Matrix2d M;
      M << 3., 1., 1., 1.;
      petsc::set_values(y, M * petsc::local_values(x));
    }

  private:
    double part, P = 0.;
  };

  /// The smallest force at which the column is not stable any more.
  double
  critical_force(Ziegler &column, const Fate expected)
  {
    const Vector q   = column.initial_state();
    double       low = 0., high = 3.;
    while (high - low > 1e-9)
      {
        const double middle = 0.5 * (low + high);
        column.set_parameter("force", middle);
        (small_motions(column, q, Ziegler::mass, 2).fate == Fate::stable
           ? low
           : high) = middle;
      }
    column.set_parameter("force", high + 1e-3);
    BOOST_TEST((small_motions(column, q, Ziegler::mass, 2).fate == expected));
    return high;
  }

  const std::vector<LinearSolver> kinds = {LinearSolver::banded,
                                           LinearSolver::mumps,
                                           LinearSolver::lagged_mumps,
                                           LinearSolver::schwarz};
} // namespace



BOOST_AUTO_TEST_SUITE(unsymmetric_systems)

BOOST_DATA_TEST_CASE(tangents_solve_with_the_matrix_and_its_transpose,
                     data::make({0, 1, 2, 3}) * data::make({1, 2, 3, 4, 5}),
                     kind,
                     seed)
{
  const LinearSystem system(random_band(20, seed));
  const Vector       q = system.initial_state();
  const auto         K = make_tangent(system, q, kinds[kind]);
  for (int round = 0; round < 2; ++round)
    {
      K->clear();
      system.hessian(q, *K);
      K->finish();
    }
  petsc::Owned<Vec, VecDestroy> b, x;
  *&b               = petsc::create_vector(system.layout());
  *&x               = petsc::create_vector(system.layout());
  const Vector    f = Random(seed + 100).vector(20);
  const MatrixXd &A = system.K;
  petsc::set_values(b, f);
  K->apply(b, x);
  BOOST_TEST((petsc::local_values(x) - A * f).norm() < 1e-13 * f.norm());
  // Iterative solvers stop at 1e-10.
  const double tolerance = kind < 2 ? 1e-12 : 1e-8;
  BOOST_REQUIRE(K->solve(b, x));
  BOOST_TEST((A * petsc::local_values(x) - f).norm() < tolerance * f.norm());
  BOOST_REQUIRE(K->solve_transposed(b, x));
  BOOST_TEST((A.transpose() * petsc::local_values(x) - f).norm() <
             tolerance * f.norm());

  Index n_negative = 0;
  for (const std::complex<double> &value : A.eigenvalues())
    n_negative += std::abs(value.imag()) < 1e-9 && value.real() < 0. ? 1 : 0;
  const Inertia inertia = K->inertia();
  BOOST_TEST(inertia.negative == n_negative);
  BOOST_TEST(inertia.zero == 0);
  BOOST_TEST(inertia.negative + inertia.positive == 20);
}

BOOST_AUTO_TEST_CASE(a_singular_matrix_is_noticed)
{
  MatrixXd K = random_band(20, 1);
  K.row(7) = K.row(8) = Vector::Zero(20).transpose();
  const LinearSystem system(K);
  const Vector       q = system.initial_state();
  for (const LinearSolver kind : {LinearSolver::banded, LinearSolver::mumps})
    {
      const auto tangent = make_tangent(system, q, kind);
      tangent->clear();
      system.hessian(q, *tangent);
      tangent->finish();
      petsc::Owned<Vec, VecDestroy> b, x;
      *&b = petsc::create_vector(system.layout());
      *&x = petsc::create_vector(system.layout());
      BOOST_TEST(!tangent->solve(b, x));
      BOOST_TEST(tangent->inertia().zero == 20);
    }
}

BOOST_AUTO_TEST_CASE(zieglers_column_flutters_and_never_diverges)
{
  Ziegler column(1.);
  BOOST_TEST(std::abs(critical_force(column, Fate::flutter) -
                      (3.5 - std::sqrt(2.))) < 1e-6);
  // det K = 1 whatever the force is.
  EquilibriumSolver solver(column, NewtonOptions());
  for (const double P : {0.5, 2., 2.5, 10.})
    {
      column.set_parameter("force", P);
      BOOST_TEST(solver.inertia(column.initial_state()).negative % 2 == 0);
    }
}

BOOST_DATA_TEST_CASE(a_force_that_hardly_follows_makes_it_diverge,
                     data::make({0., 0.2, 0.4}),
                     part)
{
  // det K = 1 - 3 (1 - part) P + (1 - part) P^2
  const double b     = 1. - part;
  const double exact = (3. * b - std::sqrt(9. * b * b - 4. * b)) / (2. * b);
  Ziegler      column(part);
  BOOST_TEST(std::abs(critical_force(column, Fate::divergence) - exact) < 1e-7);

  // A branch meets a pitchfork there; beyond, one direction is unstable.
  column.set_parameter("force", 0.);
  Controls      controls(column, {"force"});
  BranchOptions options;
  options.maximum = 1.;
  BranchFollower           follower(controls, 0, NewtonOptions(), options);
  std::vector<BranchPoint> points;
  follower.follow(column.initial_state(), 1, [&](const BranchPoint &point) {
    points.push_back(point);
    return true;
  });
  std::optional<BranchPoint> pitchfork;
  for (const BranchPoint &point : points)
    {
      if (point.kind == PointKind::bifurcation)
        pitchfork = point;
      else
        BOOST_TEST(point.n_negative == (point.parameter > exact ? 1 : 0));
    }
  BOOST_REQUIRE(pitchfork.has_value());
  BOOST_TEST(std::abs(pitchfork->parameter - exact) < 1e-8);

  // The other branch can be followed: bent columns are equilibria.
  std::vector<BranchPoint> bent;
  follower.switch_branch(*pitchfork, 1, [&](const BranchPoint &point) {
    bent.push_back(point);
    return bent.size() < 10;
  });
  BOOST_REQUIRE(bent.size() == 10u);
  column.set_parameter("force", bent.back().parameter);
  BOOST_TEST(column.gradient(bent.back().q).norm() < 1e-8);
  BOOST_TEST(bent.back().q.norm() > 0.1);
}

BOOST_AUTO_TEST_CASE(there_is_no_downhill_without_a_potential)
{
  Ziegler column(1.);
  column.set_parameter("force", 1.);
  Relaxation relaxation(column, NewtonOptions());
  BOOST_CHECK_THROW(relaxation.relax(column.initial_state()), std::logic_error);
  BOOST_CHECK_THROW(relaxation.leave(column.initial_state()), std::logic_error);
}

BOOST_AUTO_TEST_CASE(lowest_eigenvalues_are_those_of_the_stiffness)
{
  // Similar to a symmetric matrix, so that all are real.
  const MatrixXd     band      = random_band(20, 3);
  const MatrixXd     symmetric = 0.5 * (band + band.transpose());
  const Vector       scale     = Random(4).vector(20).array() + 2.;
  const LinearSystem system(scale.cwiseInverse().asDiagonal() * symmetric *
                            scale.asDiagonal());
  Vector             expected =
    Eigen::SelfAdjointEigenSolver<MatrixXd>(symmetric).eigenvalues();
  std::sort(expected.begin(), expected.end(), [](double a, double b) {
    return std::abs(a) < std::abs(b);
  });
  std::sort(expected.begin(), expected.begin() + 3);
  const auto pairs = lowest_eigenpairs(system, system.initial_state(), 3);
  BOOST_REQUIRE(pairs.size() == 3u);
  for (std::size_t i = 0; i < 3; ++i)
    {
      BOOST_TEST(std::abs(pairs[i].value - expected(i)) < 1e-8);
      BOOST_TEST(std::abs(pairs[i].mode.norm() - 1.) < 1e-12);
      BOOST_TEST(
        (system.K * pairs[i].mode - pairs[i].value * pairs[i].mode).norm() <
        1e-8);
    }
}

BOOST_DATA_TEST_CASE(motions_are_kept_out_of_a_matrix_that_is_not_symmetric,
                     data::make({1, 2, 3}),
                     seed)
{
  // | K   N | |x|   |b|
  // | N^T 0 | |y| = |0| , and the same with the transpose of K.
  const LinearSystem system(random_band(20, seed));
  const Vector       n = Random(seed + 10).unit_vector(20);
  const Vector       f = Random(seed + 20).vector(20);
  SystemTangent      tangent(system, LinearSolver::automatic);
  tangent.set_neutral_motions({n});
  tangent.hold_hessian(system.initial_state());
  petsc::Owned<Vec, VecDestroy> b, x;
  *&b = petsc::create_vector(system.layout());
  *&x = petsc::create_vector(system.layout());
  petsc::set_values(b, f);
  MatrixXd bordered = MatrixXd::Zero(21, 21);
  bordered << system.K, n, n.transpose(), 0.;
  Vector rhs(21);
  rhs << f, 0.;
  BOOST_REQUIRE(tangent.solve(b, x));
  const Vector forwards = bordered.fullPivLu().solve(rhs);
  BOOST_TEST((petsc::local_values(x) - forwards.head(20)).norm() <
             1e-9 * forwards.norm());
  BOOST_REQUIRE(tangent.solve_transposed(b, x));
  const Vector backwards = bordered.transpose().fullPivLu().solve(rhs);
  BOOST_TEST((petsc::local_values(x) - backwards.head(20)).norm() <
             1e-9 * backwards.norm());

  // Eigenvalues of K across n.
  const MatrixXd across     = MatrixXd::Identity(20, 20) - n * n.transpose();
  Index          n_negative = 0;
  for (const std::complex<double> &value :
       (across * system.K * across).eigenvalues())
    n_negative += std::abs(value.imag()) < 1e-9 && value.real() < -1e-9 ? 1 : 0;
  BOOST_TEST(tangent.inertia().negative == n_negative);
  BOOST_TEST(tangent.inertia().zero == 1);
}

BOOST_AUTO_TEST_SUITE_END()

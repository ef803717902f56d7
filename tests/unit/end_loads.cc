// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/dense_hessian.h"
#include "support/differences.h"
#include "support/random.h"
#include "support/rods.h"

#include <slender/base/errors.h>
#include <slender/models/rods/quaternion.h>
#include <slender/solvers/petsc.h>
#include <slender/statics/branch.h>
#include <slender/statics/small_motions.h>
#include <slender/statics/stability.h>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

// Forces that turn with the end of a rod, and moments that do not.
namespace
{
  using namespace slender;
  using namespace slender::test;
  namespace data = boost::unit_test::data;

  std::vector<NamedBody>
  bodies()
  {
    std::vector<NamedBody> all;
    RodBody                strip = free_body();
    strip.start                  = RodEnd::clamped();
    strip.end_force              = 2.;
    strip.end_force_direction    = {-1., 0.4, 0.2};
    strip.end_force_follows      = true;
    all.push_back({"force that follows", strip});

    RodBody turned                  = free_body();
    turned.start                    = RodEnd::clamped();
    turned.end_moment               = 1.5;
    turned.end_moment_axis          = {0.3, 1., -0.5};
    turned.end_moment_has_potential = false;
    all.push_back({"moment fixed in space", turned});

    RodBody both                  = turned;
    both.end_force                = 1.;
    both.end_force_follows        = true;
    both.end.position_fixed       = {{false, true, false}};
    both.end.rotation             = RodEnd::Rotation::about_y;
    both.end_moment_has_potential = false;
    all.push_back({"both, at a hinge", both});
    return all;
  }

  /// A straight column along x with a thrust against its end.
  RodBody
  column(const bool follows)
  {
    RodBody body;
    body.bending_2           = 3.; // only one plane counts
    body.end_force_direction = -Vector3::UnitX();
    body.end_force_follows   = follows;
    return body;
  }

  /// Masses of a rod of mass and length one, lumped at its stations: the way
  /// from unknowns to positions by differences.
  Eigen::MatrixXd
  lumped_masses(const RodModel &rod, const Vector &q)
  {
    const auto positions = [&](const Vector &state) {
      const auto stations = rod.stations(state);
      Vector     x(3 * static_cast<Index>(stations.size()));
      for (std::size_t i = 0; i < stations.size(); ++i)
        x.segment<3>(3 * static_cast<Index>(i)) = stations[i].position;
      return x;
    };
    const auto stations = rod.stations(q);
    Vector     masses   = Vector::Zero(3 * static_cast<Index>(stations.size()));
    for (std::size_t i = 0; i + 1 < stations.size(); ++i)
      for (int c = 0; c < 6; ++c)
        masses(3 * static_cast<Index>(i) + c) +=
          0.5 * (stations[i + 1].arc_length - stations[i].arc_length);
    Eigen::MatrixXd rates(masses.size(), q.size());
    for (Index j = 0; j < q.size(); ++j)
      {
        const Vector step = 1e-5 * Vector::Unit(q.size(), j);
        rates.col(j)      = (positions(q + step) - positions(q - step)) / 2e-5;
      }
    return rates.transpose() * masses.asDiagonal() * rates;
  }
} // namespace



BOOST_AUTO_TEST_SUITE(end_loads)

BOOST_DATA_TEST_CASE(stiffness_is_the_derivative_of_the_forces,
                     data::make(both_kinds) * data::make(bodies()),
                     kind,
                     named)
{
  const auto rod = make_rod(kind, named.body, small_mesh(kind));
  BOOST_TEST(!rod->has_potential());
  const Vector          q         = random_state(*rod, 0.1, 1);
  const Vector          d         = Random(2).unit_vector(q.size());
  const Eigen::MatrixXd H         = dense_hessian(*rod, q);
  const Vector          stiffness = H * d;
  check_second_order(
    [&](const double h) {
      return ((rod->gradient(q + h * d) - rod->gradient(q - h * d)) / (2. * h) -
              stiffness)
        .norm();
    },
    1e-2,
    rod->gradient(q).norm());
  BOOST_TEST((rod->hessian_times(q, d) - stiffness).norm() <
             1e-11 * stiffness.norm());
  BOOST_TEST((H - H.transpose()).cwiseAbs().maxCoeff() > 1e-3);
}

BOOST_DATA_TEST_CASE(a_load_of_zero_has_a_potential,
                     data::make(both_kinds),
                     kind)
{
  for (NamedBody named : bodies())
    {
      named.body.end_force = named.body.end_moment = 0.;
      const auto rod = make_rod(kind, named.body, small_mesh(kind));
      BOOST_TEST(rod->has_potential());
      rod->set_parameter("end moment", 1.);
      BOOST_TEST(rod->has_potential() == named.body.end_moment_has_potential);
    }
}

BOOST_DATA_TEST_CASE(a_force_that_follows_turns_with_the_rod,
                     data::make(both_kinds),
                     kind)
{
  // As a rigid motion turns the rod, so it turns all forces.
  RodBody body           = bodies().front().body;
  body.start             = RodEnd();
  const auto    rod      = make_rod(kind, body, small_mesh(kind));
  const Vector  q        = random_state(*rod, 0.1, 3);
  const Vector4 rotation = quaternion::from_axis_angle({0.3, -1., 0.5}, 1.1);
  const Vector  d        = Random(4).unit_vector(q.size());
  const auto    moved    = [&](const Vector &state) {
    return rod->moved(state, rotation, {0.1, 0.2, 0.3});
  };
  const double     work   = rod->gradient(q).dot(d);
  constexpr double h      = 1e-5;
  const Vector     turned = (moved(q + h * d) - moved(q - h * d)) / (2. * h);
  BOOST_TEST(std::abs(rod->gradient(moved(q)).dot(turned) - work) <
             1e-8 * rod->gradient(q).norm());
}

BOOST_DATA_TEST_CASE(about_its_axis_a_fixed_moment_is_that_of_the_potential,
                     data::make(both_kinds),
                     kind)
{
  RodBody body;
  body.end_moment        = 2.; // about y: the rod bends in the plane across it
  const Mesh        mesh = small_mesh(kind);
  const auto        with = make_rod(kind, body, mesh);
  EquilibriumSolver solver(*with, NewtonOptions());
  const Vector      q           = solver.solve(with->initial_state()).q;
  body.end_moment_has_potential = false;
  const auto        without     = make_rod(kind, body, mesh);
  EquilibriumSolver other(*without, NewtonOptions());
  const Equilibrium found = other.solve(without->initial_state());
  BOOST_TEST(found.converged());
  BOOST_TEST((found.q - q).norm() < 1e-9 * q.norm());
}

BOOST_DATA_TEST_CASE(a_fixed_moment_keeps_its_direction,
                     data::make(both_kinds),
                     kind)
{
  // On a rigid spin of the whole rod the loads work by the moment's component
  // along the spin; elastic forces do not. The moment of the potential would
  // have others.
  RodBody body         = bodies()[1].body;
  body.start           = RodEnd();
  const Vector3 moment = body.end_moment * body.end_moment_axis.normalized();
  const auto    rod    = make_rod(kind, body, small_mesh(kind));
  const Vector  q      = random_state(*rod, 0.2, 5);
  for (int c = 0; c < 3; ++c)
    {
      constexpr double h    = 1e-5;
      const auto       spun = [&](const double angle) {
        return rod->moved(q,
                          quaternion::from_axis_angle(Vector3::Unit(c), angle),
                          Vector3::Zero());
      };
      const double work = -rod->gradient(q).dot(spun(h) - spun(-h)) / (2. * h);
      BOOST_TEST(std::abs(work - moment(c)) < 1e-7);
    }
}

BOOST_DATA_TEST_CASE(becks_column_never_diverges_but_flutters,
                     data::make(both_kinds),
                     kind)
{
  const auto flutter_load = [&](const int pieces) {
    Mesh mesh;
    mesh.pieces     = pieces;
    mesh.constraint = 1e8;
    const auto rod  = make_rod(kind, column(true), mesh);
    const auto M    = lumped_masses(*rod, rod->initial_state());
    const auto mass = [&](Vec x, Vec y) {
      petsc::set_values(y, M * petsc::local_values(x));
    };
    EquilibriumSolver solver(*rod, NewtonOptions());
    const auto        compressed = [&](const double P) {
      rod->set_parameter("end force", 0.);
      const Equilibrium found =
        solver.load(rod->initial_state(), {{"end force", P}});
      BOOST_REQUIRE(found.converged());
      return found.q;
    };
    const auto fate = [&](const double P) {
      const Vector q = compressed(P);
      return small_motions(*rod, q, mass, 6).fate;
    };
    // A dead force would make the column diverge at 2.47 and 22.2.
    for (const double P : {2., 10., 19., 40.})
      BOOST_TEST(solver.inertia(compressed(P)).negative == 0);
    BOOST_TEST((fate(10.) == Fate::stable));
    double low = 15., high = 25.;
    while (high - low > 1e-4)
      {
        const double middle                          = 0.5 * (low + high);
        (fate(middle) == Fate::flutter ? high : low) = middle;
      }
    return high;
  };
  // Masses are lumped, and segments are straight, with an error of second
  // order.
  const int    n      = kind == Kind::kirchhoff ? 6 : 30;
  const double coarse = flutter_load(n), fine = flutter_load(2 * n);
  const double extrapolated = (4. * fine - coarse) / 3.;
  BOOST_TEST_MESSAGE("flutter at " << coarse << ", " << fine << "; limit "
                                   << extrapolated);
  // Beck (1952): 20.05, to more digits 20.0510.
  BOOST_TEST(std::abs(fine - 20.051) < 0.35 * std::abs(coarse - 20.051));
  BOOST_TEST(std::abs(extrapolated - 20.051) < 2e-3);
}

BOOST_DATA_TEST_CASE(the_branch_of_becks_column_has_no_bifurcation,
                     data::make({false, true}),
                     follows)
{
  // Under a dead force it has one, at a quarter of Euler's load.
  Mesh mesh;
  mesh.pieces       = 6;
  mesh.constraint   = 1e8;
  const auto    rod = make_rod(Kind::kirchhoff, column(follows), mesh);
  Controls      controls(*rod, {"end force"});
  BranchOptions options;
  options.maximum = 15.;
  BranchFollower      follower(controls, 0, NewtonOptions(), options);
  std::vector<double> bifurcations;
  const auto          end =
    follower.follow(rod->initial_state(), 1, [&](const BranchPoint &point) {
      if (point.kind == PointKind::bifurcation)
        bifurcations.push_back(point.parameter);
      return true;
    });
  BOOST_TEST((end == BranchEnd::left_range));
  BOOST_REQUIRE(bifurcations.size() == (follows ? 0 : 2));
  if (!follows)
    BOOST_TEST(std::abs(bifurcations[0] - 2.4674011) < 1e-5);
}

BOOST_AUTO_TEST_CASE(a_force_cannot_follow_an_end_that_is_clamped)
{
  RodBody body = column(true);
  body.end     = RodEnd::clamped();
  BOOST_CHECK_THROW(make_rod(Kind::kirchhoff, body, Mesh()), InputError);
}

BOOST_AUTO_TEST_SUITE_END()



BOOST_AUTO_TEST_SUITE(parallel)

BOOST_DATA_TEST_CASE(a_rod_under_a_thrust_is_that_of_one_rank,
                     data::make(both_kinds),
                     kind)
{
  // A thrust askew, which bends the rod, and a moment fixed in space.
  RodBody body                  = column(true);
  body.end_force                = 3.;
  body.end_force_direction      = {-1., 0.3, 0.2};
  body.end_moment               = 0.5;
  body.end_moment_axis          = {1., 1., 0.};
  body.end_moment_has_potential = false;
  const auto bent               = [&](MPI_Comm communicator) {
    Mesh mesh;
    mesh.pieces           = 12;
    mesh.constraint       = 1e6;
    mesh.communicator     = communicator;
    const auto        rod = make_rod(kind, body, mesh);
    EquilibriumSolver solver(*rod, NewtonOptions());
    const Equilibrium found = solver.solve(rod->initial_state());
    BOOST_TEST(found.converged());
    BOOST_TEST(!rod->has_potential());
    BOOST_TEST(solver.inertia(found.q).negative == 0);
    return rod->measure(found.q);
  };
  const auto mine = bent(MPI_COMM_SELF), ours = bent(MPI_COMM_WORLD);
  BOOST_REQUIRE(mine.size() == ours.size());
  for (std::size_t i = 0; i < mine.size(); ++i)
    BOOST_TEST(std::abs(mine[i].value - ours[i].value) <
                 1e-8 * (1. + std::abs(mine[i].value)),
               mine[i].name << " is " << ours[i].value << " instead of "
                            << mine[i].value);
}

BOOST_AUTO_TEST_SUITE_END()

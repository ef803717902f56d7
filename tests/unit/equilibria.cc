// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/loaded_rod.h"

#include <slender/models/rods/quaternion.h>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace
{
  using namespace slender;
  using namespace slender::test;
  namespace data = boost::unit_test::data;
} // namespace



BOOST_AUTO_TEST_SUITE(equilibria)

BOOST_DATA_TEST_CASE(a_lightly_loaded_cantilever_sags_by_linear_theory,
                     data::make(both_kinds),
                     kind)
{
  // rho A g L^4 / (8 B), in any units; large deflections change it by some
  // 1e-8 here.
  RodBody body;
  body.length          = 2.;
  body.bending_1       = 3.;
  body.bending_2       = 7.;
  body.mass_per_length = 0.5;
  const double gravity = 1e-4;
  const Loaded cantilever =
    load(kind, body, fine_mesh(kind), {{"gravity", gravity}});
  const double sag = 0.5 * gravity * std::pow(2., 4) / (8. * 3.);
  BOOST_TEST(std::abs(cantilever.tip().z() / -sag - 1.) < error_of(kind));
}

BOOST_DATA_TEST_CASE(a_strip_bends_about_the_director_across_its_load,
                     data::make(both_kinds),
                     kind)
{
  // F L^3 / (3 B): a force along d2 bends about d1, and the other way round.
  RodBody body;
  body.bending_1           = 1.;
  body.bending_2           = 4.;
  const double force       = 1e-4;
  body.end_force_direction = Vector3::UnitZ();
  BOOST_TEST(
    std::abs(
      load(kind, body, fine_mesh(kind), {{"end force", force}}).tip().z() /
        (force / 3.) -
      1.) < error_of(kind));
  body.end_force_direction = Vector3::UnitY();
  BOOST_TEST(
    std::abs(
      load(kind, body, fine_mesh(kind), {{"end force", force}}).tip().y() /
        (force / 12.) -
      1.) < error_of(kind));
}

BOOST_DATA_TEST_CASE(a_hanging_rod_stretches_by_its_axial_stiffness,
                     data::make(both_kinds),
                     kind)
{
  RodBody body;
  body.axial             = 50.;
  body.gravity_direction = Vector3::UnitX();
  const Loaded rod =
    load(kind, body, fine_mesh(kind), {{"gravity", 3.}, {"end force", 0.}});
  // rho A g L^2 / (2 EA); both models integrate the linear tension exactly or
  // to second order.
  BOOST_TEST(std::abs(rod.tip().x() - (1. + 3. / (2. * 50.))) <
             0.1 * error_of(kind));
}

BOOST_DATA_TEST_CASE(an_axial_moment_twists_by_the_torsional_stiffness,
                     data::make(both_kinds),
                     kind)
{
  RodBody body;
  body.length          = 2.;
  body.twisting        = 0.4;
  body.bending_2       = 3.;
  body.end_moment_axis = Vector3::UnitX();
  const double moment  = 0.3; // below Greenhill's buckling moment
  const Loaded rod =
    load(kind, body, fine_mesh(kind), {{"end moment", moment}});
  // phi = M L / GJ, uniform along the rod, for any mesh: the twist of the
  // discrete rod is that of the polygon's joints.
  const auto        stations = rod.rod->stations(rod.state.q);
  const double      twist    = moment / 0.4;
  const RodStation &middle   = stations[stations.size() / 2];
  BOOST_TEST(std::abs(middle.strain(0) - twist) < 1e-6);
  // The discrete rod's moment acts on its last edge, half an edge before the
  // end.
  const double span = kind == Kind::kirchhoff ? 2. : 2. * (1. - 0.5 / 128.);
  BOOST_TEST((quaternion::to_matrix(stations.back().frame) -
              quaternion::to_matrix(
                quaternion::from_axis_angle(Vector3::UnitX(), twist * span)))
               .norm() < 1e-6);
}

BOOST_DATA_TEST_CASE(a_straight_rod_curls_into_the_helix_of_its_natural_strains,
                     data::make(both_kinds),
                     kind)
{
  // Frame and centreline of a stress-free rod solve F' = F [kappa]x, r' = F t:
  // the exponential of a 4 x 4 matrix, here by scaling and squaring of its
  // series.
  const Vector3   kappa(1.5, -1., 3.);
  Eigen::Matrix4d rate       = Eigen::Matrix4d::Zero();
  rate.topLeftCorner<3, 3>() = quaternion::cross_matrix(kappa);
  rate(0, 3)                 = 1.;
  rate /= 1024.;
  Eigen::Matrix4d end = Eigen::Matrix4d::Identity() + rate + rate * rate / 2. +
                        rate * rate * rate / 6. +
                        rate * rate * rate * rate / 24.;
  for (int i = 0; i < 10; ++i)
    end = (end * end).eval();

  RodBody body;
  body.twisting  = 0.7;
  body.bending_2 = 2.;
  const Loaded rod =
    load(kind,
         body,
         kind == Kind::kirchhoff ? mesh_of(12, 4) : mesh_of(160),
         {{"natural twist", kappa(0)},
          {"natural curvature 1", kappa(1)},
          {"natural curvature 2", kappa(2)}});
  BOOST_TEST((rod.tip() - end.topRightCorner<3, 1>()).norm() < error_of(kind));
  const auto last = rod.rod->stations(rod.state.q).back();
  if (kind == Kind::kirchhoff)
    BOOST_TEST(
      (quaternion::to_matrix(last.frame) - end.topLeftCorner<3, 3>()).norm() <
      1e-6);
  // It is free of stress: exactly for the polygon, whose joints are at rest in
  // their own measure, to discretisation error for the elements.
  BOOST_TEST(std::abs(rod.rod->energy(rod.state.q)) <
             (kind == Kind::kirchhoff ? 1e-9 : 1e-18));
}

BOOST_DATA_TEST_CASE(the_natural_shape_to_start_from_is_an_equilibrium,
                     data::make(both_kinds),
                     kind)
{
  RodBody body;
  body.natural_twist       = 1.5;
  body.natural_curvature_1 = -1.;
  body.natural_curvature_2 = 3.;
  body.bending_2           = 2.;
  body.start_frame         = {{1., 0.5, 0.2}, {0., 1., 0.4}};
  body.start.position      = Vector3(0.1, 0.2, 0.3);
  body.initial_strain      = body.natural_strain();
  const auto rod =
    make_rod(kind,
             body,
             kind == Kind::kirchhoff ? mesh_of(12, 4) : mesh_of(160));
  EquilibriumSolver solver(*rod, NewtonOptions());
  const Vector      guess = rod->initial_state();
  const Equilibrium state = solver.solve(guess);
  BOOST_TEST(state.converged());
  BOOST_TEST(std::abs(rod->energy(state.q)) <
             (kind == Kind::kirchhoff ? 1e-9 : 1e-18));
  // Nothing moves but by the error of the mesh.
  const auto before = rod->stations(guess), after = rod->stations(state.q);
  for (std::size_t i = 0; i < before.size(); ++i)
    BOOST_TEST((after[i].position - before[i].position).norm() <
               error_of(kind));
  BOOST_TEST(solver.inertia(state.q).negative == 0);
}

BOOST_AUTO_TEST_SUITE_END()

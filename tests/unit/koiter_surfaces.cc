// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/messages.h"
#include "support/shells.h"

#include <slender/statics/equilibrium.h>

#include <boost/math/constants/constants.hpp>
#include <boost/test/unit_test.hpp>

namespace
{
  using namespace slender;
  using namespace slender::test;

  constexpr double pi = boost::math::constants::pi<double>();

  std::string
  message_of_shell(const ShellBody &body)
  {
    return message_of([&] {
      make_shell({"", body, make_surface(Rectangle())});
    });
  }
} // namespace



BOOST_AUTO_TEST_SUITE(koiter_surfaces)

BOOST_AUTO_TEST_CASE(surfaces_have_the_area_of_their_shape)
{
  Rectangle rectangle;
  rectangle.length    = 3.;
  rectangle.width     = 2.;
  rectangle.grading_x = 5.;
  rectangle.grading_y = 3.;
  rectangle.cells     = {8, 4};
  BOOST_TEST(std::abs(size_of(*make_surface(rectangle)).area - 6.) < 1e-12);
  // Curved ones to the error of their interpolation, degree 4.
  Disk disk;
  disk.radius = 2.;
  BOOST_TEST(std::abs(size_of(*make_surface(disk)).area - 4. * pi) < 1e-6);
  Annulus annulus;
  BOOST_TEST(std::abs(size_of(*make_surface(annulus)).area - 0.75 * pi) < 1e-5);
  Cylinder cylinder;
  BOOST_TEST(std::abs(size_of(*make_surface(cylinder)).area - 2. * pi) < 1e-5);
  Sphere sphere;
  sphere.complete  = true;
  sphere.cells     = {4, 4};
  const Size whole = size_of(*make_surface(sphere));
  BOOST_TEST(std::abs(whole.area - 4. * pi) < 1e-5);
  Cap cap;
  cap.radius       = 2.;
  cap.angle        = pi / 3.;
  const Size above = size_of(*make_surface(cap));
  BOOST_TEST(std::abs(above.area - 2. * pi * 4. * 0.5) < 1e-5);
  // Normals point outwards: a third of radius times area.
  BOOST_TEST(std::abs(above.volume - 2. / 3. * above.area) < 1e-5);
  BOOST_TEST(std::abs(whole.volume - 4. * pi / 3.) < 1e-5);
}

BOOST_AUTO_TEST_CASE(bodies_that_cannot_be_are_refused_in_one_line)
{
  const auto with = [](const std::function<void(ShellBody &)> &change) {
    ShellBody body;
    change(body);
    return message_of_shell(body);
  };
  for (const double thickness : {0., -1.})
    check_message(with([&](ShellBody &b) { b.thickness = thickness; }),
                  "thickness of a shell must be positive");
  for (const double poisson : {-1., 0.51, std::nan("")})
    check_message(with([&](ShellBody &b) { b.poisson = poisson; }),
                  "above -1 and at most 0.5");
  check_message(with([&](ShellBody &b) { b.young = 0.; }), "Young's modulus");
  check_message(with(
                  [&](ShellBody &b) { b.edges = {ShellEdge::clamped("rim")}; }),
                "no edge 'rim'; its edges are: bottom, left, right, top");
  check_message(with([&](ShellBody &b) {
                  b.points = {{"A", {0.51, 0.2, 0.}}};
                }),
                "is not a node of the mesh; the nearest one is");
  Rectangle flat;
  flat.width = 0.;
  check_message(message_of([&] { make_surface(flat); }), "must be positive");
  Cylinder tube;
  tube.cells = {2, 2};
  check_message(message_of([&] { make_surface(tube); }), "at least 3 cells");
  Sphere pole;
  pole.top_latitude = pi / 2;
  check_message(message_of([&] { make_surface(pole); }), "pole");
  Cap ball;
  ball.angle = pi;
  check_message(message_of([&] { make_surface(ball); }), "leave a rim");
}

BOOST_AUTO_TEST_CASE(a_hemisphere_under_pressure_grows_like_a_balloon)
{
  // Closed at its pole, a mirror at its rim: N = p R/2 = E h/(1 - nu) w/R.
  ShellBody body;
  body.thickness                = 0.02;
  body.poisson                  = 0.3;
  body.young                    = 1e5;
  body.edges                    = {ShellEdge::symmetry("rim", 2)};
  body.points                   = {{"pole", {0., 0., 2.}}, {"A", {2., 0., 0.}}};
  body.points[0].position_fixed = {{true, true, false}};
  body.points[1].position_fixed = {{false, true, false}};
  Cap cap;
  cap.radius          = 2.;
  cap.cells           = 4;
  const auto    shell = make_shell({"", body, make_surface(cap)});
  NewtonOptions options;
  options.linear_solver = "mumps";
  EquilibriumSolver solver(*shell, options);
  const Equilibrium grown =
    solver.load(shell->initial_state(), {{"pressure", 0.01}});
  BOOST_TEST(grown.converged());
  const double expected = 0.01 * 4. * (1. - 0.3) / (2. * 1e5 * 0.02);
  // The error of the mesh; with twice as many cells it is 1e-5.
  for (const char *name : {"A displacement x", "pole displacement z"})
    BOOST_TEST(
      std::abs(find_measurement(shell->measure(grown.q), name) / expected -
               1.) < 5e-4);
}

BOOST_AUTO_TEST_CASE(a_tube_under_pressure_widens_like_a_boiler)
{
  // A quarter between two planes across its axis: N = p R = E h/(1 - nu^2) w/R.
  for (const PressureKind kind : {PressureKind::dead, PressureKind::follower})
    {
      ShellBody body;
      body.thickness     = 0.01;
      body.poisson       = 0.3;
      body.young         = 1e5;
      body.pressure_kind = kind;
      body.edges         = {ShellEdge::symmetry("start", 1),
                            ShellEdge::symmetry("end", 0),
                            ShellEdge::symmetry("bottom", 2),
                            ShellEdge::symmetry("top", 2)};
      body.points        = {{"A", {2., 0., 1.}}};
      Cylinder tube;
      tube.radius         = 2.;
      tube.angle          = pi / 2;
      tube.cells          = {4, 2};
      const auto    shell = make_shell({"", body, make_surface(tube)});
      NewtonOptions options;
      options.linear_solver = "mumps";
      EquilibriumSolver solver(*shell, options);
      const Equilibrium wide =
        solver.load(shell->initial_state(), {{"pressure", 0.01}});
      BOOST_TEST(wide.converged());
      const double expected = 0.01 * 4. * (1. - 0.09) / (1e5 * 0.01);
      // To first order in the pressure, and the error of the mesh.
      BOOST_TEST(
        std::abs(find_measurement(shell->measure(wide.q), "A displacement x") /
                   expected -
                 1.) < 1e-3);
    }
}

BOOST_AUTO_TEST_CASE(the_sides_of_a_slit_are_told_apart)
{
  // One side is held, a rotation of the clamp takes it and nothing else along.
  ShellBody body;
  body.edges             = {ShellEdge::clamped("start")};
  body.points            = {{"held", {1., 0., 0.}}, {"free", {1., 0., 0.}}};
  body.points[0].edge    = "start";
  body.points[1].edge    = "end";
  body.edges[0].rotation = 0.1;
  Annulus ring;
  ring.slit           = true;
  ring.cells          = {6, 1};
  const auto shell    = make_shell({"", body, make_surface(ring)});
  const auto measured = shell->measure(shell->initial_state());
  BOOST_TEST(std::abs(find_measurement(measured, "held x") - 1.) < 1e-12);
  BOOST_TEST(find_measurement(measured, "free displacement z") == 0.);
  shell->set_parameter("start displacement", 0.3);
  BOOST_TEST(std::abs(find_measurement(shell->measure(shell->initial_state()),
                                       "held displacement x") -
                      0.3) < 1e-12);
}

BOOST_AUTO_TEST_CASE(a_shell_draws_its_forces_and_moments)
{
  // A plate that is stretched by 1 % along x and bent to a radius of 50 across
  // it: N = 12 D/h^2 e, with nu e across; M = D kappa, with nu times across.
  ShellBody body;
  body.thickness = 0.02;
  body.poisson   = 0.3;
  body.young     = 12. * (1. - 0.09) / std::pow(0.02, 3); // D = 1
  const NamedShell plate{"", body, make_surface(Rectangle())};
  const auto       shell = make_shell(plate);
  const double     e = 0.01, kappa = 0.02;
  const Drawing    drawing = shell->draw(
    shell->transformed(shell->initial_state(),
                       [&](const Vector3 &x, const Vector3 &) -> Vector3 {
                         return {(1. + e) * x(0),
                                 std::sin(kappa * x(1)) / kappa,
                                 (1. - std::cos(kappa * x(1))) / kappa};
                       }));
  const auto field = [&](const std::string &name) {
    for (const Drawing::Field &f : drawing.point_fields)
      if (f.name == name)
        return f.values;
    return Eigen::MatrixXd();
  };
  const double strain = e + e * e / 2; // Green's
  const double K      = 12. / (0.02 * 0.02);
  const auto   check  = [&](const std::string &name, const double value) {
    BOOST_TEST((field(name).array() - value).abs().maxCoeff() <
                 1e-5 * std::abs(value),
               name << " is " << field(name)(0, 0) << " instead of " << value);
  };
  check("membrane_force_1", K * strain);
  check("membrane_force_2", 0.3 * K * strain);
  check("moment_1", kappa);
  check("moment_2", 0.3 * kappa);
  check("curvature_1", kappa);
  check("membrane_energy", 0.5 * K * strain * strain);
  check("bending_energy", 0.5 * kappa * kappa);
  check("thickness", 0.02);
  BOOST_TEST(drawing.cells.size() == 64u * 9u);
  BOOST_TEST(field("displacement").rows() == 3);
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/shells.h"

#include <slender/base/errors.h>
#include <slender/statics/equilibrium.h>

#include <boost/math/constants/constants.hpp>
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>

namespace
{
  using namespace slender;
  using namespace slender::test;

  constexpr double pi = boost::math::constants::pi<double>();

  /// A file of gmsh that is gone after the test.
  class TemporaryMesh
  {
  public:
    explicit TemporaryMesh(const std::string &text)
      : path(std::filesystem::temp_directory_path() /
             ("slender_mesh_" + std::to_string(getpid()) + ".msh"))
    {
      std::ofstream(path) << text;
    }
    ~TemporaryMesh()
    {
      std::filesystem::remove(path);
    }
    TemporaryMesh(const TemporaryMesh &) = delete;
    TemporaryMesh &
    operator=(const TemporaryMesh &) = delete;

    const std::filesystem::path path;
  };

  /// Two quadrilaterals side by side, 2 x 1; the left side is line 7.
  std::string
  gmsh_text(const std::string &nodes_and_elements)
  {
    return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n" + nodes_and_elements;
  }

  const std::string six_nodes = "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 2 0 0\n"
                                "4 0 1 0\n5 1 1 0\n6 2 1 0\n$EndNodes\n";

  const std::string two_cells = "$Elements\n3\n1 1 2 7 1 1 4\n"
                                "2 3 2 1 1 1 2 5 4\n3 3 2 1 1 2 3 6 5\n"
                                "$EndElements\n";

  /// The message of the InputError that a function throws.
  template <class Function>
  std::string
  message_of(const Function &function)
  {
    try
      {
        function();
      }
    catch (const InputError &error)
      {
        return error.what();
      }
    return "no error";
  }

  void
  check_message(const std::string &message, const std::string &words)
  {
    BOOST_TEST(message.find(words) != std::string::npos,
               "'" << message << "' does not say '" << words << "'");
    BOOST_TEST(message.find('\n') == std::string::npos);
  }

  std::string
  message_of_mesh(const std::string &text)
  {
    const TemporaryMesh mesh(text);
    return message_of([&] { make_surface(MeshFile{mesh.path}); });
  }

  /// Area, and volume of the cone over it from the origin.
  struct Size
  {
    double area, volume;
  };

  Size
  size_of(const RestSurface &surface)
  {
    const ShellMesh mesh = make_shell_mesh(surface, {}, 4, MPI_COMM_SELF);
    NodalVectors    x(3, static_cast<Index>(mesh.nodes.size()));
    for (Index i = 0; i < x.cols(); ++i)
      x.col(i) =
        surface.position(mesh.nodes[i].patch, mesh.nodes[i].u, mesh.nodes[i].v);
    FollowerPressure pressure(mesh);
    pressure.pressure = -1.;
    return {nodal_areas(mesh, x).area.sum(), pressure.energy(x)};
  }

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
  // Normals point outwards.
  BOOST_TEST(std::abs(whole.volume - 4. * pi / 3.) < 1e-5);
}

BOOST_AUTO_TEST_CASE(a_gmsh_mesh_becomes_a_surface)
{
  const TemporaryMesh mesh(gmsh_text(six_nodes + two_cells));
  const auto          surface = make_surface(MeshFile{mesh.path, 1});
  BOOST_TEST(std::abs(size_of(*surface).area - 2.) < 1e-12);
  BOOST_TEST(surface->edges().count("7") == 1);
  BOOST_TEST(surface->size() == 2.);

  ShellBody body;
  body.edges       = {ShellEdge::clamped("7")};
  const auto shell = make_shell({"", body, make_surface(MeshFile{mesh.path})});
  // Two cells of degree 3: 7 x 4 nodes, of which one side is held.
  BOOST_TEST(shell->layout().size == 3 * (28 - 4));
}

BOOST_AUTO_TEST_CASE(meshes_that_make_no_shell_are_refused_in_one_line)
{
  check_message(message_of([] { make_surface(MeshFile{"no/such.msh"}); }),
                "'no/such.msh' cannot be opened");
  check_message(message_of_mesh("solid of another program\n"),
                "cannot be read");
  check_message(message_of_mesh(gmsh_text(six_nodes +
                                          "$Elements\n2\n1 2 2 1 1 1 2 5\n"
                                          "2 2 2 1 1 1 5 4\n$EndElements\n")),
                "triangles");
  // A bow tie, and a cell whose side has no length.
  check_message(message_of_mesh(gmsh_text(
                  "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n"
                  "$Elements\n1\n1 3 2 1 1 1 3 2 4\n$EndElements\n")),
                "inverted or degenerate");
  check_message(message_of_mesh(gmsh_text(
                  "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 0 0\n4 0 1 0\n$EndNodes\n"
                  "$Elements\n1\n1 3 2 1 1 1 2 3 4\n$EndElements\n")),
                "inverted or degenerate");
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

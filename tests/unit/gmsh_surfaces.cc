// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/dense_hessian.h"
#include "support/mesh_text.h"
#include "support/messages.h"
#include "support/shells.h"

#include <slender/models/shells/gmsh_elements.h>

#include <Eigen/Dense>
#include <Eigen/Geometry>
#include <boost/math/constants/constants.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <gmsh.h>

namespace
{
  using namespace slender;
  using namespace slender::test;
  namespace data = boost::unit_test::data;

  constexpr double pi = boost::math::constants::pi<double>();

  /// A file of gmsh that is gone after the test.
  class TemporaryMesh
  {
  public:
    explicit TemporaryMesh(const std::string &text = "")
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

  std::string
  message_of_mesh(const std::string &text)
  {
    const TemporaryMesh mesh(text);
    return message_of([&] { make_surface(MeshFile{mesh.path}); });
  }

  /// How gmsh is to mesh and to write.
  struct Meshing
  {
    double size       = 0.5; ///< of the cells, roughly
    int    degree     = 4;
    bool   incomplete = false; ///< nodes on the sides only
    double format     = 4.1;
    bool   binary     = false;
  };

  /// Unstructured quadrilaterals on a quarter of a hemisphere of radius 1 with
  /// a hole of 18 degrees, meshed by gmsh.
  std::unique_ptr<RestSurface>
  hemisphere(const Meshing &meshing)
  {
    const TemporaryMesh mesh;
    const double        r = std::cos(0.4 * pi), z = std::sin(0.4 * pi);
    gmsh::initialize(0, nullptr, false);
    const auto set = [](const std::string &option, const double value) {
      gmsh::option::setNumber(option, value);
    };
    set("General.Terminal", 0);
    set("Mesh.MeshSizeMin", 2. * meshing.size);
    set("Mesh.MeshSizeMax", 2. * meshing.size);
    set("Mesh.SubdivisionAlgorithm", 1);
    set("Mesh.SecondOrderIncomplete", meshing.incomplete);
    set("Mesh.MshFileVersion", meshing.format);
    set("Mesh.Binary", meshing.binary);
    namespace geo = gmsh::model::geo;
    geo::addPoint(0., 0., 0., 0., 1);
    geo::addPoint(1., 0., 0., 0., 2);
    geo::addPoint(0., 1., 0., 0., 3);
    geo::addPoint(0., r, z, 0., 4);
    geo::addPoint(r, 0., z, 0., 5);
    geo::addPoint(0., 0., z, 0., 6);
    geo::addCircleArc(2, 1, 3, 1);
    geo::addCircleArc(3, 1, 4, 2);
    geo::addCircleArc(4, 6, 5, 3);
    geo::addCircleArc(5, 1, 2, 4);
    geo::addCurveLoop({1, 2, 3, 4}, 1);
    geo::addSurfaceFilling({1}, 1, 1);
    geo::mesh::setRecombine(2, 1);
    geo::synchronize();
    gmsh::model::addPhysicalGroup(1, {1}, 11);
    gmsh::model::setPhysicalName(1, 11, "equator");
    gmsh::model::addPhysicalGroup(1, {2, 4}, 12);
    gmsh::model::addPhysicalGroup(2, {1}, 1);
    gmsh::model::mesh::generate(2);
    gmsh::model::mesh::setOrder(meshing.degree);
    gmsh::write(mesh.path);
    gmsh::finalize();
    return make_surface(MeshFile{mesh.path});
  }

  const double hemisphere_area = 0.5 * pi * std::sin(0.4 * pi);

  /// How far a surface is from the unit sphere.
  struct Errors
  {
    double area;              ///< relative
    double normal, curvature; ///< largest ones, at the nodes of cells
  };

  Errors
  errors_of(const RestSurface &surface)
  {
    const auto    shell   = make_shell({"", {}, surface.clone()}, 4);
    const Drawing drawing = shell->draw(shell->initial_state());
    Errors        errors;
    errors.area   = std::abs(size_of(surface).area / hemisphere_area - 1.);
    errors.normal = errors.curvature = 0.;
    for (const Drawing::Field &field : drawing.point_fields)
      for (Index i = 0; i < field.values.cols(); ++i)
        if (field.name == "normal")
          {
            const Vector3 n = field.values.col(i);
            errors.normal =
              std::max(errors.normal,
                       n.cross(drawing.points[i].normalized()).norm());
          }
        else if (field.name == "curvature_1" || field.name == "curvature_2")
          errors.curvature =
            std::max(errors.curvature,
                     std::abs(std::abs(field.values(0, i)) - 1.));
    return errors;
  }
} // namespace



BOOST_AUTO_TEST_SUITE(gmsh_surfaces)

BOOST_AUTO_TEST_CASE(straight_cells_become_a_surface)
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

BOOST_DATA_TEST_CASE(curved_cells_converge_to_the_sphere,
                     data::make({1, 2, 3, 4}),
                     degree)
{
  const auto   coarse_mesh = hemisphere({0.4, degree});
  const auto   fine_mesh   = hemisphere({0.05, degree});
  const Errors coarse = errors_of(*coarse_mesh), fine = errors_of(*fine_mesh);
  BOOST_TEST_MESSAGE("degree " << degree << ": area " << coarse.area << " "
                               << fine.area << ", normal " << coarse.normal
                               << " " << fine.normal << ", curvature "
                               << coarse.curvature << " " << fine.curvature);
  // Of order k + 1 or more, k, and k - 1, if the meshes were similar; they are
  // not, and the largest error may be that of one bad cell.
  const double ratio = std::sqrt(double(fine_mesh->mesh().cells.size()) /
                                 coarse_mesh->mesh().cells.size());
  BOOST_TEST(fine.area < coarse.area / std::pow(ratio, degree + 0.5));
  BOOST_TEST(fine.normal < coarse.normal / std::pow(ratio, degree - 0.8));
  if (degree > 1)
    BOOST_TEST(fine.curvature <
               coarse.curvature / std::pow(ratio, degree - 1.8));
}

BOOST_AUTO_TEST_CASE(kinds_of_elements_are_those_of_gmsh)
{
  gmsh::initialize(0, nullptr, false);
  gmsh::option::setNumber("General.Terminal", 0);
  for (int number = 1; number <= 66; ++number)
    {
      std::string         name;
      int                 dimension, degree, n_nodes, n_corners;
      std::vector<double> places;
      gmsh::model::mesh::getElementProperties(
        number, name, dimension, degree, n_nodes, places, n_corners);
      if (n_nodes == 0) // polygons and the like
        continue;
      const auto kind = gmsh_element(number);
      BOOST_TEST_CONTEXT(name)
      {
        BOOST_REQUIRE(kind.has_value());
        BOOST_TEST(kind->dimension() == dimension);
        if (dimension > 2 || (dimension == 2 && n_corners == 3))
          continue;
        BOOST_TEST(kind->degree == degree);
        BOOST_TEST(kind->n_nodes == n_nodes);
        if (dimension < 2)
          continue;
        std::vector<int> order;
        for (int a = 0; a < n_nodes; ++a)
          {
            const auto step = [&](const double place) {
              return static_cast<int>(std::lround(0.5 * (place + 1.) * degree));
            };
            order.push_back(step(places[2 * a]) +
                            (degree + 1) * step(places[2 * a + 1]));
          }
        BOOST_TEST(gmsh_order(*kind) == order);
      }
    }
  gmsh::finalize();
}

BOOST_AUTO_TEST_CASE(a_file_means_the_same_in_every_format)
{
  const double expected = size_of(*hemisphere({0.4, 3})).area;
  for (const double format : {2.2, 4.1})
    for (const bool binary : {false, true})
      {
        const auto surface = hemisphere({0.4, 3, false, format, binary});
        BOOST_TEST(std::abs(size_of(*surface).area - expected) < 1e-12);
        // Numbers and names; what has neither is edge 0.
        const std::map<std::string, int> names = {{"0", 0},
                                                  {"11", 11},
                                                  {"12", 12},
                                                  {"equator", 11}};
        BOOST_TEST((surface->edges() == names));
      }
}

BOOST_DATA_TEST_CASE(cells_with_nodes_on_their_sides_only_are_filled,
                     data::make({2, 3, 4}),
                     degree)
{
  // The sides are on the sphere, the inside differs from it by h^4.
  const Errors errors = errors_of(*hemisphere({0.2, degree, true}));
  BOOST_TEST(errors.area < 3e-5);
  BOOST_TEST(errors.normal < 0.02);
}

BOOST_DATA_TEST_CASE(a_curved_mesh_at_rest_is_free_of_stress_and_of_soft_modes,
                     data::make({1, 2, 4}) * data::make({2, 3}),
                     degree_of_mesh,
                     degree)
{
  // Its cells meet in small folds, which are natural.
  NamedShell named;
  named.body.thickness = 0.02;
  named.surface        = hemisphere({1., degree_of_mesh});
  const auto   shell   = make_shell(named, degree);
  const Vector q       = shell->initial_state();
  const Vector values =
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(dense_hessian(*shell, q),
                                                   Eigen::EigenvaluesOnly)
      .eigenvalues();
  BOOST_TEST_MESSAGE(values.size()
                     << " unknowns, gradient " << shell->gradient(q).norm()
                     << ", eigenvalues " << values.head<7>().transpose()
                     << " ... " << values.tail<1>());
  // Round-off against the largest, the membrane's.
  const double zero = 1e-12 * values.tail<1>()(0);
  BOOST_TEST(shell->gradient(q).norm() < zero);
  BOOST_TEST(values.head<6>().cwiseAbs().maxCoeff() < zero);
  BOOST_TEST(values(6) > 100. * zero);
}

BOOST_AUTO_TEST_CASE(meshes_that_make_no_shell_are_refused_in_one_line)
{
  check_message(message_of([] { make_surface(MeshFile{"no/such.msh"}); }),
                "'no/such.msh' cannot be opened");
  check_message(message_of_mesh("solid of another program\n"),
                "cannot be read");
  check_message(message_of_mesh(gmsh_text(six_nodes +
                                          "$Elements\n2\n1 2 2 1 1 1 2 5\n"
                                          "2 3 2 1 1 2 3 6 5\n"
                                          "$EndElements\n")),
                "triangles and quadrilaterals");
  check_message(message_of_mesh(gmsh_text(six_nodes + "$Elements\n1\n"
                                                      "1 9 2 1 1 1 2 3 4 5 6\n"
                                                      "$EndElements\n")),
                "curved triangles");
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

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/triangle_shells.h"

#include <slender/base/errors.h>
#include <slender/models/shells/gmsh_file.h>
#include <slender/models/triangles/triangle_file.h>

#include <Eigen/Geometry>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace
{
  using namespace slender;
  using namespace slender::test;
  namespace data = boost::unit_test::data;

  struct Broken
  {
    std::string name, content, words; ///< which the message contains
  };

  std::ostream &
  operator<<(std::ostream &stream, const Broken &mesh)
  {
    return stream << mesh.words;
  }

  const std::string square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

  const std::vector<Broken> broken_meshes = {
    {"a.obj", "", "no triangles"},
    {"a.obj", square, "no triangles"},
    {"a.obj", square + "f 1 2 5\nf 1 3 4\n", "has corner 5, but there are 4"},
    {"a.obj", square + "f 0 2 3\n", "there is no corner 0"},
    {"a.obj", square + "f 1 2 3 4\n", "three corners"},
    {"a.obj", square + "f 1 2 two\n", "'two' is not a number"},
    {"a.obj", "v 0 0\n" + square + "f 1 2 3\n", "something is missing"},
    {"a.obj", square + "f 1 2 2\nf 1 3 4\n", "has a corner twice"},
    {"a.obj", square + "f 1 2 3\n", "corner 4 at (0, 1, 0) belongs to no"},
    {"a.obj", square + "f 1 2 3\nf 1 3 4\nf 2 3 1\n", "are the same"},
    {"a.obj", square + "f 1 2 3\nf 1 4 3\n", "in different senses"},
    {"a.obj",
     square + "v 1 0 0\nf 1 2 3\nf 1 3 4\nf 5 3 1\n",
     "are at the same place"},
    {"a.obj",
     "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n",
     "has no area"},
    {"a.obj",
     square + "v 0.5 0.5 1\nf 1 2 3\nf 1 3 4\nf 3 1 5\n",
     "more than two triangles meet"},
    {"a.obj",
     square + "v 2 1 0\nv 2 2 0\nf 1 2 3\nf 1 3 4\nf 3 5 6\n",
     "touches itself in corner 3"},
    {"a.obj",
     square + "v 5 0 0\nv 6 0 0\nv 6 1 0\nf 1 2 3\nf 1 3 4\nf 5 6 7\n",
     "2 pieces that are not joined"},
    {"a.obj", "v 0 0 nan\nv 1 0 0\nv 1 1 0\nf 1 2 3\n", "no finite position"},
    {"a.off", "COFF\n3 1 0\n", "begins with OFF"},
    {"a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n", "ends too early"},
    {"a.off", "OFF\n-3 1 0\n", "no number of things"},
    {"a.off", "OFF 4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n", "three"},
    {"a.ply", "ply\nformat ascii 1.0\n", "a header from ply to end_header"},
    {"a.ply", "ply\nformat martian 1.0\nend_header\n", "no format of PLY"},
    {"a.ply",
     "ply\nformat binary_little_endian 1.0\nelement vertex 5\nproperty float "
     "x\nend_header\n12",
     "ends too early"},
    {"a.stl", "solid a\nfacet\nvertex 0 0 0\nendfacet\n", "three corners"},
    {"a.stl", std::string(83, ' '), "ends too early"}};

  /// Area of a triangulated surface.
  double
  area_of(const RestSurface &surface, const TriangleMesh &mesh)
  {
    double sum = 0.;
    for (const auto &t : mesh.triangles)
      {
        Vector3 x[3];
        for (int c = 0; c < 3; ++c)
          {
            const auto &v = mesh.vertices[t[c]];
            x[c]          = surface.position(v.patch, v.u, v.v);
          }
        sum += 0.5 * (x[1] - x[0]).cross(x[2] - x[0])(2);
      }
    return sum;
  }

  const std::vector<Triangulation> kinds = {Triangulation::regular,
                                            Triangulation::alternating,
                                            Triangulation::equilateral,
                                            Triangulation::random};
} // namespace



BOOST_AUTO_TEST_SUITE(triangle_meshes)

BOOST_DATA_TEST_CASE(a_broken_mesh_is_refused_in_one_line,
                     data::make(broken_meshes),
                     mesh)
{
  try
    {
      check_surface(parse_triangles(mesh.content, mesh.name));
      BOOST_FAIL("it was taken");
    }
  catch (const InputError &error)
    {
      const std::string message = error.what();
      BOOST_TEST(message.find(mesh.words) != std::string::npos, message);
      BOOST_TEST(message.find('\n') == std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(all_formats_hold_the_same_surface_to_the_last_digit)
{
  const std::string third = "0.33333333333333331";
  const std::string obj =
    "# a comment\nv 0 0 0\nv 1 0 0\nv 1 " + third + " 0\nf 1/1/1 2/2 -1\n";
  const std::string off =
    "OFF\n3 1 0\n0 0 0\n1 0 0\n1 " + third + " 0\n3 0 1 2\n";
  const std::string ply =
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty double x\nproperty "
    "double y\nproperty double z\nelement face 1\nproperty list uchar int "
    "vertex_indices\nend_header\n0 0 0\n1 0 0\n1 " +
    third + " 0\n3 0 1 2\n";
  const std::string stl =
    "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 "
    "0\nvertex 1 " +
    third + " 0\nendloop\nendfacet\nendsolid\n";
  for (const auto &[name, content] :
       std::vector<std::pair<std::string, std::string>>{
         {"a.obj", obj}, {"a.off", off}, {"a.PLY", ply}, {"a.stl", stl}})
    {
      const TriangleSoup soup = parse_triangles(content, name);
      check_surface(soup);
      BOOST_REQUIRE(soup.vertices.size() == 3);
      BOOST_REQUIRE(soup.triangles.size() == 1);
      BOOST_TEST(soup.vertices[2](1) == 1. / 3.);
      BOOST_TEST(soup.triangles[0][2] == 2);
    }
}

BOOST_DATA_TEST_CASE(triangles_cover_a_rectangle_with_its_edges,
                     data::make(kinds),
                     kind)
{
  Rectangle shape;
  shape.length                 = 2.;
  shape.width                  = 0.7;
  shape.cells                  = {6, 4};
  const auto           surface = make_surface(shape);
  TriangulationOptions options;
  options.kind            = kind;
  const TriangleMesh mesh = triangulate(*surface, options);
  BOOST_TEST(std::abs(area_of(*surface, mesh) - 1.4) < 1e-13);
  std::map<int, double> lengths;
  for (const auto &edge : mesh.edges)
    if (edge.triangles[1] < 0)
      {
        const auto &a = mesh.vertices[edge.vertices[0]];
        const auto &b = mesh.vertices[edge.vertices[1]];
        lengths[edge.id] +=
          (surface->position(0, a.u, a.v) - surface->position(0, b.u, b.v))
            .norm();
      }
  BOOST_TEST(lengths.size() == 4u);
  BOOST_TEST(std::abs(lengths.at(0) - 0.7) < 1e-13);
  BOOST_TEST(std::abs(lengths.at(3) - 2.) < 1e-13);
  // Euler: corners - edges + faces of a disk.
  BOOST_TEST(static_cast<long>(mesh.vertices.size()) -
               static_cast<long>(mesh.edges.size()) +
               static_cast<long>(mesh.triangles.size()) ==
             1);
}

BOOST_AUTO_TEST_CASE(a_whole_sphere_is_closed)
{
  Sphere shape;
  shape.complete             = true;
  shape.cells                = {4, 4};
  const auto         surface = make_surface(shape);
  const TriangleMesh mesh    = triangulate(*surface, {});
  for (const auto &edge : mesh.edges)
    BOOST_TEST(edge.triangles[1] >= 0);
  BOOST_TEST(static_cast<long>(mesh.vertices.size()) -
               static_cast<long>(mesh.edges.size()) +
               static_cast<long>(mesh.triangles.size()) ==
             2);
}

// A square of two triangles; its left side has a name, its right one a number,
// and a point that belongs to no triangle is left out.
BOOST_AUTO_TEST_CASE(triangles_of_gmsh_keep_the_names_of_their_lines)
{
  const std::string text =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
    "$PhysicalNames\n1\n1 4 \"wall\"\n$EndPhysicalNames\n"
    "$Nodes\n5\n9 5 5 5\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n"
    "$Elements\n5\n1 15 2 1 1 9\n2 1 2 4 1 4 1\n3 1 2 7 1 2 3\n"
    "4 2 2 1 1 1 2 3\n5 2 2 1 1 1 3 4\n$EndElements\n";
  const TriangleSoup soup = triangles_of(parse_gmsh(text, "a.msh"));
  BOOST_TEST(soup.vertices.size() == 4u);
  BOOST_TEST(soup.triangles.size() == 2u);
  for (const int refinements : {0, 2})
    {
      const auto surface =
        make_surface(parse_gmsh(text, "a.msh"), MeshFile{"a.msh", refinements});
      const auto         edges = surface->edges();
      const TriangleMesh mesh  = triangulate(*surface, {});
      BOOST_TEST(mesh.triangles.size() == (2u << (2 * refinements)));
      BOOST_TEST(edges.size() == 4u);
      for (const auto &[name, at] :
           std::map<std::string, std::pair<int, double>>{{"wall", {0, 0.}},
                                                         {"7", {0, 1.}},
                                                         {"y min", {1, 0.}},
                                                         {"y max", {1, 1.}}})
        {
          int n = 0;
          for (const TriangleMesh::Edge &edge : mesh.edges)
            if (edge.triangles[1] < 0 && edge.id == edges.at(name))
              {
                ++n;
                for (const Index v : edge.vertices)
                  {
                    const TriangleMesh::Vertex &x = mesh.vertices[v];
                    BOOST_TEST(surface->position(x.patch, x.u, x.v)(at.first) ==
                               at.second);
                  }
              }
          BOOST_TEST(n == (1 << refinements));
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()

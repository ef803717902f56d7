// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_tests_support_mesh_text_h
#define slender_tests_support_mesh_text_h

#include <slender/models/shells/gmsh_file.h>
#include <slender/models/shells/rest_surface.h>

#include <memory>
#include <string>

// Small files of gmsh.
namespace slender::test
{
  inline std::string
  gmsh_text(const std::string &sections)
  {
    return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n" + sections;
  }

  /// Two quadrilaterals side by side, 2 x 1; the left side is line 7.
  const std::string six_nodes = "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 2 0 0\n"
                                "4 0 1 0\n5 1 1 0\n6 2 1 0\n$EndNodes\n";

  const std::string two_cells = "$Elements\n3\n1 1 2 7 1 1 4\n"
                                "2 3 2 1 1 1 2 5 4\n3 3 2 1 1 2 3 6 5\n"
                                "$EndElements\n";

  /// The same in format 4.1.
  const std::string two_cells_4 =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
    "$PhysicalNames\n2\n1 7 \"left\"\n2 1 \"shell\"\n$EndPhysicalNames\n"
    "$Entities\n1 1 1 0\n1 0 0 0 0\n1 0 0 0 0 1 0 1 -7 2 1 -2\n"
    "1 0 0 0 2 1 0 1 1 1 1\n$EndEntities\n"
    "$Nodes\n2 6 1 60\n1 1 0 2\n10\n40\n0 0 0\n0 1 0\n"
    "2 1 1 4\n20\n30\n50\n60\n1 0 0 0.5 0\n2 0 0 1 0\n1 1 0 0.5 1\n"
    "2 1 0 1 1\n$EndNodes\n"
    "$Elements\n2 3 1 3\n1 1 1 1\n1 10 40\n2 1 3 2\n2 10 20 50 40\n"
    "3 20 30 60 50\n$EndElements\n";

  /// One cell of degree 2 with all nodes of gmsh's order; its middle one is
  /// raised.
  const std::string curved_cell = gmsh_text(
    "$PhysicalNames\n1\n1 3 \"wall\"\n$EndPhysicalNames\n"
    "$Nodes\n9\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0.5 0 0\n6 1 0.5 0\n"
    "7 0.5 1 0\n8 0 0.5 0\n9 0.5 0.5 0.1\n$EndNodes\n"
    "$Elements\n2\n1 8 2 3 1 4 1 8\n2 10 2 1 1 1 2 3 4 5 6 7 8 9\n"
    "$EndElements\n");

  inline std::unique_ptr<RestSurface>
  surface_from(const std::string &text, const bool slit = false)
  {
    return make_surface(parse_gmsh(text, "m.msh"),
                        MeshFile{"m.msh", 0, false, slit});
  }

  /// A text in which one piece is another.
  inline std::string
  with(std::string text, const std::string &piece, const std::string &other)
  {
    return text.replace(text.find(piece), piece.size(), other);
  }
} // namespace slender::test

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_triangles_triangle_file_h
#define slender_models_triangles_triangle_file_h

#include <slender/models/shells/rest_surface.h>

#include <array>
#include <string>
#include <vector>

namespace slender
{
  struct GmshFile;

  /// Corners and triangles as a file has them, in full precision.
  struct TriangleSoup
  {
    std::vector<Vector3>              vertices;
    std::vector<std::array<Index, 3>> triangles;

    /// Lines between two corners that have a name, where a file has such.
    struct Line
    {
      std::array<Index, 2> ends;
      std::string          name;
    };
    std::vector<Line> lines;
  };

  /// Whether a file's ending says that it holds triangles: obj, off, ply, stl.
  bool
  is_triangle_file(const std::string &path);

  /**
   * Reads OBJ, OFF, PLY (text or binary) or STL (text or binary; corners at the
   * same place are joined). Faces with more than three corners are refused.
   * Throws InputError with the line or the number of what is wrong.
   */
  TriangleSoup
  read_triangles(const std::string &path);

  /// The same from what a file contains; `path` names it in messages.
  TriangleSoup
  parse_triangles(const std::string &content, const std::string &path);

  /**
   * Throws InputError, in one line, if triangles do not make a surface: corners
   * that do not exist, that are nowhere, that no triangle has or that are at
   * the same place; triangles without area, or twice; edges with more than two
   * triangles; neighbours that run around in different senses; corners where
   * pieces touch in a point; several pieces.
   */
  void
  check_surface(const TriangleSoup &soup);

  /**
   * A surface of a file. Pieces of its boundary that have a name keep it.
   * Others at an end of the surface along a coordinate axis are the edges "x
   * min", "x max", "y min" and so on; what remains is "rim".
   */
  struct TriangleFile
  {
    std::string path;
    int         refinements  = 0; ///< how often triangles are cut into four
    bool        flip_normals = false;
  };

  std::unique_ptr<RestSurface>
  make_surface(const TriangleFile &file);

  std::unique_ptr<RestSurface>
  make_surface(const TriangleSoup &soup);

  /// The same refined or turned around; the path is for errors.
  std::unique_ptr<RestSurface>
  make_surface(TriangleSoup soup, const TriangleFile &request);

  /// The triangles of a file of gmsh, without nodes that none of them has.
  /// Physical lines are named, those without a name by their number.
  TriangleSoup
  triangles_of(const GmshFile &file);
} // namespace slender

#endif

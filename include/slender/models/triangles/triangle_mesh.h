// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_triangles_triangle_mesh_h
#define slender_models_triangles_triangle_mesh_h

#include <slender/models/shells/rest_surface.h>

#include <array>
#include <string>
#include <vector>

namespace slender
{
  /**
   * A surface made of triangles, whole: every rank has it. Corners are points
   * of the patches of a rest surface, so that they move along when a dimension
   * of it changes.
   */
  struct TriangleMesh
  {
    struct Vertex
    {
      int    patch;
      double u, v;
    };

    /// Runs from one vertex to the other as its first triangle has it
    /// counterclockwise.
    struct Edge
    {
      std::array<Index, 2> vertices;
      std::array<Index, 2> triangles; ///< the second is -1 at the boundary
      std::array<int, 2>   corners;   ///< of the triangles, opposite to it
      int                  id = -1;   ///< of the boundary
    };

    std::vector<Vertex>               vertices;
    std::vector<std::array<Index, 3>> triangles; ///< about the normal
    std::vector<Edge>                 edges;
    /// The edges opposite to the corners of each triangle.
    std::vector<std::array<Index, 3>> triangle_edges;
  };

  /// How the cells of a surface are cut into triangles.
  enum class Triangulation
  {
    regular,     ///< all diagonals in one direction
    alternating, ///< diagonals in turn, as on a Union Jack
    equilateral, ///< of a rectangle: every other row shifted by half a cell
    random       ///< of a rectangle: shifted points, joined as Delaunay would
  };

  struct TriangulationOptions
  {
    Triangulation kind = Triangulation::regular;
    /// `random`: how far points are shifted at most, in cells, and from which
    /// number the shifts are drawn.
    double       shift = 0.25;
    unsigned int seed  = 1;
  };

  /**
   * Cuts the cells of a surface. Triangles of a surface that has them already
   * are taken as they are. Throws InputError where the surface does not allow
   * the kind.
   */
  TriangleMesh
  triangulate(const RestSurface &surface, const TriangulationOptions &options);

  /// Finds the edges of triangles; `ids` has those of the boundary that have a
  /// number, by their vertices in ascending order.
  void
  find_edges(TriangleMesh                              &mesh,
             const std::map<std::array<Index, 2>, int> &ids);

  /**
   * An order of the triangles in which those that are near each other in space
   * follow each other, by repeated halving across the longest side. It depends
   * on nothing but the positions; ranks take consecutive pieces of it.
   */
  std::vector<Index>
  order_in_space(const TriangleMesh         &mesh,
                 const std::vector<Vector3> &positions);
} // namespace slender

#endif

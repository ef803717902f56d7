// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_shells_rest_surface_h
#define slender_models_shells_rest_surface_h

#include <slender/base/types.h>

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace slender
{
  struct GmshFile;

  /**
   * Quadrilaterals that cover a surface, each a piece of one of its patches.
   * They may be refined further, by bisection.
   */
  struct SurfaceMesh
  {
    struct Cell
    {
      /// Corners (0,0), (1,0), (0,1), (1,1) of the cell.
      std::array<unsigned int, 4> vertices;
      /// The patch, and where the corners are in it.
      int                                  patch;
      std::array<std::array<double, 2>, 4> corners;
    };

    struct Edge
    {
      std::array<unsigned int, 2> vertices;
      int                         id;
    };

    std::vector<Vector3> vertices;
    std::vector<Cell>    cells;
    std::vector<Edge>    edges; ///< of the boundary
    int                  refinements = 0;
  };

  /**
   * The shape of a shell at rest: patches, each the image of a unit square, and
   * how they are cut into cells. Its dimensions are named numbers that may
   * vary continuously; mesh and material points stay.
   *
   * Where X,u x X,v points is the side of positive normals and pressures.
   */
  class RestSurface
  {
  public:
    virtual ~RestSurface() = default;

    /// The position of a point (u, v) of a patch.
    virtual Vector3
    position(int patch, double u, double v) const = 0;

    virtual SurfaceMesh
    mesh() const = 0;

    /// Where in the patch a corner of the finest cells stands that a uniform
    /// mesh would have at (u, v).
    virtual std::array<double, 2>
    graded(double u, double v) const;

    /// Edges by name, with the number that mesh() gives them.
    virtual std::map<std::string, int>
    edges() const = 0;

    /// A typical length, the unit of the model's unknowns.
    virtual double
    size() const = 0;

    struct Dimension
    {
      std::string name;
      std::string description;
      double     *value;
    };

    /// Lengths and angles that may be varied.
    virtual std::vector<Dimension>
    dimensions();

    virtual std::unique_ptr<RestSurface>
    clone() const = 0;
  };

  /// How many cells a patch has along u and v.
  struct CellCounts
  {
    int along_u = 8;
    int along_v = 8;
  };

  /**
   * A rectangle in the plane z = 0: u along x from 0 to the length, v along y
   * from -width/2 to width/2. Edges: left (x = 0), right, bottom, top.
   */
  struct Rectangle
  {
    double     length = 1.;
    double     width  = 1.;
    CellCounts cells;
    /// Largest over smallest cell: towards the left edge along x, and towards
    /// both long edges along y; the sizes grow geometrically.
    double grading_x = 1.;
    double grading_y = 1.;
  };

  /// A disk in the plane z = 0, from five patches. Edge: rim.
  struct Disk
  {
    double radius = 1.;
    int    cells  = 4; ///< along each side of a patch
  };

  /**
   * The part of a sphere about the origin around its upper pole, from five
   * patches; the normal points outwards. Edge: rim.
   */
  struct Cap
  {
    double radius = 1.;
    double angle  = 1.5707963267948966; ///< rad, from the pole to the rim
    int    cells  = 4;                  ///< along each side of a patch
  };

  /**
   * A part of a ring in the plane z = 0, from `start` over an angle; u along
   * the circle, v from the outer to the inner radius. Edges: start, end (unless
   * closed), outer, inner. A whole turn that is slit has a start and an end.
   */
  struct Annulus
  {
    double     inner_radius = 0.5;
    double     outer_radius = 1.;
    double     start        = 0.; ///< rad
    double     angle        = 6.283185307179586;
    bool       slit         = false; ///< counts for a whole turn only
    CellCounts cells;
  };

  /**
   * A cylinder about the z axis, u around it and v along it; the normal points
   * outwards. A whole turn is closed. Edges: start, end (unless closed),
   * bottom, top.
   */
  struct Cylinder
  {
    double     radius = 1.;
    double     length = 1.;
    double     start  = 0.; ///< rad
    double     angle  = 6.283185307179586;
    CellCounts cells;
  };

  /**
   * A part of a sphere about the origin between two latitudes, u eastwards and
   * v northwards; the normal points outwards. A whole turn is closed. Edges:
   * start, end (unless closed), bottom, top. With `complete`, the whole sphere
   * from six patches, without edges.
   */
  struct Sphere
  {
    double     radius          = 1.;
    double     start           = 0.; ///< rad
    double     angle           = 6.283185307179586;
    double     bottom_latitude = 0.;
    double     top_latitude    = 1.2566370614359172; ///< 18 degrees of hole
    bool       complete        = false;
    CellCounts cells;
  };

  /**
   * Quadrilaterals from a file of gmsh, each a polynomial patch of the degree
   * that they have there: straight-sided, or curved with nodes on the sides and
   * inside. Neighbours share their common side, but not the tangent plane along
   * it; the small fold is part of the rest shape. The edges are the file's
   * physical lines, by their numbers and by their names; lines without one are
   * edge 0. Normals agree between neighbours. Cells must meet along whole sides
   * and share all nodes there, see check_conformity().
   */
  struct MeshFile
  {
    std::string path;
    int         refinements  = 0;
    bool        flip_normals = false;
    /// Cells may have sides at the same place and not be joined.
    bool slit = false;
  };

  /// Throw InputError for dimensions or meshes that make no surface.
  std::unique_ptr<RestSurface>
  make_surface(const Rectangle &rectangle);
  std::unique_ptr<RestSurface>
  make_surface(const Disk &disk);
  std::unique_ptr<RestSurface>
  make_surface(const Cap &cap);
  std::unique_ptr<RestSurface>
  make_surface(const Annulus &annulus);
  std::unique_ptr<RestSurface>
  make_surface(const Cylinder &cylinder);
  std::unique_ptr<RestSurface>
  make_surface(const Sphere &sphere);
  std::unique_ptr<RestSurface>
  make_surface(const MeshFile &file);
  /// The same for a file that was read before.
  std::unique_ptr<RestSurface>
  make_surface(const GmshFile &content, const MeshFile &file);

  /**
   * Cuts patches into cells and joins those whose vertices meet.
   *
   * @param n_patches the patches are those of the surface
   * @param cells of each patch; common factors of two become refinements
   * @param joined whether vertices at the same place are one
   * @param side_ids numbers of the sides u = 0, u = 1, v = 0, v = 1 of each
   *        patch; a side that is joined to another is not an edge
   */
  SurfaceMesh
  cut_patches(const RestSurface                     &surface,
              int                                    n_patches,
              CellCounts                             cells,
              bool                                   joined,
              const std::vector<std::array<int, 4>> &side_ids);
} // namespace slender

#endif

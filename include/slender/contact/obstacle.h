// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_contact_obstacle_h
#define slender_contact_obstacle_h

#include <slender/base/types.h>

#include <memory>
#include <string>
#include <vector>

namespace slender
{
  /// A rigid thing that is in the way, as the distance of a place from its
  /// surface: negative inside. Lengths are in the user's unit.
  class ObstacleShape
  {
  public:
    virtual ~ObstacleShape() = default;

    virtual double
    distance(const Vector3 &x) const = 0;

    /// The derivative of the distance, of unit length.
    virtual Vector3
    normal(const Vector3 &x) const = 0;

    /// Its second derivative.
    virtual Eigen::Matrix3d
    curvature(const Vector3 &x) const = 0;
  };

  std::unique_ptr<ObstacleShape>
  make_plane(const Vector3 &point, const Vector3 &normal);

  std::unique_ptr<ObstacleShape>
  make_sphere(const Vector3 &centre, double radius);

  /// Without ends.
  std::unique_ptr<ObstacleShape>
  make_cylinder(const Vector3 &point, const Vector3 &axis, double radius);

  /// With edges along the axes of space.
  std::unique_ptr<ObstacleShape>
  make_box(const Vector3 &centre, const Vector3 &sides);

  /// The distance as a formula in x, y, z (muParser), of which derivatives are
  /// differences over small parts of a length: that of the body. Throws
  /// InputError for one that cannot be read.
  std::unique_ptr<ObstacleShape>
  make_formula(const std::string &formula, double length = 1.);

  /// A closed surface of triangles in a file: STL (text or binary) or OBJ,
  /// whichever way they run around. Throws InputError for one that is not
  /// closed.
  std::unique_ptr<ObstacleShape>
  make_triangles(const std::string &file);

  /// A shape that may move, and how rough it is.
  struct Obstacle
  {
    std::string name;
    int         number = 0; ///< the user's, where a file has it
    std::shared_ptr<const ObstacleShape> shape;
    double                               friction  = 0.; ///< Coulomb's
    double                               clearance = 0.; ///< half a thickness
    Vector3 velocity = Vector3::Zero();                  ///< [length/time]
    Vector3 shift    = Vector3::Zero(); ///< by which it has moved so far

    /// How far a point may come near before they touch.
    double
    gap(const Vector3 &x) const
    {
      return shape->distance(x - shift) - clearance;
    }
  };

  using Obstacles = std::vector<Obstacle>;
} // namespace slender

#endif

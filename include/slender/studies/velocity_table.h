// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_velocity_table_h
#define slender_studies_velocity_table_h

#include <slender/systems/velocity_field.h>

#include <string>
#include <vector>

namespace slender
{
  /**
   * Velocities at some places, and between them those of the affine field
   * v + L (x' - x) that comes nearest to them, nearby rows counting most
   * (moving least squares): a motion without change of shape, or with one that
   * is the same everywhere, is had back exactly from a few rows.
   */
  class VelocityTable
  {
  public:
    /// From a CSV file whose first six columns are x, y, z and the velocity
    /// there. Throws InputError, with the setting at `path`, for any other.
    VelocityTable(const std::string &file, const std::string &path);

    VelocityTable(std::vector<Vector3> places, std::vector<Vector3> velocities);

    /// v and L at x.
    struct Affine
    {
      Vector3         velocity;
      Eigen::Matrix3d gradient;
    };

    Affine
    at(const Vector3 &x) const;

  private:
    void
    measure();

    std::vector<Vector3> places, velocities;
    double               size = 1.; ///< how far places are spread
  };
} // namespace slender

#endif

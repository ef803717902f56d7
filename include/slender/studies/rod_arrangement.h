// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_rod_arrangement_h
#define slender_studies_rod_arrangement_h

#include <slender/base/types.h>

#include <string>
#include <vector>

namespace dealii
{
  class ParameterHandler;
}

namespace slender
{
  /**
   * How many rods there are and where they are at the start: the section "Rods"
   * of a parameter file.
   */
  struct RodArrangement
  {
    std::string arrangement = "one";
    int         number      = 50;
    Vector3     centre      = Vector3::Zero();
    Vector3     sides       = Vector3::Ones();
    int         seed        = 1;
    std::string file;

    void
    declare(dealii::ParameterHandler &prm);

    /// Throws InputError for settings that contradict each other.
    void
    check() const;

    bool
    is_one() const
    {
      return arrangement == "one";
    }

    /**
     * The centrelines, corners in columns; of a heap two each. Throws
     * InputError if a heap does not fit into its region without rods that
     * overlap, or for a file that cannot be read.
     */
    std::vector<Eigen::Matrix3Xd>
    centrelines(double length, double radius) const;

  private:
    std::vector<Eigen::Matrix3Xd>
    heap(double length, double radius) const;

    std::vector<Eigen::Matrix3Xd>
    from_file() const;
  };

  /// Corners at equal distances along a polygon.
  Eigen::Matrix3Xd
  evenly_spaced(const Eigen::Matrix3Xd &x, Index segments);

  double
  polygon_length(const Eigen::Matrix3Xd &x);
} // namespace slender

#endif

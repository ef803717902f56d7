// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_contact_curve_topology_h
#define slender_contact_curve_topology_h

#include <slender/base/types.h>

#include <vector>

/// What does not change as long as a curve does not pass through itself, or
/// belongs to it. Curves are polygons, their corners the columns of a matrix.
namespace slender::contact
{
  /// Where a polygon crosses itself, seen along a direction.
  struct Crossing
  {
    Index first, second; ///< edges
    int   sign;          ///< +1 or -1, whichever way the curve is run through
  };

  std::vector<Crossing>
  crossings(const Eigen::Matrix3Xd &x, const Vector3 &direction);

  /// Gauss's double integral over an open polygon: the mean, over all
  /// directions, of the sum of signs of its crossings. Exact (Klenin and
  /// Langowski 2000).
  double
  writhe(const Eigen::Matrix3Xd &x);

  /// The polygon with its first and its last edge extended by a length.
  Eigen::Matrix3Xd
  extended(const Eigen::Matrix3Xd &x, double length);
} // namespace slender::contact

#endif

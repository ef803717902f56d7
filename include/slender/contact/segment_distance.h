// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_contact_segment_distance_h
#define slender_contact_segment_distance_h

#include <slender/contact/segment_pair.h>

namespace slender::contact
{
  /// Where a point on a segment is: at one of its ends, or between them.
  enum class Spot
  {
    start,
    inside,
    end
  };

  /// The nearest points of two segments, at t and u in [0, 1].
  struct Nearest
  {
    double t = 0., u = 0.;
    Spot   on_first = Spot::start, on_second = Spot::start;
    double squared_distance = 0.;
  };

  /// Exact (Lumelsky 1985); of parallel segments one pair of nearest points.
  Nearest
  nearest_points(const Products &p);

  double
  distance(const FourPoints &x);

  /// How much of the motion of each of the four points the vector from the
  /// nearest point on the second segment to that on the first follows.
  inline Vector4
  weights_of(const double t, const double u)
  {
    return {1. - t, t, u - 1., -u};
  }

  /// That of an end (at_first: of the first segment) from the other segment.
  Nearest
  nearest_to_end(const Products &p, bool of_first, Spot end);
} // namespace slender::contact

#endif

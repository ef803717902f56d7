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
  nearest_points(const Products<double> &p);

  double
  distance(const FourPoints &x);

  /// How much of the motion of each of the four points the vector from the
  /// nearest point on the second segment to that on the first follows.
  inline Vector4
  weights_of(const double t, const double u)
  {
    return {1. - t, t, u - 1., -u};
  }

  /// The squared distance of segments whose nearest points are at spots of a
  /// given kind: smooth in all arguments as long as the kind stays.
  template <class Number>
  Number
  squared_distance(const Products<Number> &p,
                   const Spot              on_first,
                   const Spot              on_second)
  {
    const Number t_end = on_first == Spot::end ? 1. : 0.,
                 u_end = on_second == Spot::end ? 1. : 0.;
    if (on_first != Spot::inside && on_second != Spot::inside)
      return p.squared_distance(t_end, u_end);
    if (on_first != Spot::inside)
      return p.squared_distance(t_end, (t_end * p.R - p.S2) * inverse(p.D2));
    if (on_second != Spot::inside)
      return p.squared_distance((u_end * p.R + p.S1) * inverse(p.D1), u_end);
    const Number t = (p.S1 * p.D2 - p.S2 * p.R) * inverse(p.area());
    return p.squared_distance(t, (t * p.R - p.S2) * inverse(p.D2));
  }

  /// That of an end (at_first: of the first segment) from the other segment.
  Nearest
  nearest_to_end(const Products<double> &p, bool of_first, Spot end);
} // namespace slender::contact

#endif

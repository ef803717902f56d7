// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_contact_smooth_distance_h
#define slender_contact_smooth_distance_h

#include <slender/contact/segment_pair.h>

namespace slender::contact
{
  /// The square of a distance with its derivatives by the six products.
  struct SmoothDistance
  {
    double   squared = 0.;
    Six      slope;
    SixBySix bend;
  };

  /**
   * The smooth distance of two segments (Choi, Tong, Jawed and Joo 2021, eq.
   * 15): the exact algorithm with its decisions replaced by smooth ones, the
   * steeper the larger k is,
   *
   *   t1 = (S1 D2 - S2 R)/(D1 D2 - R^2),   t2 = H(t1),
   *   u1 = (t2 R - S2)/D2,                 u  = H(u1),
   *   t3 = H((u R + S1)/D1),               t  = (1 - B(u1)) t3 + B(u1) t2 .
   *
   * Two misprints of the paper are corrected: r goes from the first segment to
   * the second, and the second value of t is bounded like the first one.
   */
  double
  smooth_distance(const Products &p, double k);

  /// With the slope, or with slope and bend (n_derivatives 1 or 2).
  SmoothDistance
  smooth_distance(const Products &p, double k, int n_derivatives);
} // namespace slender::contact

#endif

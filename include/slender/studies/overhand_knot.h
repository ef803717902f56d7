// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_overhand_knot_h
#define slender_studies_overhand_knot_h

#include <slender/models/rods/rod_body.h>

namespace slender
{
  /**
   * An open overhand knot with the unknotting number n, as a polygon to begin
   * with: two strands along the x axis wind about each other by 2n + 1 half
   * turns, a braid; a loop, two half circles and a straight piece, leads from
   * the end of the first strand back to the beginning of the second one, and
   * two tails along the x axis lead to the braid and away from it. Closed at
   * infinity it is the torus knot (2, 2n + 1).
   */
  struct OverhandKnot
  {
    int    unknotting_number = 1;
    double length            = 1.;
    double radius            = 1.6e-3;
    int    segments          = 300;
    /// Length of the rod less the distance of its ends.
    double shortening = 0.5;

    /// Corners at equal distances along the curve, the middle of the braid at
    /// the origin. Throws InputError if there is no such knot: too short, too
    /// thick, too few segments.
    Eigen::Matrix3Xd
    polygon() const;

    /// What the braid alone takes.
    double
    least_shortening() const;

  private:
    /// Of the braid, along the x axis.
    double
    braid_length() const;
  };

  /// The frame that is carried along a polygon without twisting, from the first
  /// edge to the last one.
  Frame
  carried_frame(const Eigen::Matrix3Xd &x, const Frame &first);
} // namespace slender

#endif

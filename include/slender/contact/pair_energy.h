// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_contact_pair_energy_h
#define slender_contact_pair_energy_h

#include <slender/contact/segment_distance.h>

namespace slender::contact
{
  /// A function of one variable with two derivatives.
  struct Curve
  {
    double value, slope, bend;
  };

  /**
   * The energy of two edges of rods as a function of their distance, in the
   * implicit contact method of Choi, Tong, Jawed and Joo (2021, eq. 21): a
   * smooth hinge,
   *
   *   E = F h/K log(1 + exp(K (d0 - d)/h)) ,
   *
   * with the distance d0 of the axes of rods that touch and their radius h. The
   * force is half of F where they touch and F where they penetrate deeply; K
   * says how suddenly it comes. So a force that becomes larger than F in a few
   * steps would let them pass through each other. Beyond a depth there is
   *
   *   F (d0 - depth - d)^3/(3 depth^2)
   *
   * besides, unless the depth is zero: a force of F at twice the depth, of 4 F
   * at three times.
   */
  struct SoftHinge
  {
    double touching  = 0.; ///< d0 [length]
    double radius    = 1.; ///< h [length]
    double sharpness = 50; ///< K
    double force     = 1.; ///< F
    double depth     = 0.; ///< [length]

    Curve
    operator()(double distance) const;
  };

  /**
   * The barrier of the incremental potential contact method (Li et al. 2020):
   * nothing beyond a gap g0, infinite where rods touch, twice continuously
   * differentiable,
   *
   *   E = -k (g - g0)^2 log(g/g0),   g = d - d0 .
   *
   * The stiffness k is such that the force is half of F at half of the gap.
   */
  struct Barrier
  {
    double touching = 0.; ///< d0
    double gap      = 1.; ///< g0
    double force    = 1.; ///< F

    Curve
    operator()(double distance) const;
  };

  /// What is needed of an energy of two segments.
  struct PairEnergy
  {
    double         value = 0.;
    Twelve         gradient;
    TwelveByTwelve hessian;
  };

  enum class Derivatives
  {
    none,
    first,
    second
  };

  /// The soft hinge of the smooth distance.
  PairEnergy
  soft_contact(const FourPoints &x,
               const SoftHinge  &law,
               double            smoothing,
               Derivatives       wanted);

  /**
   * The barrier of the exact distance. Where segments become parallel, their
   * nearest points jump. So the energy goes over from that of the segments to
   * half the sum of those of the four ends, each with the other segment, whose
   * distances have no such jumps:
   *
   *   E = m(s) E(d) + (1 - m(s)) 1/2 sum_ends E(d_end) ,
   *
   * with s the squared sine of the angle between them, m(s) = x (2 - x) up to
   * x = s/s0 = 1. Infinite where the rods touch or penetrate.
   */
  PairEnergy
  barrier_contact(const FourPoints &x, const Barrier &law, Derivatives wanted);

  /// s0.
  constexpr double nearly_parallel = 1e-2;
} // namespace slender::contact

#endif

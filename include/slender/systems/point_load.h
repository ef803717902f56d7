// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_systems_point_load_h
#define slender_systems_point_load_h

#include <slender/systems/pair_term.h>

namespace slender
{
  /// A dead force F along a fixed direction at a material point, phi = -F.x;
  /// its parameter is "force".
  class PointLoad : public PairTerm
  {
  public:
    PointLoad(const Hold &at, const Vector3 &direction, double force = 0.);

  protected:
    double
    value(std::size_t pair, const PairNumbers &numbers) const override;
    PairNumbers
    slope(std::size_t pair, const PairNumbers &numbers) const override;
    PairMatrix
    bend(std::size_t pair, const PairNumbers &numbers) const override;

  private:
    Vector3 direction;
    double  force;
  };
} // namespace slender

#endif

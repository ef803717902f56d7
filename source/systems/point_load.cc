// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/systems/point_load.h>

namespace slender
{
  // The point is both markers of the one pair.
  PointLoad::PointLoad(const Hold    &at,
                       const Vector3 &its_direction,
                       const double   its_force)
    : PairTerm(at, {at})
    , direction(its_direction.normalized())
    , force(its_force)
  {
    add_parameter("force", "force on the point [force]", force, 1.);
  }

  double
  PointLoad::value(std::size_t /*pair*/, const PairNumbers &numbers) const
  {
    return -force * direction.dot(numbers.head<3>());
  }

  PointLoad::PairNumbers
  PointLoad::slope(std::size_t /*pair*/, const PairNumbers & /*numbers*/) const
  {
    PairNumbers result = PairNumbers::Zero();
    result.head<3>()   = -force * direction;
    return result;
  }

  PointLoad::PairMatrix
  PointLoad::bend(std::size_t /*pair*/, const PairNumbers & /*numbers*/) const
  {
    return PairMatrix::Zero();
  }
} // namespace slender

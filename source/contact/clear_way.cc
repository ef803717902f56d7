// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/contact/clear_way.h>

#include <algorithm>

namespace slender::contact
{
  double
  clear_way(const FourPoints &x,
            const FourPoints &dx,
            const double      floor,
            const double      remains,
            const double      least)
  {
    const Vector3 common = dx.rowwise().mean();
    const double  speed =
      std::max((dx.col(0) - common).norm(), (dx.col(1) - common).norm()) +
      std::max((dx.col(2) - common).norm(), (dx.col(3) - common).norm());
    const double room = distance(x) - floor;
    if (room <= 0. || speed * least < (1. - remains) * room)
      return least;
    double s = 0.;
    for (int i = 0; i < 100 && s < least; ++i)
      {
        const double now = distance(x + s * dx) - floor;
        if (now < remains * room && s > 0.)
          break;
        s += (now - 0.9 * remains * room) / speed;
      }
    return std::min(least, s);
  }
} // namespace slender::contact

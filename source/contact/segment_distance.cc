// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/contact/segment_distance.h>

#include <algorithm>
#include <cmath>

namespace slender::contact
{
  namespace
  {
    struct Place
    {
      double value;
      Spot   spot;
    };

    Place
    within(const double x)
    {
      if (!(x > 0.))
        return {0., Spot::start};
      if (x >= 1.)
        return {1., Spot::end};
      return {x, Spot::inside};
    }

    Nearest
    nearest(const Products &p, const Place &t, const Place &u)
    {
      return {t.value,
              u.value,
              t.spot,
              u.spot,
              std::max(0., p.squared_distance(t.value, u.value))};
    }

    Place
    on_first_from(const Products &p, const double u)
    {
      return within((u * p.R + p.S1) / p.D1);
    }

    Place
    on_second_from(const Products &p, const double t)
    {
      return within((t * p.R - p.S2) / p.D2);
    }
  } // namespace

  Nearest
  nearest_points(const Products &p)
  {
    // Where the lines are parallel to round-off, any point will do to begin
    // with: the two projections below end at a nearest pair.
    const double area = p.area();
    Place        t    = area > 1e-14 * p.D1 * p.D2
                          ? within((p.S1 * p.D2 - p.S2 * p.R) / area)
                          : Place{0., Spot::start};
    const Place  u    = on_second_from(p, t.value);
    if (u.spot != Spot::inside)
      t = on_first_from(p, u.value);
    return nearest(p, t, u);
  }

  Nearest
  nearest_to_end(const Products &p, const bool of_first, const Spot end)
  {
    const Place here = {end == Spot::end ? 1. : 0., end};
    return of_first ? nearest(p, here, on_second_from(p, here.value))
                    : nearest(p, on_first_from(p, here.value), here);
  }

  double
  distance(const FourPoints &x)
  {
    return std::sqrt(nearest_points(products_of(x)).squared_distance);
  }
} // namespace slender::contact

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/contact/rod_contact.h>

#include <algorithm>
#include <cmath>

namespace slender
{
  using contact::Derivatives;
  using contact::FourPoints;
  using contact::Nearest;
  using contact::Twelve;

  namespace
  {
    /// What counts as a contact [radius].
    constexpr double near_enough = 0.05;
  } // namespace

  std::vector<Measurement>
  RodContact::measure(const Vector &q) const
  {
    const Places3 x     = rods.places(q);
    double        least = options.reach * radius, sum = 0., largest = 0.;
    int           contacts = 0;
    for (std::size_t p = 0; p < pairs.size(); ++p)
      {
        const double d   = contact::distance(four(x, pairs[p].nodes));
        const double gap = d - pairs[p].touching;
        least            = std::min(least, gap);
        contacts += gap < near_enough * radius ? 1 : 0;
        const double N = options.method == ContactMethod::spt ? spt_forces[p]
                         : d < law.cutoff(pairs[p].touching)
                           ? law.normal_force(pairs[p].touching, d)
                           : 0.;
        sum += N;
        largest = std::max(largest, N);
      }
    return {{"contacts", static_cast<double>(contacts)},
            {"least gap", least},
            {"penetration", std::max(0., -least)},
            {"contact force", sum},
            {"largest contact force", largest}};
  }

  Eigen::Matrix3Xd
  RodContact::forces(const Vector &q) const
  {
    if (options.method == ContactMethod::spt)
      return explicit_forces;
    const Places3 x      = rods.places(q);
    Places3       result = Places3::Zero(3, x.cols());
    for (const Pair &pair : pairs)
      {
        const FourPoints points = four(x, pair.nodes);
        if (contact::distance(points) >= law.cutoff(pair.touching))
          continue;
        const Twelve slope =
          law.energy(points, pair.touching, Derivatives::first).gradient;
        for (int a = 0; a < 4; ++a)
          result.col(pair.nodes[a]) -= slope.segment<3>(3 * a);
      }
    return result;
  }

  RodContact::Overlap
  RodContact::deepest_overlap(const Vector &q) const
  {
    const Places3 x = rods.places(q);
    Overlap       result;
    for (std::size_t p = 0; p < pairs.size(); ++p)
      {
        const FourPoints points = four(x, pairs[p].nodes);
        const Nearest    near   = nearest_points(contact::products_of(points));
        const double     depth =
          pairs[p].touching - std::sqrt(near.squared_distance);
        if (depth <= result.depth)
          continue;
        const contact::Edge &a = rods.edges()[list[p].first],
                            &b = rods.edges()[list[p].second];
        result                 = {true,
                                  {a.chain, b.chain},
                                  {a.begin + near.t * (a.end - a.begin),
                                   b.begin + near.u * (b.end - b.begin)},
                                  depth,
                                  (1. - near.t) * points.col(0) + near.t * points.col(1)};
      }
    return result;
  }
} // namespace slender

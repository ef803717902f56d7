// SPDX-License-Identifier: LGPL-2.1-or-later
// Contact by forces that are corrected until nothing penetrates (Spillmann and
// Teschner 2008).
#include <slender/contact/rod_contact.h>

#include <algorithm>
#include <cmath>

namespace slender
{
  using contact::FourPoints;
  using contact::Nearest;

  void
  RodContact::correct_forces(const Places3 &x)
  {
    explicit_forces.setZero();
    for (std::size_t p = 0; p < pairs.size(); ++p)
      {
        const Pair      &pair   = pairs[p];
        const FourPoints points = four(x, pair.nodes);
        const Nearest    near   = nearest_points(contact::products_of(points));
        const double     d      = std::sqrt(near.squared_distance);
        const double     depth  = pair.touching - d;
        const Vector4    w      = contact::weights_of(near.t, near.u);
        if (d == 0. || (spt_forces[p] == 0. && depth <= 0.))
          continue;
        // Masses at the two points that would move apart by the depth.
        const contact::Edge *edge[2]  = {&rods.edges()[list[p].first],
                                         &rods.edges()[list[p].second]};
        double               mobility = 0.;
        for (int a = 0; a < 4; ++a)
          mobility += w(a) * w(a) /
                      (rods.chain(edge[a / 2]->chain).mass_per_length() *
                       (edge[a / 2]->end - edge[a / 2]->begin));
        if (std::abs(depth) > options.tolerance * radius)
          spt_forces[p] =
            std::max(0.,
                     spt_forces[p] + 0.5 * depth / (mobility * step * step));
        const Vector3 normal = points * w / d;
        Vector3       moved  = Vector3::Zero();
        for (int a = 0; a < 4; ++a)
          moved += w(a) * (x.col(pair.nodes[a]) - accepted.col(pair.nodes[a]));
        moved -= normal * normal.dot(moved);
        const Vector3 f =
          spt_forces[p] *
          (normal - options.friction * moved /
                      std::max(moved.norm(), options.creep_speed * step));
        for (int a = 0; a < 4; ++a)
          explicit_forces.col(pair.nodes[a]) += w(a) * f;
      }
  }
} // namespace slender

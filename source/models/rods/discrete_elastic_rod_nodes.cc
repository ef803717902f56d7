// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/rods/discrete_elastic_rod.h>

namespace slender
{
  Index
  DiscreteElasticRod::n_nodes() const
  {
    return n_edges + 1;
  }

  void
  DiscreteElasticRod::place_nodes(const Vector                &q,
                                  Eigen::Ref<Eigen::Matrix3Xd> x) const
  {
    const Index  n_free = layout().n_local();
    const double L      = body.length;
    for (Index i = 0; i <= n_edges; ++i)
      for (int c = 0; c < 3; ++c)
        {
          const Index p = positions[4 * i + c];
          x(c, i) = L * (p < n_free ? q(p) : prescribed_values(p - n_free));
        }
  }

  std::array<Index, 3>
  DiscreteElasticRod::node_unknowns(const Index node) const
  {
    std::array<Index, 3> result;
    for (int c = 0; c < 3; ++c)
      {
        const Index p = positions[4 * node + c];
        result[c]     = p < layout().n_local() ? p : -1;
      }
    return result;
  }

  double
  DiscreteElasticRod::node_unit() const
  {
    return body.length;
  }

  double
  DiscreteElasticRod::arc_length(const Index node) const
  {
    return body.length * rest_position(node);
  }

  double
  DiscreteElasticRod::section_radius() const
  {
    return body.radius;
  }

  double
  DiscreteElasticRod::mass_per_length() const
  {
    return body.mass_per_length;
  }

  double
  DiscreteElasticRod::bending_stiffness() const
  {
    return energy_unit() * body.length;
  }

  Vector
  DiscreteElasticRod::put_on(const Eigen::Matrix3Xd &x)
  {
    // Frames without twist, carried along the polygon from the first one.
    Vector4 frame   = sources[0].frame;
    Vector3 tangent = sources[0].tangent;
    for (Index i = 0; i < n_edges; ++i)
      {
        const Vector3 next = (x.col(i + 1) - x.col(i)).normalized();
        frame =
          quaternion::product(discrete_rod::carrier({tangent, frame}, next),
                              frame);
        frame.normalize();
        tangent    = quaternion::rotate(frame, Vector3::UnitX());
        sources[i] = {tangent, frame};
      }
    for (Index i = 0; i <= n_edges; ++i)
      joints[i].previous_twist = 0.;
    return map.collect([&](const Index i) {
      return i % 4 == 3 ? 0. : x(i % 4, i / 4) / body.length;
    });
  }
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/interpolated_masses.h>
#include <slender/models/rods/discrete_elastic_rod.h>

namespace slender
{
  /// Masses at the nodes or along the edges, and edges that resist being spun:
  /// the angle of an edge is a coordinate with the section's polar inertia.
  class DiscreteElasticRod::SpinningEdges : public InterpolatedMasses
  {
  public:
    explicit SpinningEdges(const DiscreteElasticRod &the_rod)
      : InterpolatedMasses(the_rod, the_rod.body.length)
      , rod(the_rod)
    {}

    Moments
    moments(const Vector &q, const Vector &rates) const override
    {
      Moments sum = InterpolatedMasses::moments(q, rates);
      for_each_angle(q, [&](const Index i, const Index edge, const Shape &s) {
        sum.angular_momentum +=
          the_masses(i) * rates(i) * s.edge(edge).normalized();
      });
      return sum;
    }

    Vector
    rates_in(const Vector &q, const VelocityField &field) const override
    {
      Vector dy = InterpolatedMasses::rates_in(q, field);
      for_each_angle(q, [&](const Index i, const Index edge, const Shape &sh) {
        const Vector3 t = sh.edge(edge).normalized();
        const Vector3 spin =
          field.spin(rod.body.length * 0.5 * (sh.x[edge] + sh.x[edge + 1]), t);
        dy(i) = spin.dot(t) - carried(edge, t, spin.cross(t));
      });
      return dy;
    }

    Vector
    frame_rates(const Vector &q, const Vector &direction) const override
    {
      const Vector full   = rod.full_state(q);
      const Shape  change = rod.shape_of(
        rod.map.extend(direction, Vector::Zero(rod.prescribed_values.size())));
      Vector dy = Vector::Zero(the_masses.size());
      for_each_angle(q, [&](const Index i, const Index edge, const Shape &sh) {
        const Vector3 e = sh.edge(edge), t = e.normalized();
        const Vector3 de = change.edge(edge);
        dy(i)            = carried(edge, t, (de - t * t.dot(de)) / e.norm());
      });
      return dy;
    }

  private:
    /// The angles are of the edges that this rank owns, in their order.
    template <class Action>
    void
    for_each_angle(const Vector &q, const Action &action) const
    {
      const Shape shape = rod.shape_of(rod.full_state(q));
      for (Index k = 0; k < n_scalars(); ++k)
        action(3 * n_points() + k, rod.begin + k, shape);
    }

    /// How fast the frame that is carried from an edge's source by the smallest
    /// rotation turns about the edge, whose direction t changes.
    double
    carried(const Index edge, const Vector3 &t, const Vector3 &t_rate) const
    {
      const Vector3 s = rod.sources[edge].tangent;
      return t.cross(s).dot(t_rate) / (1. + s.dot(t));
    }

    const DiscreteElasticRod &rod;
  };

  std::unique_ptr<Kinetics>
  DiscreteElasticRod::kinetics(const MassOptions &options) const
  {
    const double L = body.length;
    if (body.mass_per_length == 0.)
      throw InputError("a rod without mass cannot move", "Rod/Density");
    auto       result  = std::make_unique<SpinningEdges>(*this);
    const auto node_of = [&](const Index i) -> InterpolatedMasses::Node {
      const Index a = 4 * i;
      return {{positions[a], positions[a + 1], positions[a + 2]}};
    };
    const Index edges_end = std::min(end, n_edges);
    if (options.lumped)
      for (Index i = begin; i < end; ++i)
        result->add_node(node_of(i),
                         Vector3::Zero(),
                         body.mass_per_length * L * node_length[i]);
    else
      {
        // Two Gauss points on each edge.
        const double    g = 0.5 / std::sqrt(3.);
        Eigen::Matrix2d shapes;
        shapes << 0.5 + g, 0.5 - g, 0.5 - g, 0.5 + g;
        for (Index i = begin; i < edges_end; ++i)
          result->add_cell({node_of(i), node_of(i + 1)},
                           Eigen::Matrix3Xd::Zero(3, 2),
                           shapes,
                           Vector::Constant(2,
                                            0.5 * body.mass_per_length * L *
                                              rest_length[i]));
      }
    const double polar = body.rotary_1 + body.rotary_2;
    if (options.rotary && polar > 0.)
      for (Index i = begin; i < edges_end; ++i)
        result->add_scalar(positions[4 * i + 3], polar * L * rest_length[i]);
    result->finish();
    return result;
  }
} // namespace slender

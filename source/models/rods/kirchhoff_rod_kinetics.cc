// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/interpolated_masses.h>
#include <slender/models/rods/kirchhoff_kernel.h>
#include <slender/models/rods/kirchhoff_rod.h>

#include <map>

namespace slender
{
  using kirchhoff::Stretch;

  /**
   * Masses along the rod, and at each node the two directors d1 and d2 with the
   * second moments of the section as their masses: rigid sections have
   *
   *   T = 1/2 int (rho A |r'|^2 + rho I_1 |d1'|^2 + rho I_2 |d2'|^2) ds.
   *
   * The coordinates are |q|^2 d_k, quadratic functions of the quaternion. Its
   * length, which a nodal term of the energy keeps at one, thereby has an
   * inertia too, and the mass matrix is definite.
   */
  class KirchhoffRod::TurningSections : public Kinetics
  {
  public:
    TurningSections(const KirchhoffRod                 &the_rod,
                    std::unique_ptr<InterpolatedMasses> of_places,
                    const std::vector<double>          &node_lengths)
      : rod(the_rod)
      , places(std::move(of_places))
      , n_places(static_cast<Index>(places->masses().size()))
    {
      for (std::size_t i = 0; i < rod.nodes.size(); ++i)
        if (node_lengths[i] > 0.)
          nodes.push_back(&rod.nodes[i]);
      the_masses.resize(n_places + 6 * static_cast<Index>(nodes.size()));
      the_masses.head(n_places) = places->masses();
      Index at                  = n_places;
      for (const double length : node_lengths)
        if (length > 0.)
          for (const double rotary : {rod.body.rotary_1, rod.body.rotary_2})
            {
              the_masses.segment<3>(at).setConstant(rotary * length);
              at += 3;
            }
    }

    bool
    is_linear() const override
    {
      return false;
    }

    Vector
    coordinates(const Vector &q) const override
    {
      const Vector full = rod.full_state(q);
      return collected(places->coordinates(q), [&](const Node &node, int k) {
        return Stretch::scaled_rotation(rod.node_frame(node, full),
                                        Vector3::Unit(k));
      });
    }

    Vector
    rates(const Vector &q, const Vector &direction) const override
    {
      const Vector full = rod.full_state(q), change = full_rates(direction);
      return collected(
        places->rates(q, direction), [&](const Node &node, int k) -> Vector3 {
          return Stretch::scaled_rotation_gradient(rod.node_frame(node, full),
                                                   Vector3::Unit(k)) *
                 rod.node_frame(node, change);
        });
    }

    Vector
    second_rates(const Vector & /*q*/, const Vector &direction) const override
    {
      const Vector change = full_rates(direction);
      return collected(
        Vector::Zero(n_places), [&](const Node &node, int k) -> Vector3 {
          return 2. * Stretch::scaled_rotation(rod.node_frame(node, change),
                                               Vector3::Unit(k));
        });
    }

    void
    pull_back(const Vector &q,
              const Vector &forces,
              Vector       &gradient) const override
    {
      places->pull_back(q, forces, gradient);
      const Vector full = rod.full_state(q);
      Vector       g    = Vector::Zero(full.size());
      Index        at   = n_places;
      for (const Node *node : nodes)
        {
          const Vector4 frame = rod.node_frame(*node, full);
          for (const int k : {1, 2})
            {
              const Vector4 f =
                Stretch::scaled_rotation_gradient(frame, Vector3::Unit(k))
                  .transpose() *
                forces.segment<3>(at);
              for (int c = 0; c < 4; ++c)
                g(node->positions[c]) += f(c);
              at += 3;
            }
        }
      gradient += rod.to_unknowns(g).head(rod.layout().n_local());
    }

    void
    add_hessian(const Vector &q,
                const double  factor,
                const Vector &forces,
                HessianSink  &sink) const override
    {
      places->add_hessian(q, factor, forces, sink);
      const Vector full = rod.full_state(q);
      Index        at   = n_places;
      for (const Node *node : nodes)
        {
          const Vector4   frame = rod.node_frame(*node, full);
          Eigen::Matrix4d H     = Eigen::Matrix4d::Zero();
          for (const int k : {1, 2})
            {
              const Vector3              axis = Vector3::Unit(k);
              const Vector3              f    = forces.segment<3>(at);
              const quaternion::Matrix34 B =
                Stretch::scaled_rotation_gradient(frame, axis);
              H += factor * the_masses(at) * B.transpose() * B;
              // The gradient of a quadratic form is linear.
              for (int c = 0; c < 4; ++c)
                H.col(c) +=
                  Stretch::scaled_rotation_gradient(Vector4::Unit(c), axis)
                    .transpose() *
                  f;
              at += 3;
            }
          rod.add_node_block(*node, H, sink);
        }
    }

    Moments
    moments(const Vector &q, const Vector &rates) const override
    {
      Moments      sum = places->moments(q, rates);
      const Vector y   = coordinates(q);
      for (Index at = n_places; at < y.size(); at += 3)
        sum.angular_momentum +=
          the_masses(at) *
          Vector3(y.segment<3>(at)).cross(Vector3(rates.segment<3>(at)));
      return sum;
    }

    Vector
    rates_in(const Vector &q, const VelocityField &field) const override
    {
      const Vector full = rod.full_state(q);
      return collected(
        places->rates_in(q, field), [&](const Node &node, int k) -> Vector3 {
          const Vector4 frame = rod.node_frame(node, full);
          Vector3       x;
          for (int c = 0; c < 3; ++c)
            x(c) = rod.body.length * full(node.positions[4 + c]);
          const Vector3 t = quaternion::rotate(frame, Vector3::UnitX());
          return field.spin(x, t.normalized())
            .cross(Stretch::scaled_rotation(frame, Vector3::Unit(k)));
        });
    }

  private:
    Vector
    full_rates(const Vector &direction) const
    {
      return rod.to_quaternions(
        rod.map.extend(direction, Vector::Zero(rod.prescribed_values.size())));
    }

    /// [places | values of both directors at all nodes].
    template <class Function>
    Vector
    collected(const Vector &of_places, const Function &value) const
    {
      Vector y(the_masses.size());
      y.head(n_places) = of_places;
      Index at         = n_places;
      for (const Node *node : nodes)
        for (const int k : {1, 2})
          {
            y.segment<3>(at) = value(*node, k);
            at += 3;
          }
      return y;
    }

    const KirchhoffRod                 &rod;
    std::unique_ptr<InterpolatedMasses> places;
    Index                               n_places;
    std::vector<const Node *>           nodes;
  };

  std::unique_ptr<Kinetics>
  KirchhoffRod::kinetics(const MassOptions &options) const
  {
    const double L = body.length;
    if (body.mass_per_length == 0.)
      throw InputError("a rod without mass cannot move", "Rod/Density");

    auto       places   = std::make_unique<InterpolatedMasses>(*this, L);
    const auto place_of = [](const auto &positions, const int first) {
      return InterpolatedMasses::Node{
        {positions[first + 4], positions[first + 5], positions[first + 6]}};
    };
    // Integrals of the shape functions, each rank's part of them. Those of the
    // nodes, which are Gauss and Lobatto's, are positive.
    std::map<Index, double> lengths; // by the position of a node's first number
    for (const Element &element : elements)
      {
        std::vector<InterpolatedMasses::Node> its_nodes;
        const auto      n = static_cast<Index>(element.bending.size());
        Eigen::MatrixXd shapes(n, degree + 1);
        Vector          masses(n);
        for (int a = 0; a <= degree; ++a)
          its_nodes.push_back(place_of(element.positions, 7 * a));
        for (Index p = 0; p < n; ++p)
          {
            shapes.row(p) = element.bending[p].shape.row(0);
            masses(p) = body.mass_per_length * L * element.bending[p].weight;
            for (int a = 0; a <= degree; ++a)
              lengths[element.positions[7 * a]] +=
                L * element.bending[p].weight * shapes(p, a);
          }
        if (!options.lumped)
          places->add_cell(its_nodes,
                           Eigen::Matrix3Xd::Zero(3, degree + 1),
                           shapes,
                           masses);
      }
    std::vector<double> node_lengths;
    for (const Node &node : nodes)
      {
        node_lengths.push_back(lengths[node.positions[0]]);
        if (options.lumped && node_lengths.back() > 0.)
          places->add_node(place_of(node.positions, 0),
                           Vector3::Zero(),
                           body.mass_per_length * node_lengths.back());
      }
    places->finish();
    if (!options.rotary || (body.rotary_1 == 0. && body.rotary_2 == 0.))
      return places;
    return std::make_unique<TurningSections>(*this,
                                             std::move(places),
                                             node_lengths);
  }
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/rods/discrete_elastic_rod.h>
#include <slender/models/rods/discrete_numbering.h>

namespace slender
{
  using namespace discrete_rod;

  double
  DiscreteElasticRod::energy(const Vector &q) const
  {
    const Shape   shape  = shape_of(full_state(q));
    const Vector3 weight = weight_per_length();

    double sum = 0.;
    along_the_rod(
      begin,
      end,
      [&](const Index edge) { return frame_of_edge(shape, edge); },
      [&](const Index i, const Vector4 *before, const Vector4 *behind) {
        sum -= node_length[i] * weight.dot(shape.x[i]);
        if (i < n_edges)
          sum += 0.5 * stiffness_of_stretch() * rest_length[i] *
                 std::pow(shape.edge(i).norm() / rest_length[i] - 1. -
                            natural_stretch(i),
                          2);
        if (is_joint(i))
          {
            const auto [frame_0, frame_1] = frames_at_joint(before, behind);
            sum += discrete_rod::joint_energy(joint_at(i), frame_0, frame_1);
          }
        if (const auto *hinge = hinge_at(i))
          sum += hinge->energy(i == 0 ? *behind : *before);
        if (i == n_edges)
          {
            if (!force_follows())
              sum -= end_force().dot(shape.x[i]);
            if (end_moment() != 0. && !moment_is_fixed())
              sum -= end_moment() *
                     moment_potential.angle(frame_of_edge(shape, i - 1));
          }
      });
    return sum;
  }

  void
  DiscreteElasticRod::add_joint_gradient(const Joint     &joint,
                                         const Index      i,
                                         const EdgeFrame *before,
                                         const EdgeFrame *behind,
                                         Vector          &g) const
  {
    static const auto B   = edge_map();
    const auto        add = [&](const auto &dofs, const auto &values) {
      for (std::size_t k = 0; k < dofs.size(); ++k)
        g(positions[dofs[k]]) += values(static_cast<Index>(k));
    };
    if (before && behind)
      {
        add(joint_dofs(i),
            to_joint_unknowns(
              discrete_rod::joint_gradient(joint, *before, *behind)));
        return;
      }
    const EdgeFrame     clamp = clamp_frame(i);
    const JointGradient j =
      i == 0 ? discrete_rod::joint_gradient(joint, clamp, *behind)
             : discrete_rod::joint_gradient(joint, *before, clamp);
    const Vector4 of_edge =
      i == 0 ? Vector4(j.tail<4>()) : Vector4(j.head<4>());
    add(edge_dofs(edge_at_end(i)), B.transpose() * of_edge);
  }

  void
  DiscreteElasticRod::add_gradient(const Shape &shape,
                                   const Index  first,
                                   const Index  last,
                                   Vector      &g) const
  {
    static const auto B = edge_map();

    const Vector3 weight = weight_per_length();
    const auto    add    = [&](const auto &dofs, const auto &values) {
      for (std::size_t i = 0; i < dofs.size(); ++i)
        g(positions[dofs[i]]) += values(static_cast<Index>(i));
    };
    const auto add_to_node = [&](const Index node, const Vector3 &force) {
      for (int c = 0; c < 3; ++c)
        g(positions[dof(node, c)]) += force(c);
    };

    along_the_rod(
      first,
      last,
      [&](const Index edge) {
        return EdgeFrame(sources[edge], shape.edge(edge), shape.theta[edge]);
      },
      [&](const Index i, const EdgeFrame *before, const EdgeFrame *behind) {
        add_to_node(i, -node_length[i] * weight);
        if (i < n_edges)
          {
            const Vector3 e      = shape.edge(i);
            const double  length = e.norm();
            const Vector3 tension =
              stiffness_of_stretch() *
              (length / rest_length[i] - 1. - natural_stretch(i)) / length * e;
            add_to_node(i, -tension);
            add_to_node(i + 1, tension);
          }
        if (is_joint(i))
          add_joint_gradient(joint_at(i), i, before, behind, g);
        if (const auto *hinge = hinge_at(i))
          {
            const EdgeFrame &rod = i == 0 ? *behind : *before;
            add(edge_dofs(edge_at_end(i)),
                B.transpose() *
                  (rod.gradient.transpose() * hinge->gradient(rod.frame)));
          }
        if (i == n_edges)
          {
            add_to_node(i,
                        force_follows()
                          ? Vector3(-following_force(before->frame).force)
                          : Vector3(-end_force()));
            if (end_moment() != 0.)
              add(edge_dofs(i - 1),
                  B.transpose() *
                    (before->gradient.transpose() *
                     (moment_is_fixed()
                        ? Vector4(-fixed_moment(before->frame).force)
                        : Vector4(-end_moment() *
                                  moment_potential.gradient(before->frame)))));
          }
      });
  }

  Vector
  DiscreteElasticRod::gradient(const Vector &q) const
  {
    const Vector extended = full_state(q);
    Vector       g        = Vector::Zero(extended.size());
    add_gradient(shape_of(extended), begin, end, g);
    return g.head(layout().n_local());
  }
} // namespace slender

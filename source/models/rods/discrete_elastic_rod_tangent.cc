// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/rods/discrete_elastic_rod.h>
#include <slender/models/rods/discrete_numbering.h>

namespace slender
{
  using namespace discrete_rod;

  void
  DiscreteElasticRod::hessian(const Vector &q, HessianSink &sink) const
  {
    const Shape shape = shape_of(full_state(q));
    add_stretch_tangent(shape, nullptr, sink);
    add_joint_tangent(shape, sink);
  }

  void
  DiscreteElasticRod::newton_tangent(const Vector &q,
                                     const Vector &previous,
                                     HessianSink  &sink) const
  {
    const Shape shape          = shape_of(full_state(q));
    const Shape previous_shape = shape_of(previous);
    add_stretch_tangent(shape, &previous_shape, sink);
    add_joint_tangent(shape, sink);
  }

  Vector
  DiscreteElasticRod::hessian_times(const Vector &q,
                                    const Vector &direction) const
  {
    const Shape shape = shape_of(full_state(q));
    // Prescribed values do not change.
    const Shape change =
      shape_of(map.extend(direction, Vector::Zero(prescribed_values.size())));

    HessianMultiplier joints_product(direction);
    add_joint_tangent(shape, joints_product);
    Vector product = map.extend(joints_product.product(),
                                Vector::Zero(prescribed_values.size()));
    for (Index i = begin; i < std::min(end, n_edges); ++i)
      {
        const Vector3 e      = shape.edge(i);
        const double  length = e.norm();
        const Vector3 t      = e / length;
        const Vector3 de     = change.edge(i);
        const double strain = length / rest_length[i] - 1. - natural_stretch(i);
        const Vector3 dn =
          stiffness_of_stretch() * (t.dot(de) / rest_length[i] * t +
                                    strain / length * (de - t.dot(de) * t));
        for (int c = 0; c < 3; ++c)
          {
            product(positions[dof(i, c)]) -= dn(c);
            product(positions[dof(i + 1, c)]) += dn(c);
          }
      }
    return product.head(layout().n_local());
  }

  template <int n>
  void
  DiscreteElasticRod::add_block(const std::array<Index, n>        &dofs,
                                const Eigen::Matrix<double, n, n> &block,
                                HessianSink                       &sink) const
  {
    std::array<Index, n> unknowns;
    for (int i = 0; i < n; ++i)
      unknowns[i] =
        positions[dofs[i]] < layout().n_local() ? positions[dofs[i]] : -1;
    sink.add(unknowns.data(), n, block.data());
  }

  void
  DiscreteElasticRod::add_stretch_tangent(const Shape &shape,
                                          const Shape *previous,
                                          HessianSink &sink) const
  {
    for (Index i = begin; i < std::min(end, n_edges); ++i)
      {
        const Vector3 e      = shape.edge(i);
        double        strain = e.norm() / rest_length[i] - 1.;
        if (previous)
          {
            const Vector3 e0 = previous->edge(i);
            strain =
              (e0.norm() + e0.dot(e - e0) / e0.norm()) / rest_length[i] - 1.;
          }
        add_stretch_hessian(
          i, e, stiffness_of_stretch(), strain - natural_stretch(i), sink);
      }
  }

  void
  DiscreteElasticRod::add_stretch_hessian(const Index    i,
                                          const Vector3 &e,
                                          const double   stiffness,
                                          const double   strain,
                                          HessianSink   &sink) const
  {
    const double          length = e.norm();
    const Vector3         t      = e / length;
    const Eigen::Matrix3d along  = t * t.transpose();
    const Eigen::Matrix3d K =
      stiffness * (along / rest_length[i] +
                   strain / length * (Eigen::Matrix3d::Identity() - along));
    Eigen::Matrix<double, 6, 6> block;
    block << K, -K, -K, K;
    const Index a = dof(i, 0);
    add_block<6>({{a, a + 1, a + 2, a + 4, a + 5, a + 6}}, block, sink);
  }

  void
  DiscreteElasticRod::add_joint_hessian(const Joint     &joint,
                                        const Index      i,
                                        const EdgeFrame *before,
                                        const EdgeFrame *behind,
                                        HessianSink     &sink) const
  {
    static const auto B = edge_map();
    JointHessian      H;
    if (before && behind)
      {
        discrete_rod::joint_gradient(joint, *before, *behind, &H);
        add_block<11>(joint_dofs(i), to_joint_unknowns(H), sink);
        return;
      }
    const EdgeFrame clamp = clamp_frame(i);
    Eigen::Matrix4d of_edge;
    if (i == 0)
      {
        discrete_rod::joint_gradient(joint, clamp, *behind, &H);
        of_edge = H.bottomRightCorner<4, 4>();
      }
    else
      {
        discrete_rod::joint_gradient(joint, *before, clamp, &H);
        of_edge = H.topLeftCorner<4, 4>();
      }
    add_block<7>(edge_dofs(edge_at_end(i)), B.transpose() * of_edge * B, sink);
  }

  void
  DiscreteElasticRod::add_joint_tangent(const Shape &shape,
                                        HessianSink &sink) const
  {
    static const auto B = edge_map();

    along_the_rod(
      begin,
      end,
      [&](const Index edge) {
        return EdgeFrame(sources[edge], shape.edge(edge), shape.theta[edge]);
      },
      [&](const Index i, const EdgeFrame *before, const EdgeFrame *behind) {
        if (is_joint(i))
          add_joint_hessian(joint_at(i), i, before, behind, sink);
        if (const auto *hinge = hinge_at(i))
          {
            const EdgeFrame      &rod = i == 0 ? *behind : *before;
            const Eigen::Matrix4d of_edge =
              rod.gradient.transpose() * hinge->hessian(rod.frame) *
                rod.gradient +
              discrete_rod::frame_curvature(rod, hinge->gradient(rod.frame));
            add_block<7>(edge_dofs(edge_at_end(i)),
                         B.transpose() * of_edge * B,
                         sink);
          }
        if (i == n_edges && end_moment() != 0.)
          {
            const EdgeFrame &last    = *before;
            Vector4          force   = moment_potential.gradient(last.frame);
            Eigen::Matrix4d  rate    = moment_potential.hessian(last.frame);
            double           applied = end_moment();
            if (moment_is_fixed())
              {
                const auto fixed = fixed_moment(last.frame);
                force            = fixed.force;
                rate             = fixed.rate;
                applied          = 1.;
              }
            const Eigen::Matrix4d of_edge =
              last.gradient.transpose() * rate * last.gradient +
              discrete_rod::frame_curvature(last, force);
            add_block<7>(edge_dofs(i - 1),
                         -applied * (B.transpose() * of_edge * B),
                         sink);
          }
        if (i == n_edges && force_follows())
          {
            // The force acts on the last node, and turns with the edge before.
            Eigen::Matrix<double, 7, 7> block;
            block.setZero();
            block.bottomRows<3>() =
              -following_force(before->frame).rate * before->gradient * B;
            add_block<7>(edge_dofs(i - 1), block, sink);
          }
      });
  }
} // namespace slender

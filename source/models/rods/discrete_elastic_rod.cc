// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/rods/discrete_elastic_rod.h>
#include <slender/models/rods/held_end.h>

namespace slender
{
  namespace
  {
    using discrete_rod::JointGradient;
    using discrete_rod::JointHessian;

    /// An edge that has turned by more than this from its source gets a new
    /// one [rad]; the smallest rotation is singular at half a turn only.
    constexpr double largest_turn = 1.;

    /// Degrees of freedom of node i: x_i, then the angle of the edge behind.
    Index
    dof(const Index node, const int component)
    {
      return 4 * node + component;
    }

    /// Those of an inner joint: x, theta, x, theta, x.
    std::array<Index, 11>
    joint_dofs(const Index node)
    {
      std::array<Index, 11> dofs;
      for (int i = 0; i < 11; ++i)
        dofs[i] = dof(node - 1, 0) + i;
      return dofs;
    }

    /// Those of a joint between an edge and a clamp: x, theta, x.
    std::array<Index, 7>
    edge_dofs(const Index edge)
    {
      std::array<Index, 7> dofs;
      for (int i = 0; i < 7; ++i)
        dofs[i] = dof(edge, 0) + i;
      return dofs;
    }

    /// d(e, theta)/d(x, theta, x') of one edge.
    Eigen::Matrix<double, 4, 7>
    edge_map()
    {
      Eigen::Matrix<double, 4, 7> B = Eigen::Matrix<double, 4, 7>::Zero();
      B.block<3, 3>(0, 0)           = -Eigen::Matrix3d::Identity();
      B.block<3, 3>(0, 4)           = Eigen::Matrix3d::Identity();
      B(3, 3)                       = 1.;
      return B;
    }

    /// From the derivative with respect to (e0, theta0, e1, theta1) to that
    /// with respect to the eleven unknowns of an inner joint; cheaper than the
    /// product with the matrix that it stands for.
    Eigen::Matrix<double, 11, 1>
    to_joint_unknowns(const JointGradient &g)
    {
      Eigen::Matrix<double, 11, 1> result;
      result.segment<3>(0) = -g.segment<3>(0);
      result(3)            = g(3);
      result.segment<3>(4) = g.segment<3>(0) - g.segment<3>(4);
      result(7)            = g(7);
      result.segment<3>(8) = g.segment<3>(4);
      return result;
    }

    Eigen::Matrix<double, 11, 11>
    to_joint_unknowns(const JointHessian &H)
    {
      Eigen::Matrix<double, 11, 8> half;
      for (int j = 0; j < 8; ++j)
        half.col(j) = to_joint_unknowns(JointGradient(H.col(j)));
      Eigen::Matrix<double, 11, 11> result;
      for (int i = 0; i < 11; ++i)
        result.row(i) =
          to_joint_unknowns(JointGradient(half.row(i).transpose())).transpose();
      return result;
    }
  } // namespace

  DiscreteElasticRod::DiscreteElasticRod(
    const RodBody                          &rod_body,
    const DiscreteElasticRodDiscretisation &discretisation,
    MPI_Comm                                communicator)
    : RodModel(rod_body)
    , n_edges(discretisation.segments)
    , grading(discretisation.grading)
    , constraint_stiffness(discretisation.constraint_stiffness)
  {
    refuse_shear();
    distribute(communicator);
    const Index edges_end = std::min(read_end, n_edges);
    rest_length           = Window<double>(read_begin, edges_end);
    node_length           = Window<double>(read_begin, read_end);
    sources               = Window<Source>(read_begin, edges_end);
    joints                = Window<Joint>(read_begin, read_end);
    for (Index i = read_begin; i < read_end; ++i)
      {
        const double s = rest_position(i);
        if (i > 0)
          node_length[i] += (s - rest_position(i - 1)) / 2;
        if (i < n_edges)
          {
            const double next = rest_position(i + 1);
            rest_length[i]    = next - s;
            node_length[i] += rest_length[i] / 2;
            sources[i].frame = initial_placement((s + next) / 2).frame;
            sources[i].tangent =
              quaternion::rotate(sources[i].frame, Vector3::UnitX());
          }
      }
    clamps[0].exists = body.start.rotation == RodEnd::Rotation::fixed;
    clamps[1].exists = body.end.rotation == RodEnd::Rotation::fixed;
    build_map(communicator);
    moment_potential = MomentPotential(
      body.end_moment_axis,
      initial_placement((rest_position(n_edges - 1) + 1.) / 2).frame);
    parameters_changed();
  }

  double
  DiscreteElasticRod::rest_position(const Index node) const
  {
    return graded_point(node, n_edges, grading);
  }

  bool
  DiscreteElasticRod::holds_node(const Index node) const
  {
    return node >= read_begin && node < read_end;
  }

  void
  DiscreteElasticRod::distribute(MPI_Comm communicator)
  {
    int rank, n_ranks;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &n_ranks);
    const Index n_nodes = n_edges + 1;
    begin               = static_cast<Index>(1L * n_nodes * rank / n_ranks);
    end        = static_cast<Index>(1L * n_nodes * (rank + 1) / n_ranks);
    read_begin = end > begin ? std::max(begin - 1, 0) : begin;
    read_end   = end > begin ? std::min(end + 1, n_nodes) : end;
  }

  void
  DiscreteElasticRod::build_map(MPI_Comm communicator)
  {
    const Index        n_dofs = 4 * n_edges + 3;
    std::vector<Index> prescribed, relevant;
    for (const RodSide side : {RodSide::start, RodSide::end})
      {
        const bool    at_start = side == RodSide::start;
        const RodEnd &held     = at_start ? body.start : body.end;
        const Index   node     = at_start ? 0 : n_edges;
        for (int c = 0; c < 3; ++c)
          if (held.position_fixed[c])
            prescribed.push_back(dof(node, c));
      }
    const Index first_dof = dof(read_begin, 0),
                last_dof  = std::min(dof(read_end, 0), n_dofs);
    for (Index i = first_dof; i < last_dof; ++i)
      if (i < dof(begin, 0) || i >= dof(end, 0))
        relevant.push_back(i);

    map       = UnknownMap(communicator,
                     n_dofs,
                     std::min(dof(begin, 0), n_dofs),
                     std::min(dof(end, 0), n_dofs),
                     relevant,
                     prescribed);
    positions = Window<Index>(first_dof, last_dof);
    for (Index i = first_dof; i < last_dof; ++i)
      positions[i] = map.position(i);
  }

  void
  DiscreteElasticRod::parameters_changed()
  {
    stretch_stiffness = axial_stiffness(constraint_stiffness);
    for (Index i = read_begin; i < read_end; ++i)
      {
        joints[i].stiffness = curvature_stiffness();
        joints[i].length    = node_length[i];
        // Integrated in the measure of the joint, so that the polygon of the
        // natural shape is free of stress.
        joints[i].natural =
          discrete_rod::strain_between(Vector4::UnitX(),
                                       quaternion::from_rotation_vector(
                                         natural_strain() * node_length[i]),
                                       natural_strain()(0) * node_length[i]);
      }

    const Placement held[2] = {held_placement(RodSide::start),
                               held_placement(RodSide::end)};
    for (const bool at_end : {false, true})
      {
        using discrete_rod::Hinge;
        const RodEnd &end_of_rod = at_end ? body.end : body.start;
        const Index   node       = at_end ? n_edges : 0;
        Clamp        &clamp      = clamps[at_end];
        clamp.frame              = held[at_end].frame;
        if (const std::optional<int> axis = hinge_axis(end_of_rod.rotation);
            axis && holds_node(node))
          clamp.hinge.emplace(*axis,
                              clamp.frame,
                              joints[node],
                              quaternion::from_rotation_vector(
                                natural_strain() * node_length[node]),
                              at_end ? Hinge::Side::behind_the_edge
                                     : Hinge::Side::before_the_edge);
      }

    const auto &dofs = map.prescribed_dofs();
    prescribed_values.resize(static_cast<Index>(dofs.size()));
    for (std::size_t i = 0; i < dofs.size(); ++i)
      prescribed_values(static_cast<Index>(i)) =
        held[dofs[i] / 4 == n_edges].position(dofs[i] % 4);
  }

  const Layout &
  DiscreteElasticRod::layout() const
  {
    return map.layout();
  }

  Vector
  DiscreteElasticRod::full_state(const Vector &q) const
  {
    return map.extend(q, prescribed_values);
  }

  std::vector<Vector>
  DiscreteElasticRod::free_motions(const Vector &q) const
  {
    const Shape         shape = shape_of(full_state(q));
    std::vector<Vector> result;
    const auto          add = [&](const auto &of_node, const auto &of_edge) {
      result.emplace_back(Vector::Zero(layout().n_local()));
      const auto set = [&](const Index i, const double rate) {
        if (positions[i] < layout().n_local())
          result.back()(positions[i]) = rate;
      };
      for (Index i = read_begin; i < read_end; ++i)
        {
          const Vector3 rate = of_node(shape.x[i]);
          for (int c = 0; c < 3; ++c)
            set(dof(i, c), rate(c));
          if (i + 1 < read_end)
            set(dof(i, 3), of_edge(i));
        }
    };
    const auto zero = [](const auto &) { return 0.; };
    for (int c = 0; c < 3; ++c)
      {
        const Vector3 e = Vector3::Unit(c);
        add([&](const Vector3 &) { return e; }, zero);
        // The frame is carried along with the edge as it turns. What is left
        // for the angle is the rest of the spin e.t about the tangent.
        add([&](const Vector3 &x) { return e.cross(x).eval(); },
            [&](const Index i) {
              const Vector3   edge = shape.edge(i);
              const EdgeFrame frame(sources[i], edge, shape.theta[i]);
              const Vector4   rate =
                frame.gradient.leftCols<3>() * e.cross(edge).eval();
              const Vector3 turn =
                2. / frame.frame.squaredNorm() *
                quaternion::product(rate, quaternion::conjugate(frame.frame))
                  .tail<3>();
              return (e - turn).dot(edge.normalized());
            });
      }
    add([](const Vector3 &) { return Vector3::Zero().eval(); },
        [](const auto &) { return 1.; });
    return result;
  }

  Vector
  DiscreteElasticRod::initial_state() const
  {
    Index   node = -1; // whose position was computed last
    Vector3 position;
    return map.collect([&](const Index i) {
      if (i % 4 == 3)
        return 0.;
      if (i / 4 != node)
        {
          node     = i / 4;
          position = initial_placement(rest_position(node)).position;
        }
      return position(i % 4);
    });
  }

  DiscreteElasticRod::Shape
  DiscreteElasticRod::shape_of(const Vector &extended) const
  {
    Shape shape;
    shape.x     = Window<Vector3>(read_begin, read_end);
    shape.theta = Window<double>(read_begin, std::min(read_end, n_edges));
    for (Index i = read_begin; i < read_end; ++i)
      {
        for (int c = 0; c < 3; ++c)
          shape.x[i](c) = extended(positions[dof(i, c)]);
        if (i < n_edges)
          shape.theta[i] = extended(positions[dof(i, 3)]);
      }
    return shape;
  }

  Vector4
  DiscreteElasticRod::frame_of_edge(const Shape &shape, const Index i) const
  {
    return discrete_rod::edge_frame(sources[i], shape.edge(i), shape.theta[i]);
  }

  DiscreteElasticRod::EdgeFrame
  DiscreteElasticRod::clamp_frame(const Index node) const
  {
    const Vector4 frame   = clamps[node != 0].frame;
    const Vector3 tangent = quaternion::rotate(frame, Vector3::UnitX());
    return EdgeFrame({tangent, frame}, tangent, 0.);
  }

  bool
  DiscreteElasticRod::is_joint(const Index node) const
  {
    return node == 0         ? clamps[0].exists
           : node == n_edges ? clamps[1].exists
                             : true;
  }

  const discrete_rod::Hinge *
  DiscreteElasticRod::hinge_at(const Index node) const
  {
    if (node != 0 && node != n_edges)
      return nullptr;
    const auto &hinge = clamps[node != 0].hinge;
    return hinge ? &*hinge : nullptr;
  }

  Index
  DiscreteElasticRod::edge_at_end(const Index node) const
  {
    return node == 0 ? 0 : n_edges - 1;
  }

  std::pair<const Vector4 &, const Vector4 &>
  DiscreteElasticRod::frames_at_joint(const Vector4 *before,
                                      const Vector4 *behind) const
  {
    return {before ? *before : clamps[0].frame,
            behind ? *behind : clamps[1].frame};
  }

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

  bool
  DiscreteElasticRod::owns_end_load() const
  {
    return begin <= n_edges && n_edges < end;
  }

  std::optional<Vector4>
  DiscreteElasticRod::loaded_frame(const Vector &q) const
  {
    if (!owns_end_load())
      return {};
    return frame_of_edge(shape_of(full_state(q)), n_edges - 1);
  }

  Index
  DiscreteElasticRod::read_edges_end() const
  {
    return std::max(read_begin, read_end - 1);
  }

  bool
  DiscreteElasticRod::commit(const Vector &q)
  {
    RodModel::commit(q);
    int         has_new_source = 0;
    const Shape shape          = shape_of(full_state(q));
    along_the_rod(
      begin,
      end,
      [&](const Index edge) { return frame_of_edge(shape, edge); },
      [&](const Index i, const Vector4 *before, const Vector4 *behind) {
        if (is_joint(i))
          {
            const auto [frame_0, frame_1] = frames_at_joint(before, behind);
            joints[i].previous_twist =
              discrete_rod::strain_between(frame_0,
                                           frame_1,
                                           joints[i].previous_twist)(0);
          }
      });
    for (Index i = read_begin; i + 1 < read_end; ++i)
      {
        const Vector3 tangent = shape.edge(i).normalized();
        if (tangent.dot(sources[i].tangent) < std::cos(largest_turn))
          {
            sources[i].frame =
              quaternion::product(discrete_rod::carrier(sources[i], tangent),
                                  sources[i].frame);
            sources[i].frame.normalize();
            // As a restored history has it, to the last digit.
            sources[i].tangent =
              quaternion::rotate(sources[i].frame, Vector3::UnitX());
            has_new_source = 1;
          }
      }
    MPI_Allreduce(MPI_IN_PLACE,
                  &has_new_source,
                  1,
                  MPI_INT,
                  MPI_LOR,
                  layout().communicator);
    return has_new_source != 0;
  }

  Vector
  DiscreteElasticRod::history() const
  {
    const Vector of_any_rod = RodModel::history();
    const Index  n_read     = read_edges_end() - read_begin;
    Vector       mine(4 * n_read + (end - begin) + of_any_rod.size());
    for (Index i = 0; i < n_read; ++i)
      mine.segment<4>(4 * i) = sources[read_begin + i].frame;
    for (Index i = begin; i < end; ++i)
      mine(4 * n_read + i - begin) = joints[i].previous_twist;
    mine.tail(of_any_rod.size()) = of_any_rod;
    return mine;
  }

  void
  DiscreteElasticRod::set_history(const Vector &mine)
  {
    const Index n_read = read_edges_end() - read_begin;
    for (Index i = 0; i < n_read; ++i)
      {
        Source &source = sources[read_begin + i];
        source.frame   = mine.segment<4>(4 * i);
        source.tangent = quaternion::rotate(source.frame, Vector3::UnitX());
      }
    for (Index i = begin; i < end; ++i)
      joints[i].previous_twist = mine(4 * n_read + i - begin);
    RodModel::set_history(mine.tail(mine.size() - 4 * n_read - (end - begin)));
  }

  Places
  DiscreteElasticRod::history_places() const
  {
    // [frames of all edges | twists of all joints | what any rod has]
    Places     places;
    const auto add = [&places](const std::int64_t place) {
      places.numbers.push_back(static_cast<Index>(places.places.size()));
      places.places.push_back(place);
    };
    for (Index i = read_begin; i < read_edges_end(); ++i)
      for (int c = 0; c < 4; ++c)
        add(std::int64_t(4) * i + c);
    const std::int64_t twists = std::int64_t(4) * n_edges;
    for (Index i = begin; i < end; ++i)
      add(twists + i);
    const Places       of_any_rod = RodModel::history_places();
    const std::int64_t first      = twists + n_edges + 1;
    for (const std::int64_t place : of_any_rod.places)
      add(first + place);
    places.size = first + of_any_rod.size;
    return places;
  }

  std::vector<RodStation>
  DiscreteElasticRod::local_stations(const Vector &q) const
  {
    const Shape  shape = shape_of(full_state(q));
    const double L     = body.length;

    struct Edge
    {
      Vector4 frame;
      double  stretch;
    };
    std::vector<RodStation> mine;
    mine.reserve(end - begin);
    along_the_rod(
      begin,
      end,
      [&](const Index edge) {
        return Edge{frame_of_edge(shape, edge),
                    shape.edge(edge).norm() / rest_length[edge] - 1.};
      },
      [&](const Index i, const Edge *before, const Edge *behind) {
        RodStation station;
        station.arc_length = L * rest_position(i);
        station.position   = L * shape.x[i];
        station.frame      = Vector4::Zero();
        station.stretch    = 0.;
        const double share = before && behind ? 0.5 : 1.;
        for (const Edge *edge : {before, behind})
          if (edge)
            {
              station.frame += edge->frame.normalized();
              station.stretch += share * edge->stretch;
            }
        station.frame.normalize();

        // A free end bears no moment.
        Vector3 integrated = joints[i].natural;
        if (is_joint(i))
          {
            const auto [frame_0, frame_1] =
              frames_at_joint(before ? &before->frame : nullptr,
                              behind ? &behind->frame : nullptr);
            integrated = discrete_rod::strain_between(frame_0,
                                                      frame_1,
                                                      joints[i].previous_twist);
            if (!before || !behind)
              station.frame = (behind ? frame_0 : frame_1).normalized();
          }
        if (const auto *hinge = hinge_at(i))
          {
            const Vector4 &edge = (i == 0 ? behind : before)->frame;
            integrated += hinge->elastic_strain(edge);
            station.frame = hinge->frame(edge).normalized();
          }
        station.strain        = integrated / node_length[i] / L;
        const Vector3 elastic = integrated - joints[i].natural;
        station.energy_density =
          energy_unit() / L * 0.5 *
          (elastic.dot(joints[i].stiffness.cwiseProduct(elastic)) /
             std::pow(node_length[i], 2) +
           stretch_stiffness * std::pow(station.stretch, 2));
        mine.push_back(station);
      });
    return mine;
  }

  std::array<Vector3, 2>
  DiscreteElasticRod::reactions(const Vector &q) const
  {
    // A node feels its own joint and the next one.
    const Vector extended = full_state(q);
    const Shape  shape    = shape_of(extended);
    Vector       g        = Vector::Zero(extended.size());
    add_gradient(shape, begin, std::min(end, 2), g);
    add_gradient(shape, std::max({begin, n_edges - 1, 2}), end, g);

    std::array<Vector3, 2> forces;
    forces.fill(Vector3::Zero());
    for (const bool at_end : {false, true})
      if (const Index node = at_end ? n_edges : 0; holds_node(node))
        for (int c = 0; c < 3; ++c)
          {
            const Index position = positions[dof(node, c)];
            if (position >= layout().n_local())
              forces[at_end](c) = g(position) * energy_unit() / body.length;
          }
    MPI_Allreduce(MPI_IN_PLACE,
                  forces[0].data(),
                  6,
                  MPI_DOUBLE,
                  MPI_SUM,
                  layout().communicator);
    return forces;
  }

  Vector
  DiscreteElasticRod::moved(const Vector  &q,
                            const Vector4 &rotation,
                            const Vector3 &translation) const
  {
    const Shape shape  = shape_of(full_state(q));
    Vector      result = q;
    const auto  set    = [&](const Index i, const double value) {
      if (positions[i] < layout().n_local())
        result(positions[i]) = value;
    };
    for (Index i = read_begin; i < read_end; ++i)
      {
        const Vector3 x =
          quaternion::rotate(rotation, shape.x[i]) + translation;
        for (int c = 0; c < 3; ++c)
          set(dof(i, c), x(c));
        if (i + 1 < read_end)
          {
            // The angle that brings the carried source frame to the turned one.
            const Vector3 e    = quaternion::rotate(rotation, shape.edge(i));
            const Vector4 turn = quaternion::product(
              quaternion::conjugate(
                discrete_rod::edge_frame(sources[i], e, 0.)),
              quaternion::product(rotation, frame_of_edge(shape, i)));
            set(dof(i, 3), 2. * std::atan2(turn(1), turn(0)));
          }
      }
    return result;
  }
} // namespace slender

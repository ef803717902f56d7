// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/rods/discrete_elastic_rod.h>
#include <slender/models/rods/discrete_numbering.h>
#include <slender/models/rods/held_end.h>

namespace slender
{
  using namespace discrete_rod;

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
    // Supports that move leave the joints as they are.
    const bool are_joints_new = joint_stiffness != curvature_stiffness() ||
                                joint_strain != natural_strain();
    joint_stiffness = curvature_stiffness();
    joint_strain    = natural_strain();
    for (Index i = read_begin; are_joints_new && i < read_end; ++i)
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
} // namespace slender

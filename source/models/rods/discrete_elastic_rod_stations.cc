// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/rods/discrete_elastic_rod.h>
#include <slender/models/rods/discrete_numbering.h>

namespace slender
{
  using namespace discrete_rod;

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
} // namespace slender

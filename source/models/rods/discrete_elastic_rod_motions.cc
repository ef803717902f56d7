// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/rods/discrete_elastic_rod.h>
#include <slender/models/rods/discrete_numbering.h>

namespace slender
{
  using namespace discrete_rod;

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

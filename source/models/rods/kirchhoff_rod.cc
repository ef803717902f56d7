// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/rods/held_end.h>
#include <slender/models/rods/kirchhoff_kernel.h>
#include <slender/models/rods/kirchhoff_rod.h>

namespace slender
{
  namespace
  {
    using finite_elements::evaluate;
    using kirchhoff::Curvature;
    using kirchhoff::n_components;
    using kirchhoff::NodeValues;
    using kirchhoff::Stretch;
  } // namespace

  KirchhoffRod::KirchhoffRod(const RodBody                    &rod_body,
                             const KirchhoffRodDiscretisation &discretisation,
                             MPI_Comm                          communicator)
    : RodModel(rod_body)
    , constraint_stiffness(discretisation.constraint_stiffness)
    , degree(discretisation.degree)
  {
    build_elements(discretisation, communicator);
    moment_potential =
      MomentPotential(body.end_moment_axis, initial_placement(1.).frame);
    parameters_changed();
  }

  void
  KirchhoffRod::parameters_changed()
  {
    stiffness_of_curvature = curvature_stiffness();
    const auto shear       = shear_stiffness(constraint_stiffness);
    stiffness_of_stretch   = {axial_stiffness(constraint_stiffness),
                              shear[0],
                              shear[1]};
    natural                = natural_strain();

    hinges.clear();
    Vector held(layout().n_local() +
                static_cast<Index>(map.prescribed_dofs().size()));
    held.setZero();
    for (const Node &node : nodes)
      if (node.s == 0. || node.s == 1.)
        {
          const RodSide   side = node.s == 0. ? RodSide::start : RodSide::end;
          const RodEnd   &end  = side == RodSide::start ? body.start : body.end;
          const Placement placement = held_placement(side);
          for (int c = 0; c < n_components; ++c)
            held(node.positions[c]) =
              c < 4 ? placement.frame(c) : placement.position(c - 4);
          if (hinge_axis(end.rotation))
            hinges.push_back({{{node.positions[0],
                                node.positions[1],
                                node.positions[2],
                                node.positions[3]}},
                              quaternion::right_matrix(placement.frame)});
        }
    prescribed_values =
      to_unknowns(held).tail(held.size() - layout().n_local());
  }

  const Layout &
  KirchhoffRod::layout() const
  {
    return map.layout();
  }

  Vector
  KirchhoffRod::full_state(const Vector &q) const
  {
    return to_quaternions(map.extend(q, prescribed_values));
  }

  std::vector<Vector>
  KirchhoffRod::free_motions(const Vector &q) const
  {
    const Vector        extended = full_state(q);
    std::vector<Vector> result;
    const auto          add = [&](const auto &rate_of_frame,
                         const auto &rate_of_position) {
      Vector rate = Vector::Zero(extended.size());
      for (const Node &node : nodes)
        {
          Vector3 r;
          for (int c = 0; c < 3; ++c)
            r(c) = extended(node.positions[4 + c]);
          const Vector4 of_frame = rate_of_frame(node_frame(node, extended));
          const Vector3 of_position = rate_of_position(r);
          for (int c = 0; c < n_components; ++c)
            rate(node.positions[c]) = c < 4 ? of_frame(c) : of_position(c - 4);
        }
      result.push_back(to_unknowns(rate).head(layout().n_local()));
    };
    const auto stays = [](const auto &value) { return (0. * value).eval(); };
    for (int c = 0; c < 3; ++c)
      {
        const Vector3 e = Vector3::Unit(c);
        add(stays, [&](const Vector3 &) { return e; });
        // q' = (0, e) q / 2
        add(
          [&](const Vector4 &frame) {
            return (0.5 * quaternion::product({0., e(0), e(1), e(2)}, frame))
              .eval();
          },
          [&](const Vector3 &r) { return e.cross(r).eval(); });
      }
    // The spin, about the first axis of the frame itself.
    add(
      [](const Vector4 &frame) {
        return (0.5 * quaternion::product(frame, Vector4::UnitY())).eval();
      },
      stays);
    return result;
  }

  Vector
  KirchhoffRod::to_quaternions(Vector extended) const
  {
    for (const Hinge &hinge : hinges)
      extended(hinge.positions) =
        (hinge.basis * extended(hinge.positions)).eval();
    return extended;
  }

  Vector
  KirchhoffRod::to_unknowns(Vector extended) const
  {
    for (const Hinge &hinge : hinges)
      extended(hinge.positions) =
        (hinge.basis.transpose() * extended(hinge.positions)).eval();
    return extended;
  }

  void
  KirchhoffRod::to_unknowns(const Element &element, Eigen::MatrixXd &H) const
  {
    for (const Hinge &hinge : hinges)
      for (const Index first : {0, n_components})
        if (element.positions[first] == hinge.positions[0])
          {
            H.middleCols<4>(first) =
              (H.middleCols<4>(first) * hinge.basis).eval();
            H.middleRows<4>(first) =
              (hinge.basis.transpose() * H.middleRows<4>(first)).eval();
          }
  }

  Vector
  KirchhoffRod::initial_state() const
  {
    Vector extended(layout().n_local() + prescribed_values.size());
    for (const Node &node : nodes)
      {
        const Placement placement = initial_placement(node.s);
        for (int c = 0; c < n_components; ++c)
          extended(node.positions[c]) =
            c < 4 ? placement.frame(c) : placement.position(c - 4);
      }
    return to_unknowns(extended).head(layout().n_local());
  }

  KirchhoffRod::ElementUnknowns
  KirchhoffRod::gather(const Element &element, const Vector &extended) const
  {
    ElementUnknowns u(n_components, degree + 1);
    for (Index i = 0; i < u.size(); ++i)
      u.data()[i] = extended(element.positions[i]);
    return u;
  }

  void
  KirchhoffRod::gather(const Element &element,
                       const Vector  &extended,
                       NodeValues    &values) const
  {
    const Index *position = element.positions.data();
    for (int a = 0; a <= degree; ++a)
      {
        for (int c = 0; c < n_components; ++c)
          values.at[a][c] = extended(*position++);
        values.at[a][n_components] = 0.;
      }
  }

  void
  KirchhoffRod::scatter(const Element    &element,
                        const NodeValues &values,
                        Vector           &extended) const
  {
    const Index *position = element.positions.data();
    for (int a = 0; a <= degree; ++a)
      for (int c = 0; c < n_components; ++c)
        extended(*position++) += values.at[a][c];
  }

  kirchhoff::ElementLaw
  KirchhoffRod::element_law() const
  {
    return {stiffness_of_curvature,
            stiffness_of_stretch,
            natural,
            weight_per_length()};
  }

  Vector4
  KirchhoffRod::node_frame(const Node &node, const Vector &extended) const
  {
    Vector4 q;
    for (int c = 0; c < 4; ++c)
      q(c) = extended(node.positions[c]);
    return q;
  }

  bool
  KirchhoffRod::owns_end_load() const
  {
    return !nodes.empty() && nodes.back().s == 1. && nodes.back().is_owned;
  }

  std::optional<Vector4>
  KirchhoffRod::loaded_frame(const Vector &q) const
  {
    if (!owns_end_load())
      return {};
    return node_frame(nodes.back(), full_state(q));
  }

  double
  KirchhoffRod::energy(const Vector &q) const
  {
    const Vector  extended = full_state(q);
    const Vector3 weight   = weight_per_length();

    double sum = 0.;
    for (const Element &element : elements)
      {
        const ElementUnknowns u = gather(element, extended);
        for (const QuadraturePoint &point : element.bending)
          {
            const Vector3 r =
              u.bottomRows<3>() * point.shape.row(0).transpose();
            sum += point.weight * (kirchhoff::energy_density<Curvature>(
                                     evaluate(curvature_inputs, point.shape, u),
                                     stiffness_of_curvature,
                                     natural) -
                                   weight.dot(r));
          }
        for (const QuadraturePoint &point : element.stretching)
          sum += point.weight * kirchhoff::energy_density<Stretch>(
                                  evaluate(stretch_inputs, point.shape, u),
                                  stiffness_of_stretch,
                                  Vector3::Zero());
      }
    for (const Node &node : nodes)
      if (node.is_owned)
        sum += node.length_weight *
               std::pow(node_frame(node, extended).squaredNorm() - 1., 2);

    if (owns_end_load())
      {
        const Node &end = nodes.back();
        if (!force_follows())
          for (int c = 0; c < 3; ++c)
            sum -= end_force()(c) * extended(end.positions[4 + c]);
        if (!moment_is_fixed())
          sum -=
            end_moment() * moment_potential.angle(node_frame(end, extended));
      }
    return sum;
  }

  Vector
  KirchhoffRod::extended_gradient(const Vector &extended) const
  {
    Vector                      g   = Vector::Zero(extended.size());
    const kirchhoff::ElementLaw law = element_law();

    NodeValues u, local;
    for (const Element &element : elements)
      {
        gather(element, extended, u);
        local = {};
        kirchhoff::add_gradient(element, law, degree + 1, u, local);
        scatter(element, local, g);
      }

    for (const Node &node : nodes)
      if (node.is_owned)
        {
          const Vector4 f = node_frame(node, extended);
          const Vector4 df =
            4. * node.length_weight * (f.squaredNorm() - 1.) * f;
          for (int c = 0; c < 4; ++c)
            g(node.positions[c]) += df(c);
        }

    if (owns_end_load())
      {
        const Node   &end   = nodes.back();
        const Vector4 frame = node_frame(end, extended);
        const Vector4 dV =
          moment_is_fixed()
            ? Vector4(-fixed_moment(frame).force)
            : Vector4(-end_moment() * moment_potential.gradient(frame));
        const Vector3 force =
          force_follows() ? following_force(frame).force : end_force();
        for (int c = 0; c < 3; ++c)
          g(end.positions[4 + c]) -= force(c);
        for (int c = 0; c < 4; ++c)
          g(end.positions[c]) += dV(c);
      }
    return g;
  }

  Vector
  KirchhoffRod::gradient(const Vector &q) const
  {
    return to_unknowns(extended_gradient(full_state(q)))
      .head(layout().n_local());
  }

  void
  KirchhoffRod::hessian(const Vector &q, HessianSink &sink) const
  {
    add_tangent(full_state(q), nullptr, sink);
  }

  void
  KirchhoffRod::newton_tangent(const Vector &q,
                               const Vector &previous,
                               HessianSink  &sink) const
  {
    add_tangent(full_state(q), &previous, sink);
  }

  Eigen::Matrix4d
  KirchhoffRod::node_hessian(const Node &node, const Vector &extended) const
  {
    const Vector4   f = node_frame(node, extended);
    Eigen::Matrix4d H = 4. * node.length_weight *
                        ((f.squaredNorm() - 1.) * Eigen::Matrix4d::Identity() +
                         2. * f * f.transpose());
    if (&node == &nodes.back() && owns_end_load())
      H -= moment_is_fixed()
             ? fixed_moment(f).rate
             : Eigen::Matrix4d(end_moment() * moment_potential.hessian(f));
    return H;
  }

  void
  KirchhoffRod::add_tangent(const Vector &extended,
                            const Vector *extended_previous,
                            HessianSink  &sink) const
  {
    const Index                 n   = n_components * (degree + 1);
    const kirchhoff::ElementLaw law = element_law();
    Eigen::MatrixXd             local(n, n);
    NodeValues                  u, u_previous;
    for (const Element &element : elements)
      {
        gather(element, extended, u);
        if (extended_previous)
          gather(element, *extended_previous, u_previous);
        kirchhoff::set_hessian(element,
                               law,
                               degree + 1,
                               u,
                               extended_previous ? &u_previous : nullptr,
                               local.data());
        to_unknowns(element, local);
        sink.add(element.unknowns.data(), n, local.data());
      }

    for (const Node &node : nodes)
      if (node.is_owned)
        {
          add_node_block(node, node_hessian(node, extended), sink);
          if (&node == &nodes.back() && owns_end_load() && force_follows())
            add_following_stiffness(node, extended, sink);
        }
  }

  void
  KirchhoffRod::add_node_block(const Node     &node,
                               Eigen::Matrix4d H,
                               HessianSink    &sink) const
  {
    for (const Hinge &hinge : hinges)
      if (node.positions[0] == hinge.positions[0])
        H = (hinge.basis.transpose() * H * hinge.basis).eval();
    std::array<Index, 4> unknowns;
    for (int c = 0; c < 4; ++c)
      unknowns[c] =
        node.positions[c] < layout().n_local() ? node.positions[c] : -1;
    sink.add(unknowns.data(), 4, H.data());
  }

  void
  KirchhoffRod::add_following_stiffness(const Node   &node,
                                        const Vector &extended,
                                        HessianSink  &sink) const
  {
    Eigen::Matrix4d basis = Eigen::Matrix4d::Identity();
    for (const Hinge &hinge : hinges)
      if (node.positions[0] == hinge.positions[0])
        basis = hinge.basis;
    Eigen::Matrix<double, n_components, n_components> block;
    block.setZero();
    block.bottomLeftCorner<3, 4>() =
      -following_force(node_frame(node, extended)).rate * basis;
    std::array<Index, n_components> unknowns;
    for (int c = 0; c < n_components; ++c)
      unknowns[c] =
        node.positions[c] < layout().n_local() ? node.positions[c] : -1;
    sink.add(unknowns.data(), n_components, block.data());
  }

  Vector
  KirchhoffRod::hessian_times(const Vector &q, const Vector &direction) const
  {
    const Vector extended = full_state(q);
    // Prescribed values do not change.
    const Vector change = to_quaternions(
      map.extend(direction, Vector::Zero(prescribed_values.size())));
    Vector                      product = Vector::Zero(extended.size());
    const kirchhoff::ElementLaw law     = element_law();

    NodeValues u, v, local;
    for (const Element &element : elements)
      {
        gather(element, extended, u);
        gather(element, change, v);
        local = {};
        kirchhoff::add_hessian_times(element, law, degree + 1, u, v, local);
        scatter(element, local, product);
      }
    for (const Node &node : nodes)
      if (node.is_owned)
        {
          const Vector4 result =
            node_hessian(node, extended) * node_frame(node, change);
          for (int c = 0; c < 4; ++c)
            product(node.positions[c]) += result(c);
        }
    if (owns_end_load() && force_follows())
      {
        const Node   &end    = nodes.back();
        const Vector3 result = following_force(node_frame(end, extended)).rate *
                               node_frame(end, change);
        for (int c = 0; c < 3; ++c)
          product(end.positions[4 + c]) -= result(c);
      }
    return to_unknowns(product).head(layout().n_local());
  }

  std::array<Vector3, 2>
  KirchhoffRod::reactions(const Vector &q) const
  {
    const Vector           g = extended_gradient(full_state(q));
    std::array<Vector3, 2> forces;
    forces.fill(Vector3::Zero());
    for (const bool at_end : {false, true})
      if (!nodes.empty())
        {
          const Node &node = at_end ? nodes.back() : nodes.front();
          if (node.s == (at_end ? 1. : 0.))
            for (int c = 0; c < 3; ++c)
              if (node.positions[4 + c] >= layout().n_local())
                forces[at_end](c) =
                  g(node.positions[4 + c]) * energy_unit() / body.length;
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
  KirchhoffRod::moved(const Vector  &q,
                      const Vector4 &rotation,
                      const Vector3 &translation) const
  {
    const Vector extended = full_state(q);
    Vector       result   = extended;
    for (const Node &node : nodes)
      {
        const Vector4 frame =
          quaternion::product(rotation, node_frame(node, extended));
        Vector3 r;
        for (int c = 0; c < 3; ++c)
          r(c) = extended(node.positions[4 + c]);
        r = quaternion::rotate(rotation, r) + translation;
        for (int c = 0; c < n_components; ++c)
          result(node.positions[c]) = c < 4 ? frame(c) : r(c - 4);
      }
    return to_unknowns(result).head(layout().n_local());
  }

  std::vector<RodStation>
  KirchhoffRod::local_stations(const Vector &q) const
  {
    const Vector extended = full_state(q);
    const double L        = body.length;

    std::vector<RodStation> mine;
    for (const Element &element : elements)
      {
        const ElementUnknowns u = gather(element, extended);
        // The stretch means something at its own quadrature points only: in
        // between, errors of interpolation stand against a large stiffness.
        Vector stretch(static_cast<Index>(element.stretching.size()));
        for (Index k = 0; k < stretch.size(); ++k)
          stretch(k) = Stretch::value(
            evaluate(stretch_inputs, element.stretching[k].shape, u))(0);
        // The last point of an element is the first of the next one.
        const bool        is_last = element.begin + element.length > 1. - 1e-12;
        const std::size_t n       = station_shapes.size() - (is_last ? 0 : 1);
        for (std::size_t i = 0; i < n; ++i)
          {
            ShapeValues shape = station_shapes[i];
            shape.row(1) /= element.length;
            const auto z = evaluate(curvature_inputs, shape, u);
            RodStation station;
            station.arc_length =
              L * (element.begin +
                   element.length * static_cast<double>(i) /
                     static_cast<double>(station_shapes.size() - 1));
            station.position =
              L * (u.bottomRows<3>() * shape.row(0).transpose());
            station.frame  = z.head<4>().normalized();
            station.strain = Curvature::value(z) / L;
            station.stretch =
              stretch_at_stations.row(static_cast<Index>(i)).dot(stretch);
            station.energy_density =
              energy_unit() / L *
              (kirchhoff::energy_density<Curvature>(z,
                                                    stiffness_of_curvature,
                                                    natural) +
               0.5 * stiffness_of_stretch(0) * std::pow(station.stretch, 2));
            mine.push_back(station);
          }
      }
    return mine;
  }
} // namespace slender

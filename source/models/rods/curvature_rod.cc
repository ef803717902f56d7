// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/rods/curvature_rod.h>
#include <slender/models/rods/held_end.h>

#include <limits>

namespace slender
{
  namespace
  {
    using curvature::n_points;

    /// An element that turns by more than this [rad] comes from a Newton step
    /// that went astray; to integrate it would take for ever.
    constexpr double absurd_turn = 1000.;

    constexpr int stations_per_element = 8;

    void
    check_start(const RodEnd &start, const char *name)
    {
      if (start.position_fixed != RodEnd::clamped().position_fixed ||
          start.rotation != RodEnd::Rotation::fixed)
        throw InputError(std::string("the start of a ") + name +
                           " must be clamped: its shape is integrated from "
                           "there; hold a rod differently at its end, or take "
                           "another model",
                         "Start/Hold");
    }
  } // namespace

  CurvatureRod::CurvatureRod(const RodBody                    &rod_body,
                             const CurvatureRodDiscretisation &a_discretisation,
                             MPI_Comm                          communicator)
    : RodModel(rod_body)
    , discretisation(a_discretisation)
    , ends(graded_points(discretisation.elements, discretisation.grading))
  {
    using Strain = CurvatureRodDiscretisation::Strain;
    check_start(body.start,
                discretisation.strain == Strain::constant ? "super helix"
                                                          : "super clothoid");

    const Index n_columns =
      discretisation.elements + (discretisation.strain == Strain::linear);
    for (Index i = 0; i < 3 * n_columns; ++i)
      if (!discretisation.planar || i % 3 == 1)
        unknown_strains.push_back(i);
    choose_constraints();

    int rank;
    MPI_Comm_rank(communicator, &rank);
    the_layout.communicator = communicator;
    the_layout.size         = n_strain_unknowns() + n_multipliers();
    the_layout.begin        = rank == 0 ? 0 : the_layout.size;
    the_layout.end          = the_layout.size;

    moment_potential =
      MomentPotential(body.end_moment_axis, initial_placement(1.).frame);
    parameters_changed();
  }

  void
  CurvatureRod::choose_constraints()
  {
    const std::array<bool, 4> holds_quaternion =
      prescribed_quaternion_components(body.end.rotation);
    for (int c = 0; c < 3; ++c)
      {
        if (body.end.position_fixed[c])
          held_directions.push_back(c);
        if (holds_quaternion[1 + c])
          held_rotations.push_back(c);
      }
    if (!discretisation.planar || n_multipliers() == 0)
      return;

    // In its plane an end has two directions and one rotation.
    const Vector3 normal =
      quaternion::rotate(held_placement(RodSide::start).frame,
                         Vector3::UnitY());
    int axis;
    if (normal.cwiseAbs().maxCoeff(&axis) < 1. - 1e-12)
      throw InputError("a planar rod that is held at its end must lie in a "
                       "coordinate plane: 'Director 1' must be an axis",
                       "Rod/Director 1");
    const auto keep_if = [](std::vector<int> &v, const auto &condition) {
      v.erase(std::remove_if(v.begin(),
                             v.end(),
                             [&](const int c) { return !condition(c); }),
              v.end());
    };
    keep_if(held_directions, [axis](const int c) { return c != axis; });
    keep_if(held_rotations, [axis](const int c) { return c == axis; });
  }

  void
  CurvatureRod::parameters_changed()
  {
    stiffness = curvature_stiffness();
    natural   = natural_strain();
    start     = held_placement(RodSide::start);
    held_end  = held_placement(RodSide::end);
    misalignment =
      2. * quaternion::right_matrix(quaternion::conjugate(held_end.frame))
             .bottomRows<3>();
  }

  const Layout &
  CurvatureRod::layout() const
  {
    return the_layout;
  }

  Index
  CurvatureRod::n_strain_unknowns() const
  {
    return static_cast<Index>(unknown_strains.size());
  }

  Index
  CurvatureRod::n_multipliers() const
  {
    return static_cast<Index>(held_directions.size() + held_rotations.size());
  }

  Index
  CurvatureRod::n_columns_of_element() const
  {
    return discretisation.strain == CurvatureRodDiscretisation::Strain::linear
             ? 2
             : 1;
  }

  Vector
  CurvatureRod::initial_state() const
  {
    Vector q = Vector::Zero(layout().n_local());
    if (q.size() > 0 && body.start_from_natural_shape)
      for (Index i = 0; i < n_strain_unknowns(); ++i)
        q(i) = natural(unknown_strains[i] % 3);
    return q;
  }

  CurvatureRod::Strains
  CurvatureRod::strains_of(const Vector &q) const
  {
    Strains strains =
      Strains::Zero(3, discretisation.elements + n_columns_of_element() - 1);
    for (Index i = 0; i < n_strain_unknowns(); ++i)
      strains.data()[unknown_strains[i]] = q(i);
    return strains;
  }

  CurvatureRod::Multipliers
  CurvatureRod::multipliers_of(const Vector &q) const
  {
    Multipliers multipliers;
    Index       i = n_strain_unknowns();
    for (const int c : held_directions)
      multipliers.force(c) = q(i++);
    for (const int c : held_rotations)
      multipliers.moment(c) = q(i++);
    return multipliers;
  }

  Vector
  CurvatureRod::broadcast(const Vector &q) const
  {
    Vector all(layout().size);
    if (layout().n_owned() > 0)
      all = q;
    MPI_Bcast(all.data(), layout().size, MPI_DOUBLE, 0, layout().communicator);
    return all;
  }

  Vector3
  CurvatureRod::strain_at(const Strains &strains,
                          const Index    element,
                          const double   xi) const
  {
    // A constant strain is its own neighbour.
    const Index next = element + n_columns_of_element() - 1;
    return (1. - xi) * strains.col(element) + xi * strains.col(next);
  }

  void
  CurvatureRod::integrate_element(const Strains      &strains,
                                  const Index         element,
                                  const double        begin,
                                  const double        end,
                                  Placement          &placement,
                                  std::vector<Piece> &pieces) const
  {
    const double element_length = ends[element + 1] - ends[element];
    const double turn           = element_length * (end - begin) *
                        std::max(strain_at(strains, element, begin).norm(),
                                 strain_at(strains, element, end).norm());
    if (!(turn < absurd_turn))
      placement.frame.setConstant(std::numeric_limits<double>::quiet_NaN());
    const int n = turn < absurd_turn
                    ? 1 + static_cast<int>(turn / curvature::largest_turn)
                    : 1;

    const curvature::Rule &rule = curvature::rule();
    for (int i = 0; i < n; ++i)
      {
        const double xi   = begin + (end - begin) * i / n;
        const double next = begin + (end - begin) * (i + 1) / n;
        Piece        piece;
        piece.element = element;
        piece.length  = element_length * (next - xi);
        const auto turning =
          curvature::turn(placement.frame,
                          piece.length * strain_at(strains, element, xi),
                          piece.length * strain_at(strains, element, next));
        piece.frames = turning.frames;

        const curvature::AtPoints<1> xi_at_points =
          xi + (next - xi) * rule.points.array();
        piece.s = ends[element] + element_length * xi_at_points.array();
        piece.shape << 1. - xi_at_points.array(), xi_at_points;
        if (n_columns_of_element() == 1)
          piece.shape << curvature::AtPoints<1>::Ones(),
            curvature::AtPoints<1>::Zero();

        for (int g = 0; g < n_points; ++g)
          placement.position +=
            piece.length * rule.weights(g) * piece.frames[g].col(0);
        placement.frame = turning.end;
        pieces.push_back(piece);
      }
  }

  CurvatureRod::Shape
  CurvatureRod::integrate(const Strains &strains) const
  {
    Shape shape;
    shape.end = start;
    shape.pieces.reserve(2 * discretisation.elements);
    for (Index element = 0; element < discretisation.elements; ++element)
      integrate_element(strains, element, 0., 1., shape.end, shape.pieces);
    return shape;
  }

  double
  CurvatureRod::elastic_energy(const Strains &strains) const
  {
    double sum = 0.;
    for (Index element = 0; element < discretisation.elements; ++element)
      {
        const Vector3 a      = strain_at(strains, element, 0.) - natural;
        const Vector3 b      = strain_at(strains, element, 1.) - natural;
        const double  length = ends[element + 1] - ends[element];
        sum +=
          length / 6. *
          (a.dot(stiffness.cwiseProduct(a)) + a.dot(stiffness.cwiseProduct(b)) +
           b.dot(stiffness.cwiseProduct(b)));
      }
    return sum;
  }

  CurvatureRod::Strains
  CurvatureRod::elastic_gradient(const Strains &strains) const
  {
    Strains g = Strains::Zero(3, strains.cols());
    for (Index element = 0; element < discretisation.elements; ++element)
      {
        const Vector3 a      = strain_at(strains, element, 0.) - natural;
        const Vector3 b      = strain_at(strains, element, 1.) - natural;
        const double  length = ends[element + 1] - ends[element];
        const Index   next   = element + n_columns_of_element() - 1;
        g.col(element) += length / 6. * stiffness.cwiseProduct(2. * a + b);
        g.col(next) += length / 6. * stiffness.cwiseProduct(a + 2. * b);
      }
    return g;
  }

  CurvatureRod::EndPotential
  CurvatureRod::end_potential(const Vector4     &end_frame,
                              const Multipliers &held) const
  {
    EndPotential V;
    V.value    = -held.moment.dot(misalignment * end_frame);
    V.gradient = -misalignment.transpose() * held.moment;
    V.hessian.setZero();
    if (end_moment() != 0.)
      {
        V.value -= end_moment() * moment_potential.angle(end_frame);
        V.gradient -= end_moment() * moment_potential.gradient(end_frame);
        V.hessian -= end_moment() * moment_potential.hessian(end_frame);
      }
    return V;
  }

  double
  CurvatureRod::energy(const Vector &q) const
  {
    if (layout().n_owned() == 0)
      return 0.;
    const Strains     strains = strains_of(q);
    const Shape       shape   = integrate(strains);
    const Multipliers held    = multipliers_of(q);
    const Vector3     weight  = weight_per_length();

    double work = (weight + end_force()).dot(start.position);
    for (const Piece &piece : shape.pieces)
      for (int g = 0; g < n_points; ++g)
        work += piece.length * curvature::rule().weights(g) *
                (end_force() + (1. - piece.s(g)) * weight)
                  .dot(piece.frames[g].col(0));
    for (const int c : held_directions)
      work += held.force(c) * (shape.end.position(c) - held_end.position(c));
    return elastic_energy(strains) - work +
           end_potential(shape.end.frame, held).value;
  }

  CurvatureRod::Loads
  CurvatureRod::loads(const Vector4 &end_frame, const Multipliers &held) const
  {
    // A small rotation phi changes the quaternion by phi q / 2.
    const auto turned = quaternion::right_matrix(end_frame).rightCols<3>();
    Loads      result;
    result.weight    = weight_per_length();
    result.end_force = end_force() + held.force;
    result.end_moment =
      -0.5 * turned.transpose() * end_potential(end_frame, held).gradient;
    return result;
  }

  CurvatureRod::Strains
  CurvatureRod::work_gradient(const Shape &shape, const Loads &loads) const
  {
    const curvature::Rule &rule = curvature::rule();
    Strains                result =
      Strains::Zero(3, discretisation.elements + n_columns_of_element() - 1);
    Vector3 moment = loads.end_moment; // of all that lies beyond a piece
    for (auto piece = shape.pieces.rbegin(); piece != shape.pieces.rend();
         ++piece)
      {
        curvature::AtPoints<3> rate;
        for (int g = 0; g < n_points; ++g)
          rate.col(g) = piece->length *
                        piece->frames[g].col(0).cross(
                          loads.end_force + (1. - piece->s(g)) * loads.weight);
        moment += rate * rule.weights.transpose();
        const curvature::AtPoints<3> inner_moment =
          moment.replicate<1, n_points>() - rate * rule.up_to_points;
        for (int g = 0; g < n_points; ++g)
          {
            const Vector3 in_frame = piece->length * rule.weights(g) *
                                     piece->frames[g].transpose() *
                                     inner_moment.col(g);
            for (Index k = 0; k < n_columns_of_element(); ++k)
              result.col(piece->element + k) += piece->shape(k, g) * in_frame;
          }
      }
    return result;
  }

  Vector
  CurvatureRod::gradient(const Vector &q) const
  {
    if (layout().n_owned() == 0)
      return Vector();
    const Strains     strains = strains_of(q);
    const Shape       shape   = integrate(strains);
    const Multipliers held    = multipliers_of(q);
    const Strains     of_strains =
      elastic_gradient(strains) -
      work_gradient(shape, loads(shape.end.frame, held));

    Vector g(layout().size);
    for (Index i = 0; i < n_strain_unknowns(); ++i)
      g(i) = of_strains.data()[unknown_strains[i]];
    Index i = n_strain_unknowns();
    for (const int c : held_directions)
      g(i++) = held_end.position(c) - shape.end.position(c);
    for (const int c : held_rotations)
      g(i++) = -misalignment.row(c).dot(shape.end.frame);
    return g;
  }

  Vector3
  CurvatureRod::reaction(const Vector &q, const RodSide side) const
  {
    const Vector3 at_end = multipliers_of(broadcast(q)).force;
    const Vector3 force =
      side == RodSide::end
        ? at_end
        : Vector3(-(weight_per_length() + end_force() + at_end));
    return force * energy_unit() / body.length;
  }

  Vector
  CurvatureRod::moved(const Vector &q,
                      const Vector4 & /*rotation*/,
                      const Vector3 & /*translation*/) const
  {
    return q;
  }

  std::vector<RodStation>
  CurvatureRod::stations(const Vector &q) const
  {
    const Strains      strains = strains_of(broadcast(q));
    const double       L       = body.length;
    Placement          at      = start;
    std::vector<Piece> pieces;

    std::vector<RodStation> result;
    const auto              add = [&](const double s, const Vector3 &strain) {
      const Vector3 e = strain - natural;
      RodStation    station;
      station.arc_length = L * s;
      station.position   = L * at.position;
      station.frame      = at.frame;
      station.strain     = strain / L;
      station.stretch    = 0.;
      station.energy_density =
        energy_unit() / L * 0.5 * e.dot(stiffness.cwiseProduct(e));
      result.push_back(station);
    };

    add(0., strain_at(strains, 0, 0.));
    for (Index element = 0; element < discretisation.elements; ++element)
      {
        const double length = ends[element + 1] - ends[element];
        if (element > 0 && n_columns_of_element() == 1)
          {
            // Where the strain jumps, means by which sums over the stations
            // are the integrals that they stand for.
            const double before = ends[element] - ends[element - 1];
            RodStation   left   = result.back();
            add(ends[element], strain_at(strains, element, 0.));
            const double share = before / (before + length);
            RodStation   right = result.back();
            result.pop_back();
            result.back().strain =
              share * left.strain + (1. - share) * right.strain;
            result.back().energy_density =
              share * left.energy_density + (1. - share) * right.energy_density;
          }
        for (int i = 0; i < stations_per_element; ++i)
          {
            const double begin = double(i) / stations_per_element;
            const double end   = double(i + 1) / stations_per_element;
            pieces.clear();
            integrate_element(strains, element, begin, end, at, pieces);
            add(i + 1 == stations_per_element ? ends[element + 1]
                                              : ends[element] + end * length,
                strain_at(strains, element, end));
          }
      }
    return result;
  }
} // namespace slender

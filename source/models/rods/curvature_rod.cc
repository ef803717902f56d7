// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/rods/curvature_rod.h>

#include <numeric>

namespace slender
{
  namespace
  {
    constexpr int stations_per_element = 8;

    void
    check_start(const RodEnd &start)
    {
      if (start.position_fixed != RodEnd::clamped().position_fixed ||
          start.rotation != RodEnd::Rotation::fixed)
        throw InputError("the start of a super helix or super clothoid must be "
                         "clamped, as its shape is integrated from there; its "
                         "end may be held in any way",
                         "Start/Hold");
    }
  } // namespace

  CurvatureRod::CurvatureRod(const RodBody                    &rod_body,
                             const CurvatureRodDiscretisation &discretisation,
                             MPI_Comm                          communicator)
    : RodModel(rod_body)
    , field(discretisation.strain,
            graded_points(discretisation.elements, discretisation.grading))
    , overlaps(field.overlaps())
  {
    check_start(body.start);
    refuse_shear();
    if (body.end_force_follows || !body.end_moment_has_potential)
      throw InputError(
        "rods of curvatures take loads with a potential alone; a "
        "force that follows the end and a moment that is fixed "
        "in space are for 'kirchhoff rod' and 'discrete elastic "
        "rod'",
        body.end_force_follows ? "Loads/End force follows"
                               : "Loads/End moment has potential");
    for (Index i = 0; i < 3 * field.n_strains(); ++i)
      if (!discretisation.planar || i % 3 == 1)
        unknown_strains.push_back(i);
    choose_constraints(discretisation.planar);

    int rank;
    MPI_Comm_rank(communicator, &rank);
    the_layout.communicator = communicator;
    the_layout.size         = n_strain_unknowns() + n_multipliers();
    the_layout.begin        = rank == 0 ? 0 : the_layout.size;
    the_layout.end          = the_layout.size;

    moment_potential =
      MomentPotential(body.end_moment_axis, initial_placement(1.).frame);
    parameters_changed();

    double held_distance = 0.;
    for (const int c : held_directions)
      held_distance =
        std::hypot(held_distance, held_end.position(c) - start.position(c));
    if (held_distance > 1. + 1e-12)
      throw InputError("the end is held farther from the start than the rod is "
                       "long, and this model does not stretch",
                       "End/Position");
  }

  void
  CurvatureRod::parameters_changed()
  {
    stiffness             = curvature_stiffness();
    natural               = natural_strain();
    const Placement first = held_placement(RodSide::start);
    const Placement last  = held_placement(RodSide::end);
    start                 = {first.position, first.frame};
    held_end              = {last.position, last.frame};
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

  CurvatureRod::Strains
  CurvatureRod::strains_of(const Vector &q) const
  {
    Strains strains = Strains::Zero(3, field.n_strains());
    for (Index i = 0; i < n_strain_unknowns(); ++i)
      strains.data()[unknown_strains[i]] = q(i);
    return strains;
  }

  Vector
  CurvatureRod::select(const Strains &strains) const
  {
    return strains.reshaped()(unknown_strains);
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

  Vector
  CurvatureRod::initial_state() const
  {
    Vector q = Vector::Zero(layout().n_local());
    if (q.size() == 0)
      return q;
    const Vector3 strain = body.length * body.initial_strain;
    q.head(n_strain_unknowns()) =
      select(strain.replicate(1, field.n_strains()));
    return n_multipliers() > 0 ? meet_held_end(q) : q;
  }

  std::vector<Vector>
  CurvatureRod::free_motions(const Vector &q) const
  {
    if (n_multipliers() > 0)
      return {};
    Strains turned = Strains::Zero(3, field.n_strains());
    if (layout().n_owned() > 0)
      {
        const Strains strains = strains_of(q);
        turned.row(1)         = -strains.row(2);
        turned.row(2)         = strains.row(1);
      }
    return {layout().n_owned() > 0 ? select(turned) : Vector(q)};
  }

  Eigen::MatrixXd
  CurvatureRod::elastic_hessian() const
  {
    // Only the same components of neighbouring strains share energy.
    const Index     n      = n_strain_unknowns();
    const Index     stride = n / field.n_strains();
    Eigen::MatrixXd H      = Eigen::MatrixXd::Zero(n, n);
    for (Index i = 0; i < n; ++i)
      for (Index j = i; j < std::min(n, i + stride + 1); j += stride)
        H(i, j) = H(j, i) =
          stiffness(unknown_strains[i] % 3) * overlaps(i / stride, j / stride);
    return H;
  }

  bool
  CurvatureRod::owns_end_load() const
  {
    return layout().n_owned() > 0;
  }

  std::optional<Vector4>
  CurvatureRod::loaded_frame(const Vector &q) const
  {
    if (!owns_end_load())
      return {};
    return field.integrate(strains_of(q), start).end.frame;
  }

  double
  CurvatureRod::energy(const Vector &q) const
  {
    if (layout().n_owned() == 0)
      return 0.;
    const Strains     strains = strains_of(q);
    const Strains     excess  = strains.colwise() - natural;
    const Shape       shape   = field.integrate(strains, start);
    const Multipliers held    = multipliers_of(q);
    const auto        load    = loads(shape.end.frame, held);
    const double      elastic =
      0.5 *
      (stiffness.asDiagonal() * excess * overlaps).cwiseProduct(excess).sum();
    return elastic - work(shape, load) -
           (load.weight + load.end_force).dot(start.position) +
           held.force.dot(held_end.position) +
           end_potential(shape.end.frame, held).value;
  }

  Vector
  CurvatureRod::gradient(const Vector &q) const
  {
    if (layout().n_owned() == 0)
      return Vector();
    const Strains strains = strains_of(q);
    const Shape   shape   = field.integrate(strains, start);
    const Strains moments =
      stiffness.asDiagonal() * (strains.colwise() - natural) * overlaps -
      work_gradient(shape,
                    loads(shape.end.frame, multipliers_of(q)),
                    field.n_strains());
    Vector g(layout().size);
    g << select(moments), -constraints(shape.end);
    return g;
  }

  void
  CurvatureRod::hessian(const Vector &q, HessianSink &sink) const
  {
    if (layout().n_owned() == 0)
      return;
    const Shape           shape = field.integrate(strains_of(q), start);
    const Eigen::MatrixXd of_work =
      work_hessian(shape,
                   loads(shape.end.frame, multipliers_of(q)),
                   field.n_strains());

    const Index     n = n_strain_unknowns(), m = n_multipliers();
    Eigen::MatrixXd H(n + m, n + m);
    H.topLeftCorner(n, n) =
      elastic_hessian() - of_work(unknown_strains, unknown_strains);
    H.topRightCorner(n, m)   = -constraint_gradients(shape);
    H.bottomLeftCorner(m, n) = H.topRightCorner(n, m).transpose();
    H.bottomRightCorner(m, m).setZero();

    std::vector<Index> all(n + m);
    std::iota(all.begin(), all.end(), 0);
    sink.add(all.data(), n + m, H.data());
  }

  std::array<Vector3, 2>
  CurvatureRod::reactions(const Vector &q) const
  {
    const double  unit   = energy_unit() / body.length;
    const Vector3 at_end = multipliers_of(broadcast(q)).force;
    // The start balances all that acts.
    const Vector3 at_start =
      Vector3::Zero() - weight_per_length() - end_force() - at_end;
    return {{unit * at_start, unit * at_end}};
  }

  Vector
  CurvatureRod::moved(const Vector &q,
                      const Vector4 & /*rotation*/,
                      const Vector3 & /*translation*/) const
  {
    return q;
  }

  std::vector<RodStation>
  CurvatureRod::local_stations(const Vector &q) const
  {
    if (layout().n_owned() == 0)
      return {};
    const Strains                 strains = strains_of(q);
    const double                  L       = body.length;
    curvature::Pose               pose    = start;
    std::vector<curvature::Piece> pieces;

    const auto station = [&](const double s, const Vector3 &strain) {
      const Vector3 excess = strain - natural;
      const double  energy_density =
        0.5 * excess.dot(stiffness.cwiseProduct(excess)) * energy_unit() / L;
      return RodStation{
        L * s, L * pose.position, pose.frame, strain / L, 0., energy_density};
    };

    std::vector<RodStation> result = {station(0., field.value(strains, 0, 0.))};
    for (Index element = 0; element < field.n_elements(); ++element)
      {
        const double begin  = field.begin(element);
        const double length = field.length(element);
        if (element > 0)
          {
            // Where the strain jumps, the means by which the trapezoidal rule
            // over the stations gives the integral.
            const RodStation here =
              station(begin, field.value(strains, element, 0.));
            const double share = length / (length + field.length(element - 1));
            RodStation  &last  = result.back();
            last.strain += share * (here.strain - last.strain);
            last.energy_density +=
              share * (here.energy_density - last.energy_density);
          }
        for (int i = 0; i < stations_per_element; ++i)
          {
            const double xi   = double(i) / stations_per_element;
            const double next = double(i + 1) / stations_per_element;
            pieces.clear();
            field.integrate(strains, element, xi, next, pose, pieces);
            result.push_back(station(begin + next * length,
                                     field.value(strains, element, next)));
          }
      }
    result.back().arc_length = L;
    return result;
  }
} // namespace slender

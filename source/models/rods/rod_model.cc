// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/direction.h>
#include <slender/base/errors.h>
#include <slender/models/rods/quaternion.h>
#include <slender/models/rods/rod_model.h>
#include <slender/systems/dissipation.h>

namespace slender
{
  namespace
  {
    Vector4
    frame_quaternion(const Frame &frame)
    {
      Eigen::Matrix3d R;
      R.col(0) = direction_of(frame.tangent);
      // Only the direction of the director across the tangent counts.
      const Vector3 director = direction_of(frame.director);
      R.col(1) = (director - director.dot(R.col(0)) * R.col(0)).normalized();
      R.col(2) = R.col(0).cross(R.col(1));
      return quaternion::from_matrix(R);
    }

    /// Of the two quaternions of a frame the one that is nearer to another.
    Vector4
    nearer(const Vector4 &q, const Vector4 &other)
    {
      return q.dot(other) < 0. ? Vector4(-q) : q;
    }

    /// The integral of the tangent of a uniform helix with Darboux vector
    /// kappa, from 0 to s, in its initial frame.
    Vector3
    helix_position(const Vector3 &kappa, const double s)
    {
      const double k     = kappa.norm();
      const double angle = k * s;
      // (sin x)/x and (1 - cos x)/x, with their series near zero.
      const double sine =
        angle > 1e-4 ? std::sin(angle) / angle : 1. - angle * angle / 6.;
      const double versine =
        angle > 1e-4 ? (1. - std::cos(angle)) / angle : angle / 2.;
      const Vector3 n = k > 0. ? Vector3(kappa / k) : Vector3::Zero();
      const Vector3 t = Vector3::UnitX();
      return s *
             (n * n.dot(t) + sine * (t - n * n.dot(t)) + versine * n.cross(t));
    }
  } // namespace

  RodModel::RodModel(const RodBody &rod_body)
    : body(rod_body)
  {
    if (body.end_force_follows && body.end.rotation == RodEnd::Rotation::fixed)
      throw InputError("the end force cannot follow an end whose orientation "
                       "is fixed",
                       "Loads/End force follows");
    const double curvature = 1. / body.length;
    const double force     = bending_unit() / (body.length * body.length);

    // In the order of rod_quantities().
    const std::pair<double *, double> places[] = {
      {&body.gravity, force / (body.mass_per_length * body.length)},
      {&body.stiffness_factor, 1.},
      {&body.end_force, force},
      {&body.end_moment, force * body.length},
      {&body.natural_twist, curvature},
      {&body.natural_curvature_1, curvature},
      {&body.natural_curvature_2, curvature},
      {&body.start.displacement, body.length},
      {&body.start.rotation_angle, 1.},
      {&body.end.displacement, body.length},
      {&body.end.rotation_angle, 1.}};
    const Quantity *quantity = rod_quantities().parameters.data();
    for (const auto &[value, scale] : places)
      {
        add_parameter(quantity->name, quantity->description, *value, scale);
        ++quantity;
      }
  }

  const Quantities &
  rod_quantities()
  {
    static const Quantities all = {
      {{"gravity", "acceleration of gravity [length/time^2]"},
       {"stiffness", "factor of all stiffnesses [1]"},
       {"end force", "force on the end of the rod [force]"},
       {"end moment", "moment on the end of the rod [force length]"},
       {"natural twist", "twist of the stress-free rod [1/length]"},
       {"natural curvature 1",
        "curvature about director 1 of the stress-free rod [1/length]"},
       {"natural curvature 2",
        "curvature about director 2 of the stress-free rod [1/length]"},
       {"start displacement", "displacement of the held start [length]"},
       {"start rotation", "rotation of the held start about its axis [rad]"},
       {"end displacement", "displacement of the held end [length]"},
       {"end rotation", "rotation of the held end about its axis [rad]"}},
      {{"end x", "where the end is, likewise 'end y' and 'end z' [length]"},
       {"end y", ""},
       {"end z", ""},
       {"end distance", "from the start to the end [length]"},
       {"total twist", "integral of |twist| along the rod [rad]"},
       {"largest curvature", "along the rod [1/length]"},
       {"largest stretch", "change of length over length [1]"},
       {"elastic energy", "of bending, twist and stretch [force length]"},
       {"energy",
        "elastic energy and potential of the loads that have one [force "
        "length]"},
       {"start force x",
        "with which the start is held, likewise y and z [force]"},
       {"start force y", ""},
       {"start force z", ""},
       {"end force x", "with which the end is held, likewise y and z [force]"},
       {"end force y", ""},
       {"end force z", ""}}};
    return all;
  }

  std::shared_ptr<const Marker>
  RodModel::section(double /*s*/) const
  {
    throw InputError("rods of this model cannot be joined to anything");
  }

  double
  RodModel::bending_unit() const
  {
    return body.stiffness_factor * std::min(body.bending_1, body.bending_2);
  }

  double
  RodModel::energy_unit() const
  {
    return bending_unit() / body.length;
  }

  Vector3
  RodModel::curvature_stiffness() const
  {
    return Vector3(body.twisting, body.bending_1, body.bending_2) *
           (body.stiffness_factor / bending_unit());
  }

  double
  RodModel::axial_stiffness(const double inextensible) const
  {
    return body.axial > 0. ? body.stiffness_factor * body.axial * body.length *
                               body.length / bending_unit()
                           : inextensible;
  }

  std::array<double, 2>
  RodModel::shear_stiffness(const double unshearable) const
  {
    const double unit =
      body.stiffness_factor * body.length * body.length / bending_unit();
    return {{body.shear_1 > 0. ? unit * body.shear_1 : unshearable,
             body.shear_2 > 0. ? unit * body.shear_2 : unshearable}};
  }

  void
  RodModel::refuse_shear() const
  {
    if (body.shear_1 != 0. || body.shear_2 != 0.)
      throw InputError("sections of this model stay normal to the centreline; "
                       "'kirchhoff rod' has rods that shear",
                       "Rod/Shear deformation");
  }

  Vector3
  RodModel::natural_strain() const
  {
    return body.length * body.natural_strain();
  }

  Vector3
  RodModel::weight_per_length() const
  {
    return body.mass_per_length * body.gravity * std::pow(body.length, 3) /
           bending_unit() * direction_of(body.gravity_direction);
  }

  Vector3
  RodModel::end_force() const
  {
    return body.end_force * body.length * body.length / bending_unit() *
           direction_of(body.end_force_direction);
  }

  double
  RodModel::end_moment() const
  {
    return body.end_moment * body.length / bending_unit();
  }

  bool
  RodModel::has_potential() const
  {
    return !force_follows() && !moment_is_fixed();
  }

  bool
  RodModel::force_follows() const
  {
    return body.end_force_follows && body.end_force != 0.;
  }

  end_loads::FollowingForce
  RodModel::following_force(const Vector4 &end_frame) const
  {
    const Eigen::Matrix3d reference =
      quaternion::to_matrix(moment_potential.reference_frame());
    return end_loads::following_force(reference.transpose() * end_force(),
                                      end_frame);
  }

  bool
  RodModel::moment_is_fixed() const
  {
    return !body.end_moment_has_potential && body.end_moment != 0.;
  }

  end_loads::FixedMoment
  RodModel::fixed_moment(const Vector4 &end_frame) const
  {
    return end_loads::fixed_moment(end_moment() *
                                     direction_of(body.end_moment_axis),
                                   end_frame);
  }

  RodModel::Placement
  RodModel::curved_placement(const double s) const
  {
    const Vector3 kappa = body.length * body.initial_strain;
    const Vector4 frame = frame_quaternion(body.start_frame);
    const Vector3 start =
      body.start.position.value_or(Vector3::Zero()) / body.length;
    return {start + quaternion::rotate(frame, helix_position(kappa, s)),
            quaternion::product(frame,
                                quaternion::from_rotation_vector(kappa * s))};
  }

  RodModel::Placement
  RodModel::initial_placement(const double s) const
  {
    // Where the end is held elsewhere than the shape has it, the shape is
    // sheared linearly to meet it.
    Placement placement = curved_placement(s);
    if (body.end.position)
      placement.position +=
        s * (*body.end.position / body.length - curved_placement(1.).position);
    return placement;
  }

  RodModel::Placement
  RodModel::held_placement(const RodSide side) const
  {
    const RodEnd   &end = side == RodSide::start ? body.start : body.end;
    const Placement initial =
      initial_placement(side == RodSide::start ? 0. : 1.);

    const Vector3 displacement =
      end.displacement / body.length * direction_of(end.displacement_direction);
    const Vector4 frame =
      end.frame ? nearer(frame_quaternion(*end.frame), initial.frame)
                : initial.frame;
    return {initial.position + displacement,
            quaternion::product(quaternion::from_axis_angle(end.rotation_axis,
                                                            end.rotation_angle),
                                frame)};
  }

  std::vector<RodStation>
  RodModel::stations(const Vector &q) const
  {
    return gather_stations(layout().communicator, local_stations(q));
  }

  Vector3
  RodModel::reaction(const Vector &q, const RodSide side) const
  {
    return reactions(q)[side == RodSide::start ? 0 : 1];
  }

  std::optional<Vector4>
  RodModel::loaded_frame(const Vector & /*q*/) const
  {
    return {};
  }

  bool
  RodModel::owns_end_load() const
  {
    return false;
  }

  bool
  RodModel::commit(const Vector &q)
  {
    if (const auto frame = loaded_frame(q))
      moment_potential.accept(moment_potential.angle(*frame));
    return false;
  }

  Vector
  RodModel::history() const
  {
    return Vector::Constant(owns_end_load() ? 1 : 0,
                            moment_potential.accepted_angle());
  }

  void
  RodModel::set_history(const Vector &history)
  {
    if (owns_end_load())
      moment_potential.accept(history(0));
  }

  Places
  RodModel::history_places() const
  {
    return owns_end_load() ? Places{1, {0}, {0}} : Places{1, {}, {}};
  }

  std::vector<Measurement>
  RodModel::measure(const Vector &q) const
  {
    const std::vector<RodStation> rod = local_stations(q);
    const StationsAround around = stations_around(layout().communicator, rod);
    const Vector3        end    = around.last.position;
    const Vector3        span   = end - around.first.position;

    double total_twist = 0., stored = 0., largest_curvature = 0.,
           largest_stretch = 0.;
    for (std::size_t i = 0; i < rod.size(); ++i)
      {
        // The trapezoidal rule over the stations.
        const double here  = rod[i].arc_length;
        const double left  = i > 0           ? here - rod[i - 1].arc_length
                             : around.before ? here - around.before->arc_length
                                             : 0.;
        const double right = i + 1 < rod.size() ? rod[i + 1].arc_length - here
                             : around.behind ? around.behind->arc_length - here
                                             : 0.;
        const double ds    = 0.5 * (left + right);
        total_twist += std::abs(rod[i].strain(0)) * ds;
        stored += rod[i].energy_density * ds;
        largest_curvature =
          std::max(largest_curvature, rod[i].strain.tail<2>().norm());
        largest_stretch = std::max(largest_stretch, std::abs(rod[i].stretch));
      }
    double sums[]    = {total_twist, stored, energy(q)};
    double largest[] = {largest_curvature, largest_stretch};
    MPI_Allreduce(
      MPI_IN_PLACE, sums, 3, MPI_DOUBLE, MPI_SUM, layout().communicator);
    MPI_Allreduce(
      MPI_IN_PLACE, largest, 2, MPI_DOUBLE, MPI_MAX, layout().communicator);

    const auto [start_force, end_reaction] = reactions(q);
    return {{"end x", end.x()},
            {"end y", end.y()},
            {"end z", end.z()},
            {"end distance", span.norm()},
            {"total twist", sums[0]},
            {"largest curvature", largest[0]},
            {"largest stretch", largest[1]},
            {"elastic energy", sums[1]},
            {"energy", sums[2] * energy_unit()},
            {"start force x", start_force.x()},
            {"start force y", start_force.y()},
            {"start force z", start_force.z()},
            {"end force x", end_reaction.x()},
            {"end force y", end_reaction.y()},
            {"end force z", end_reaction.z()}};
  }

  Drawing
  RodModel::draw(const Vector &q) const
  {
    // A piece reaches to the first station of the next one.
    std::vector<RodStation> rod = local_stations(q);
    const StationsAround around = stations_around(layout().communicator, rod);
    if (!rod.empty() && around.behind)
      rod.push_back(*around.behind);
    if (rod.size() == 1) // the end of the piece before
      rod.clear();
    const auto n = static_cast<Index>(rod.size());

    Eigen::MatrixXd arc_length(1, n), radius(1, n), stretch(1, n), twist(1, n),
      curvature_1(1, n), curvature_2(1, n), energy_density(1, n), tangent(3, n),
      director_1(3, n), director_2(3, n);
    Drawing       drawing;
    Drawing::Cell line{Drawing::Shape::poly_line, {}};
    for (Index i = 0; i < n; ++i)
      {
        drawing.points.push_back(rod[i].position);
        line.points.push_back(i);
        const Eigen::Matrix3d R = quaternion::to_matrix(rod[i].frame);
        arc_length(i)           = rod[i].arc_length;
        radius(i)               = body.radius;
        stretch(i)              = rod[i].stretch;
        twist(i)                = rod[i].strain(0);
        curvature_1(i)          = rod[i].strain(1);
        curvature_2(i)          = rod[i].strain(2);
        energy_density(i)       = rod[i].energy_density;
        tangent.col(i)          = R.col(0);
        director_1.col(i)       = R.col(1);
        director_2.col(i)       = R.col(2);
      }
    if (n > 0)
      drawing.cells = {line};
    drawing.point_fields = {{"radius", radius},
                            {"arc_length", arc_length},
                            {"tangent", tangent},
                            {"director_1", director_1},
                            {"director_2", director_2},
                            {"twist", twist},
                            {"curvature_1", curvature_1},
                            {"curvature_2", curvature_2},
                            {"stretch", stretch},
                            {"energy_density", energy_density}};
    if (body.width > 0.)
      for (const auto &[name, side] :
           {std::make_pair("width", body.width),
            std::make_pair("thickness", body.thickness)})
        drawing.point_fields.push_back(
          {name, Eigen::MatrixXd::Constant(1, n, side)});
    for (const Parameter &p : parameters())
      drawing.globals.emplace_back(p.name, *p.value);
    return drawing;
  }

  void
  RodModel::check_damping(const DissipationOptions &options)
  {
    if (options.lambda != 0. || options.mu != 0.)
      throw InputError("'Lambda' and 'Mu' damp the membranes of shells; a rod "
                       "has 'Stretch', 'Bending' and 'Twist'",
                       options.mu != 0. ? "Damping/Mu" : "Damping/Lambda");
  }

  void
  RodModel::refuse_power_law(const DissipationOptions &options)
  {
    if (options.is_power_law())
      throw InputError("of the rods, 'discrete elastic rod' alone has a power "
                       "law of damping",
                       "Damping/Exponent");
  }

  MomentPotential::MomentPotential(const Vector3 &axis,
                                   const Vector4 &reference_frame)
    : u(reference_frame)
  {
    Vector4 a;
    a << 0., direction_of(axis);
    v = quaternion::product(a, reference_frame);
  }

  double
  MomentPotential::angle(const Vector4 &q) const
  {
    constexpr double period = 12.566370614359172; // 4 pi
    const double     angle  = 2. * std::atan2(v.dot(q), u.dot(q));
    return angle + period * std::round((accepted - angle) / period);
  }

  void
  MomentPotential::accept(const double angle)
  {
    accepted = angle;
  }

  double
  MomentPotential::accepted_angle() const
  {
    return accepted;
  }

  Vector4
  MomentPotential::gradient(const Vector4 &q) const
  {
    const double x = u.dot(q), y = v.dot(q);
    return 2. * (x * v - y * u) / (x * x + y * y);
  }

  Eigen::Matrix4d
  MomentPotential::hessian(const Vector4 &q) const
  {
    const double x = u.dot(q), y = v.dot(q);
    const double n2 = std::pow(x * x + y * y, 2);
    return 2. / n2 *
           (2. * x * y * (u * u.transpose() - v * v.transpose()) +
            (y * y - x * x) * (u * v.transpose() + v * u.transpose()));
  }

  double
  graded_point(const int i, const int n, const double grading)
  {
    if (grading == 1. || n == 1)
      return static_cast<double>(i) / n;
    const double growth = std::log(grading) / (n - 1); // from one to the next
    return std::expm1(i * growth) / std::expm1(n * growth);
  }

  std::vector<double>
  graded_points(const int n, const double grading)
  {
    std::vector<double> points(n + 1);
    for (int i = 0; i <= n; ++i)
      points[i] = graded_point(i, n, grading);
    return points;
  }
} // namespace slender

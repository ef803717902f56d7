// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/ribbons/ribbon.h>
#include <slender/models/rods/quaternion.h>

#include <functional>
#include <numeric>

namespace slender
{
  namespace
  {
    constexpr int stations_per_element = 8;

    void
    check_body(const RodBody &body)
    {
      if (!(body.width > 0.) || !(body.thickness > 0.))
        throw InputError("a ribbon has a rectangular section: 'set Section = "
                         "rectangular', with its 'Width' and 'Thickness'",
                         "Rod/Section");
      if (body.width < body.thickness)
        throw InputError("a ribbon is wider than it is thick", "Rod/Width");
      if (body.start.position_fixed != RodEnd::clamped().position_fixed ||
          body.start.rotation != RodEnd::Rotation::fixed)
        throw InputError("the start of a ribbon must be clamped, as its shape "
                         "is integrated from there",
                         "Start/Hold");
      if (body.end_force_follows || !body.end_moment_has_potential)
        throw InputError("ribbons take loads with a potential alone; a force "
                         "that follows the end and a moment that is fixed in "
                         "space are for 'kirchhoff rod' and 'discrete elastic "
                         "rod'",
                         body.end_force_follows
                           ? "Loads/End force follows"
                           : "Loads/End moment has potential");
      const auto &fixed = body.end.position_fixed;
      if (std::find(fixed.begin(), fixed.end(), true) != fixed.end() ||
          body.end.rotation != RodEnd::Rotation::free)
        throw InputError("the end of a ribbon must be free; ribbons that are "
                         "held at both ends are for 'koiter shell'",
                         "End/Hold");
      if (body.natural_twist != 0.)
        throw InputError("a ribbon has no natural twist: a strip that is cut "
                         "from a sheet is flat or rolled up",
                         "Rod/Natural twist");
      if (body.initial_strain(0) != 0.)
        throw InputError("the initial shape of a ribbon must be without twist, "
                         "as its clamp does not let it twist there",
                         "Rod/Initial strain");
    }
  } // namespace

  Ribbon::Ribbon(const RodBody                           &ribbon_body,
                 std::unique_ptr<ribbons::RibbonElements> its_elements,
                 MPI_Comm                                 communicator)
    : RodModel(ribbon_body)
    , elements(std::move(its_elements))
    , reference(ribbon_body)
  {
    check_body(body);
    const auto own = [](const std::string &name) {
      for (const Quantity &quantity : ribbon_quantities().parameters)
        if (quantity.name == name)
          return quantity.description;
      throw std::logic_error("a ribbon has no '" + name + "'");
    };
    add_parameter("width", own("width"), body.width, body.length);
    add_parameter("gravity tilt", own("gravity tilt"), gravity_tilt, 1.);

    int rank;
    MPI_Comm_rank(communicator, &rank);
    the_layout.communicator = communicator;
    the_layout.size         = elements->n_unknowns();
    the_layout.begin        = rank == 0 ? 0 : the_layout.size;
    the_layout.end          = the_layout.size;

    moment_potential =
      MomentPotential(body.end_moment_axis, initial_placement(1.).frame);
    Ribbon::parameters_changed();
  }

  RodBody
  strip_body(const double length,
             const double width,
             const double thickness,
             const double young,
             const double poisson,
             const double density)
  {
    const double area = width * thickness;
    RodBody      body;
    body.length          = length;
    body.width           = width;
    body.thickness       = thickness;
    body.poisson         = poisson;
    body.axial           = young * area;
    body.bending_1       = young * area * thickness * thickness / 12.;
    body.bending_2       = young * area * width * width / 12.;
    body.twisting        = 2. * body.bending_1 / (1. + poisson);
    body.mass_per_length = density * area;
    return body;
  }

  const Quantities &
  ribbon_quantities()
  {
    static const Quantities all = [] {
      Quantities quantities = rod_quantities();
      quantities.parameters.push_back(
        {"width", "width of the ribbon [length]"});
      quantities.parameters.push_back(
        {"gravity tilt",
         "rotation of the direction of gravity about the tangent at the start "
         "[rad]"});
      for (const std::string corner : {"top", "bottom"})
        for (const std::string c : {"x", "y", "z"})
          quantities.measurements.push_back(
            {corner + " displacement " + c,
             c != "x" ? ""
             : corner == "top"
               ? "of the corner of the end on the side of director 1, "
                 "likewise y and z [length]"
               : "of the other corner of the end, likewise y and z "
                 "[length]"});
      return quantities;
    }();
    return all;
  }

  void
  Ribbon::parameters_changed()
  {
    // Everything else of the section follows the width.
    const double factor  = body.width / reference.width;
    body.axial           = factor * reference.axial;
    body.bending_1       = factor * reference.bending_1;
    body.bending_2       = std::pow(factor, 3) * reference.bending_2;
    body.twisting        = factor * reference.twisting;
    body.mass_per_length = factor * reference.mass_per_length;
    body.radius          = std::sqrt(factor) * reference.radius;

    ribbons::Section section;
    section.width          = body.width / body.length;
    section.thickness      = body.thickness / body.length;
    section.poisson        = body.poisson;
    section.natural_strain = natural_strain();
    elements->set_section(section);

    const Placement first = held_placement(RodSide::start);
    start                 = {first.position, first.frame};
  }

  const Layout &
  Ribbon::layout() const
  {
    return the_layout;
  }

  Vector
  Ribbon::initial_state() const
  {
    if (layout().n_owned() == 0)
      return Vector();
    return elements->initial_state(body.length * body.initial_strain);
  }

  Vector3
  Ribbon::weight() const
  {
    const Vector3 axis = quaternion::rotate(start.frame, Vector3::UnitX());
    return quaternion::rotate(quaternion::from_axis_angle(axis, gravity_tilt),
                              weight_per_length());
  }

  ribbons::Loads
  Ribbon::loads(const Vector4 &end_frame) const
  {
    ribbons::Loads result;
    result.weight    = weight();
    result.end_force = end_force();
    if (end_moment() != 0.)
      curvature::turn_end(end_frame,
                          -end_moment() * moment_potential.gradient(end_frame),
                          -end_moment() * moment_potential.hessian(end_frame),
                          result);
    return result;
  }

  bool
  Ribbon::owns_end_load() const
  {
    return layout().n_owned() > 0;
  }

  std::optional<Vector4>
  Ribbon::loaded_frame(const Vector &q) const
  {
    if (!owns_end_load())
      return {};
    return elements->integrate(q, start).end.frame;
  }

  double
  Ribbon::energy(const Vector &q) const
  {
    if (layout().n_owned() == 0)
      return 0.;
    const ribbons::Shape shape = elements->integrate(q, start);
    const ribbons::Loads load  = loads(shape.end.frame);
    double               sum   = -elements->work(shape, load) -
                 (load.weight + load.end_force).dot(start.position);
    if (end_moment() != 0.)
      sum -= end_moment() * moment_potential.angle(shape.end.frame);
    for (Index element = 0; element < elements->n_elements(); ++element)
      sum += elements->elastic(element, elements->gather(element, q)).energy;
    return sum;
  }

  Vector
  Ribbon::gradient(const Vector &q) const
  {
    if (layout().n_owned() == 0)
      return Vector();
    const ribbons::Shape shape = elements->integrate(q, start);
    Vector               g     = Vector::Zero(q.size());
    elements->add_work_gradient(shape, loads(shape.end.frame), -1., g);
    for (Index element = 0; element < elements->n_elements(); ++element)
      {
        const auto &numbers = elements->unknowns(element);
        const auto e = elements->elastic(element, elements->gather(element, q));
        for (std::size_t i = 0; i < numbers.size(); ++i)
          if (numbers[i] >= 0)
            g(numbers[i]) += e.gradient(static_cast<Index>(i));
      }
    return g;
  }

  void
  Ribbon::hessian(const Vector &q, HessianSink &sink) const
  {
    if (layout().n_owned() == 0)
      return;
    const ribbons::Shape shape = elements->integrate(q, start);
    Eigen::MatrixXd      H     = Eigen::MatrixXd::Zero(q.size(), q.size());
    elements->add_work_hessian(shape, loads(shape.end.frame), -1., H);
    for (Index element = 0; element < elements->n_elements(); ++element)
      {
        const auto &numbers = elements->unknowns(element);
        const auto e = elements->elastic(element, elements->gather(element, q));
        for (std::size_t i = 0; i < numbers.size(); ++i)
          for (std::size_t j = 0; j < numbers.size(); ++j)
            if (numbers[i] >= 0 && numbers[j] >= 0)
              H(numbers[i], numbers[j]) +=
                e.hessian(static_cast<Index>(i), static_cast<Index>(j));
      }
    std::vector<Index> all(q.size());
    std::iota(all.begin(), all.end(), 0);
    sink.add(all.data(), static_cast<Index>(all.size()), H.data());
  }

  double
  Ribbon::longest_step(const Vector &q, const Vector &direction) const
  {
    double longest = std::numeric_limits<double>::infinity();
    if (layout().n_owned() > 0)
      longest = elements->longest_step(q, direction);
    MPI_Bcast(&longest, 1, MPI_DOUBLE, 0, layout().communicator);
    return longest;
  }

  std::array<Vector3, 2>
  Ribbon::reactions(const Vector & /*q*/) const
  {
    const double unit = energy_unit() / body.length;
    return {{-unit * (weight() + end_force()), Vector3::Zero()}};
  }

  Vector
  Ribbon::moved(const Vector &q,
                const Vector4 & /*rotation*/,
                const Vector3 & /*translation*/) const
  {
    return q;
  }

  Ribbon::Sections
  Ribbon::sections(const Vector &q) const
  {
    const double                L    = body.length;
    ribbons::Pose               pose = start;
    std::vector<ribbons::Piece> pieces;
    Sections                    result;
    const auto add = [&](const Index element, const double xi) {
      const ribbons::LocalVector u = elements->gather(element, q);
      const ribbons::Measures    m = elements->measures(element, xi, u);
      const Eigen::Matrix3d      R = quaternion::to_matrix(pose.frame);
      const double               s =
        elements->begin(element) + xi * elements->length(element);
      const double bend  = elements->transverse_curvature(element, xi, u) / L;
      const auto   slope = elements->slope(element, xi, u);
      result.stations.push_back(
        {L * s,
         L * pose.position,
         pose.frame,
         m.kappa() / L,
         m.value(ribbons::stretch),
         elements->density(element, xi, u) * energy_unit() / L});
      result.strips.push_back({R.col(1) + slope.value_or(0.) * R.col(0),
                               R.col(2),
                               bend,
                               slope ? 0. : bend});
    };
    add(0, 0.);
    for (Index element = 0; element < elements->n_elements(); ++element)
      for (int i = 1; i <= stations_per_element; ++i)
        {
          const double xi = static_cast<double>(i) / stations_per_element;
          pieces.clear();
          elements->integrate(q,
                              element,
                              static_cast<double>(i - 1) / stations_per_element,
                              xi,
                              pose,
                              pieces);
          add(element, xi);
        }
    result.stations.back().arc_length = L;
    return result;
  }

  std::vector<RodStation>
  Ribbon::local_stations(const Vector &q) const
  {
    if (layout().n_owned() == 0)
      return {};
    return sections(q).stations;
  }

  std::vector<Measurement>
  Ribbon::measure(const Vector &q) const
  {
    std::vector<Measurement> result = RodModel::measure(q);
    // On the parabola across the end, whatever the surface is drawn along.
    std::array<Vector3, 2> corners;
    if (layout().n_owned() > 0)
      {
        const Index                last    = elements->n_elements() - 1;
        const ribbons::LocalVector u       = elements->gather(last, q);
        const ribbons::Pose        end     = elements->integrate(q, start).end;
        const Eigen::Matrix3d      R       = quaternion::to_matrix(end.frame);
        const Placement            initial = initial_placement(1.);
        const Eigen::Matrix3d      R0   = quaternion::to_matrix(initial.frame);
        const double               half = body.width / 2.;
        const double               bend =
          elements->transverse_curvature(last, 1., u) / body.length;
        for (int i = 0; i < 2; ++i)
          {
            const double y = i == 0 ? half : -half;
            corners[i]     = body.length * (end.position - initial.position) +
                         y * (R.col(1) - R0.col(1)) -
                         0.5 * y * y * bend * R.col(2);
          }
      }
    MPI_Bcast(corners[0].data(), 3, MPI_DOUBLE, 0, layout().communicator);
    MPI_Bcast(corners[1].data(), 3, MPI_DOUBLE, 0, layout().communicator);
    for (int i = 0; i < 2; ++i)
      for (int c = 0; c < 3; ++c)
        result.push_back(
          {std::string(i == 0 ? "top" : "bottom") + " displacement " + "xyz"[c],
           corners[i](c)});
    return result;
  }

  Drawing
  Ribbon::draw(const Vector &q) const
  {
    constexpr int n_across = 9;
    Drawing       drawing;
    const bool    is_here = layout().n_owned() > 0;
    const auto    drawn   = is_here ? sections(q) : Sections();
    const auto    n       = static_cast<Index>(drawn.stations.size());

    struct Scalar
    {
      const char                               *name;
      std::function<double(const RodStation &)> value;
    };
    const std::vector<Scalar> scalars = {
      {"arc_length", [](const RodStation &s) { return s.arc_length; }},
      {"twist", [](const RodStation &s) { return s.strain(0); }},
      {"curvature_1", [](const RodStation &s) { return s.strain(1); }},
      {"curvature_2", [](const RodStation &s) { return s.strain(2); }},
      {"stretch", [](const RodStation &s) { return s.stretch; }},
      {"energy_density", [](const RodStation &s) { return s.energy_density; }}};
    for (const Scalar &scalar : scalars)
      drawing.point_fields.push_back(
        {scalar.name, Eigen::MatrixXd(1, n_across * n)});
    Eigen::MatrixXd transverse(1, n_across * n), normal(3, n_across * n);
    for (Index i = 0; i < n; ++i)
      for (int j = 0; j < n_across; ++j)
        {
          const RodStation &station = drawn.stations[i];
          const Strip      &strip   = drawn.strips[i];
          const double      y =
            body.width * (static_cast<double>(j) / (n_across - 1) - 0.5);
          const Index point = i * n_across + j;
          drawing.points.push_back(station.position + y * strip.across -
                                   0.5 * y * y * strip.curl * strip.normal);
          for (std::size_t k = 0; k < scalars.size(); ++k)
            drawing.point_fields[k].values(point) = scalars[k].value(station);
          transverse(point) = strip.bend;
          normal.col(point) = strip.normal;
          if (i + 1 < n && j + 1 < n_across)
            drawing.cells.push_back(
              {Drawing::Shape::quad,
               {point, point + n_across, point + n_across + 1, point + 1}});
        }
    drawing.point_fields.push_back({"transverse_curvature", transverse});
    drawing.point_fields.push_back({"normal", normal});
    for (const Parameter &p : parameters())
      drawing.globals.emplace_back(p.name, *p.value);
    return drawing;
  }
} // namespace slender

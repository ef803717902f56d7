// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/direction.h>
#include <slender/base/errors.h>
#include <slender/studies/check_idle.h>
#include <slender/studies/rod_parameters.h>
#include <slender/studies/vector_parameter.h>

#include <deal.II/base/parameter_handler.h>

#include <boost/math/constants/constants.hpp>

#include <map>
#include <tuple>

namespace slender
{
  namespace
  {
    using namespace dealii::Patterns;

    constexpr double pi = boost::math::constants::pi<double>();

    const std::string rotation_choices = "free|fixed|about x|about y|about z";

    RodEnd::Rotation
    rotation_from(const std::string &name)
    {
      return name == "fixed"     ? RodEnd::Rotation::fixed
             : name == "about x" ? RodEnd::Rotation::about_x
             : name == "about y" ? RodEnd::Rotation::about_y
             : name == "about z" ? RodEnd::Rotation::about_z
                                 : RodEnd::Rotation::free;
    }

    /// Saint-Venant's torsion constant of a rectangle: the classical series,
    /// of which ten terms are exact to round-off.
    double
    torsion_constant(const double side_1, const double side_2)
    {
      const double a   = std::max(side_1, side_2);
      const double b   = std::min(side_1, side_2);
      double       sum = 0.;
      for (int n = 1; n < 20; n += 2)
        sum += std::tanh(n * pi * a / (2. * b)) / std::pow(n, 5);
      return a * std::pow(b, 3) / 3. *
             (1. - 192. / std::pow(pi, 5) * b / a * sum);
    }

    bool
    holds_position(const RodEnd &end)
    {
      const auto &fixed = end.position_fixed;
      return std::find(fixed.begin(), fixed.end(), true) != fixed.end();
    }
  } // namespace

  void
  RodParameters::declare(dealii::ParameterHandler &prm)
  {
    prm.enter_subsection("Rod");
    prm.add_parameter("Length",
                      length,
                      "Length of the rod [length].",
                      Double(1e-12));
    prm.add_parameter("Section",
                      section,
                      "Shape of the cross-section; 'stiffnesses' takes the "
                      "stiffnesses as they are given instead of computing them "
                      "from shape and material.",
                      Selection("circular|rectangular|stiffnesses"));
    prm.add_parameter("Radius",
                      radius,
                      "Radius of a circular section [length]; for "
                      "'stiffnesses' it is used for drawing only.",
                      Double(1e-15));
    prm.add_parameter(
      "Width",
      width,
      "Side of a rectangular section along director 1 [length].",
      Double(1e-15));
    prm.add_parameter("Thickness",
                      thickness,
                      "Side of a rectangular section along director 2 = "
                      "tangent x director 1 [length].",
                      Double(1e-15));
    prm.add_parameter("Young's modulus",
                      young_modulus,
                      "Young's modulus [force/length^2].",
                      Double(1e-300));
    prm.add_parameter("Poisson's ratio",
                      poisson_ratio,
                      "Poisson's ratio [1].",
                      Double(-0.999, 0.5));
    prm.add_parameter("Density",
                      density,
                      "Mass density [mass/length^3].",
                      Double(0.));
    prm.add_parameter("Bending stiffness 1",
                      bending_1,
                      "For 'stiffnesses': bending about director 1 [force "
                      "length^2].",
                      Double(1e-300));
    prm.add_parameter("Bending stiffness 2",
                      bending_2,
                      "For 'stiffnesses': bending about director 2 [force "
                      "length^2].",
                      Double(1e-300));
    prm.add_parameter("Twisting stiffness",
                      twisting,
                      "For 'stiffnesses': twisting [force length^2].",
                      Double(1e-300));
    prm.add_parameter("Axial stiffness",
                      axial,
                      "For 'stiffnesses': stretching [force]; 0 if the rod "
                      "does not stretch.",
                      Double(0.));
    prm.add_parameter("Mass per length",
                      mass_per_length,
                      "For 'stiffnesses': mass of the rod [mass/length].",
                      Double(0.));
    prm.add_parameter("Inextensible",
                      inextensible,
                      "Do not let the rod stretch, whatever its material.");
    prm.add_parameter("Shear deformation",
                      shears,
                      "Let sections shear against the centreline, as those of "
                      "thick rods do (Timoshenko); model 'kirchhoff rod' "
                      "alone.");
    prm.add_parameter("Shear coefficient",
                      shear_coefficient,
                      "Of a section that shears: shear stiffness over shear "
                      "modulus and area [1]; 0 for Cowper's of the shape.",
                      Double(0., 10.));
    prm.add_parameter("Shear stiffness",
                      shear_stiffness,
                      "For 'stiffnesses' of a section that shears [force].",
                      Double(0.));
    prm.add_parameter("Natural twist",
                      natural_twist,
                      "Twist of the stress-free rod [1/length].",
                      Double());
    prm.add_parameter("Natural curvature 1",
                      natural_curvature_1,
                      "Curvature about director 1 of the stress-free rod "
                      "[1/length].",
                      Double());
    prm.add_parameter("Natural curvature 2",
                      natural_curvature_2,
                      "Curvature about director 2 of the stress-free rod "
                      "[1/length].",
                      Double());
    prm.add_parameter("Initial shape",
                      initial_shape,
                      "'natural' starts from the stress-free shape; 'straight' "
                      "from a straight rod and 'bent' from one with the "
                      "'Initial strain'; then natural curvatures and twist "
                      "grow with the loads. Held ends are where this shape has "
                      "them.",
                      Selection("straight|natural|bent"));
    add_vector(prm,
               "Initial strain",
               initial_strain,
               "For 'bent': twist, curvature about director 1 and curvature "
               "about director 2 of the initial shape [1/length].");
    add_vector(prm,
               "Tangent",
               tangent,
               "Direction in which the rod leaves its start [1].");
    add_vector(prm,
               "Director 1",
               director,
               "Direction of the material director 1 at the start [1]; its "
               "part along the tangent does not count.");
    prm.leave_subsection();

    declare_end(prm, "Start", start);
    declare_end(prm, "End", end);

    prm.enter_subsection("Loads");
    prm.add_parameter("Gravity",
                      gravity,
                      "Acceleration of gravity [length/time^2].",
                      Double());
    add_vector(prm,
               "Gravity direction",
               gravity_direction,
               "Direction of gravity [1].");
    prm.add_parameter("End force",
                      end_force,
                      "Force on the end of the rod [force]; fixed in space, or "
                      "see 'End force follows'.",
                      Double());
    add_vector(prm,
               "End force direction",
               end_force_direction,
               "Direction of that force [1].");
    prm.add_parameter("End force follows",
                      end_force_follows,
                      "Whether that force turns with the end of the rod, as a "
                      "thrust does; its direction is that at the initial "
                      "shape. Such a force has no potential: equilibria that "
                      "are stable at rest may flutter.");
    prm.add_parameter(
      "End moment",
      end_moment,
      "Moment on the end of the rod about an axis that is fixed "
      "in space [force length].",
      Double());
    add_vector(prm,
               "End moment axis",
               end_moment_axis,
               "Axis of that moment [1].");
    prm.add_parameter("End moment has potential",
                      end_moment_has_potential,
                      "Whether the moment is that of a potential, with the "
                      "given component along its axis in every orientation but "
                      "others as soon as the end tilts away from that axis. "
                      "Without it, the moment is fixed in space. Where the end "
                      "turns about the axis alone, they are the same.");
    prm.leave_subsection();
  }

  void
  RodParameters::declare_end(dealii::ParameterHandler &prm,
                             const std::string        &section_name,
                             End                      &held)
  {
    prm.enter_subsection(section_name);
    prm.add_parameter("Hold",
                      held.hold,
                      "'clamped' fixes position and orientation, 'pinned' the "
                      "position, 'free' nothing; 'custom' what 'Fixed "
                      "directions' and 'Rotation' say.",
                      Selection("clamped|pinned|free|custom"));
    prm.add_parameter("Fixed directions",
                      held.fixed_directions,
                      "For 'custom': the coordinate directions in which the "
                      "position is fixed, such as 'y, z'.",
                      MultipleSelection("x|y|z"));
    prm.add_parameter(
      "Rotation",
      held.rotation,
      "For 'custom': whether the orientation is free, fixed, or "
      "may turn about one coordinate axis only.",
      Selection(rotation_choices));
    prm.add_parameter(
      "Position",
      held.position,
      "Where it is held [length], as 'x, y, z'; empty for where "
      "the initial shape has it.",
      Anything());
    prm.add_parameter("Displacement",
                      held.displacement,
                      "Displacement of the held position under load [length].",
                      Double());
    add_vector(prm,
               "Displacement direction",
               held.displacement_direction,
               "Direction of that displacement [1].");
    prm.add_parameter("Rotation angle",
                      held.rotation_angle,
                      "Rotation of the held orientation under load [rad].",
                      Double());
    add_vector(prm,
               "Rotation axis",
               held.rotation_axis,
               "Axis of that rotation [1].");
    prm.leave_subsection();
  }

  void
  RodParameters::check_end(const std::string &name, const End &held) const
  {
    if (held.hold != "custom" && !held.fixed_directions.empty())
      throw InputError("'Fixed directions' says something only where 'Hold' is "
                       "'custom', but it is '" +
                         held.hold + "'",
                       name + "/Fixed directions");
    if (held.hold != "custom" && held.rotation != "free")
      throw InputError("'Rotation' says something only where 'Hold' is "
                       "'custom', but it is '" +
                         held.hold + "'",
                       name + "/Rotation");
    parse_position(held.position, name + "/Position");
  }

  void
  RodParameters::check_section() const
  {
    const RodParameters usual;
    const bool          is_given = section == "stiffnesses";
    const std::string   of_material =
      "'Section' is 'circular' or 'rectangular', but it is '" + section + "'";
    const std::string of_stiffnesses =
      "'Section' is 'stiffnesses', but it is '" + section + "'";
    const std::string of_rectangle =
      "'Section' is 'rectangular', but it is '" + section + "'";
    const bool is_rectangle = section == "rectangular";

    check_idle(!is_rectangle,
               radius,
               usual.radius,
               "Rod/Radius",
               "'Section' is 'circular' or 'stiffnesses'");
    check_idle(is_rectangle, width, usual.width, "Rod/Width", of_rectangle);
    check_idle(
      is_rectangle, thickness, usual.thickness, "Rod/Thickness", of_rectangle);
    check_idle(!is_given,
               young_modulus,
               usual.young_modulus,
               "Rod/Young's modulus",
               of_material);
    check_idle(!is_given,
               poisson_ratio,
               usual.poisson_ratio,
               "Rod/Poisson's ratio",
               of_material);
    check_idle(!is_given, density, usual.density, "Rod/Density", of_material);
    check_idle(is_given,
               bending_1,
               usual.bending_1,
               "Rod/Bending stiffness 1",
               of_stiffnesses);
    check_idle(is_given,
               bending_2,
               usual.bending_2,
               "Rod/Bending stiffness 2",
               of_stiffnesses);
    check_idle(is_given,
               twisting,
               usual.twisting,
               "Rod/Twisting stiffness",
               of_stiffnesses);
    check_idle(
      is_given, axial, usual.axial, "Rod/Axial stiffness", of_stiffnesses);
    check_idle(is_given,
               mass_per_length,
               usual.mass_per_length,
               "Rod/Mass per length",
               of_stiffnesses);
    check_idle(shears && !is_given,
               shear_coefficient,
               usual.shear_coefficient,
               "Rod/Shear coefficient",
               "'Shear deformation' is true and 'Section' is not "
               "'stiffnesses'");
    check_idle(shears && is_given,
               shear_stiffness,
               usual.shear_stiffness,
               "Rod/Shear stiffness",
               "'Shear deformation' is true and 'Section' is 'stiffnesses'");
    if (shears && is_given && shear_stiffness == 0.)
      throw InputError("a section that shears needs a shear stiffness above "
                       "zero",
                       "Rod/Shear stiffness");
    check_idle(!inextensible,
               axial,
               usual.axial,
               "Rod/Axial stiffness",
               "'Inextensible' is false");
  }

  void
  RodParameters::check() const
  {
    check_direction(tangent, "Rod/Tangent");
    check_direction(director, "Rod/Director 1");
    if (direction_of(tangent).cross(direction_of(director)).norm() < 1e-6)
      throw InputError("'Director 1' may not be parallel to 'Tangent'",
                       "Rod/Director 1");
    if (initial_shape != "bent" && initial_strain != Vector3::Zero())
      throw InputError("'Initial strain' says something only where 'Initial "
                       "shape' is 'bent', but it is '" +
                         initial_shape + "'",
                       "Rod/Initial strain");
    check_section();
    check_direction(gravity_direction, "Loads/Gravity direction");
    check_direction(end_force_direction, "Loads/End force direction");
    check_direction(end_moment_axis, "Loads/End moment axis");
    for (const auto &[name, held] :
         {std::pair<std::string, const End &>("Start", start),
          std::pair<std::string, const End &>("End", end)})
      {
        check_direction(held.displacement_direction,
                        name + "/Displacement direction");
        check_direction(held.rotation_axis, name + "/Rotation axis");
        check_end(name, held);
      }

    const RodEnd first = make_end(start), last = make_end(end);
    // That of the start says where the rod begins, even if nothing holds it.
    if (!end.position.empty() && !holds_position(last))
      throw InputError("an end whose position is free cannot be held at one",
                       "End/Position");
    for (int c = 0; c < 3; ++c)
      if (!may_be_free && !first.position_fixed[c] && !last.position_fixed[c])
        throw InputError(std::string(
                           "nothing holds the rod in the direction ") +
                           "xyz"[c] + "; clamp, pin or fix one of its ends",
                         "Start/Hold");
    if (!may_be_free && first.rotation == RodEnd::Rotation::free &&
        last.rotation == RodEnd::Rotation::free)
      throw InputError(
        "nothing keeps the rod from spinning about itself; clamp "
        "one of its ends, or let it turn about one axis only: 'set Hold = "
        "custom', 'set Fixed directions = x, y, z', 'set Rotation = about y'",
        "Start/Hold");
    for (const LoadTarget &load : loads())
      check_parameter(load.parameter);
  }

  void
  RodParameters::check_parameter(const std::string &name) const
  {
    for (const auto &[side, section_name, held] :
         {std::tuple<std::string, std::string, const End &>("start",
                                                            "Start",
                                                            start),
          std::tuple<std::string, std::string, const End &>("end", "End", end)})
      {
        const RodEnd made = make_end(held);
        if (name == side + " displacement")
          {
            if (!holds_position(made))
              throw InputError("the " + side +
                                 " of the rod whose position is free cannot "
                                 "be displaced",
                               section_name + "/Displacement");
            check_is_held(held.displacement_direction,
                          made.position_fixed,
                          section_name + "/Displacement direction");
          }
        if (name == side + " rotation" &&
            made.rotation != RodEnd::Rotation::fixed)
          throw InputError("the " + side +
                             " of the rod whose orientation is not fixed "
                             "cannot be rotated",
                           section_name + "/Rotation angle");
      }

    const RodEnd last = make_end(end);
    if (name == "end force" && !end_force_follows &&
        lies_in(end_force_direction, last.position_fixed))
      throw InputError("the end force acts along a direction in which the end "
                       "is fixed, and moves nothing",
                       "Loads/End force");
    if (name == "end force" && end_force_follows &&
        last.rotation == RodEnd::Rotation::fixed)
      throw InputError("the end force cannot follow an end whose orientation "
                       "is fixed",
                       "Loads/End force follows");
    if (name == "end moment" && last.rotation == RodEnd::Rotation::fixed)
      throw InputError("the end moment acts on an end whose orientation is "
                       "fixed, and turns nothing",
                       "Loads/End moment");
    if (name == "gravity" &&
        (section == "stiffnesses" ? mass_per_length : density) == 0.)
      throw InputError("gravity does nothing to a rod without mass",
                       "Loads/Gravity");
  }

  std::string
  RodParameters::path_of_load(const std::string &parameter) const
  {
    static const std::map<std::string, std::string> paths = {
      {"gravity", "Loads/Gravity"},
      {"end force", "Loads/End force"},
      {"end moment", "Loads/End moment"},
      {"start displacement", "Start/Displacement"},
      {"start rotation", "Start/Rotation angle"},
      {"end displacement", "End/Displacement"},
      {"end rotation", "End/Rotation angle"},
      {"natural twist", "Rod/Natural twist"},
      {"natural curvature 1", "Rod/Natural curvature 1"},
      {"natural curvature 2", "Rod/Natural curvature 2"}};
    const auto found = paths.find(parameter);
    return found == paths.end() ? "" : found->second;
  }

  RodEnd
  RodParameters::make_end(const End &held) const
  {
    RodEnd     result;
    const bool holds_position = held.hold == "clamped" || held.hold == "pinned";
    for (int c = 0; c < 3; ++c)
      result.position_fixed[c] =
        holds_position ||
        held.fixed_directions.find("xyz"[c]) != std::string::npos;
    result.rotation = held.hold == "clamped" ? RodEnd::Rotation::fixed
                                             : rotation_from(held.rotation);
    result.position = parse_position(held.position, "");
    result.displacement_direction = held.displacement_direction;
    result.rotation_axis          = held.rotation_axis;
    return result;
  }

  void
  RodParameters::set_section(RodBody &body) const
  {
    const double shear_modulus = young_modulus / (2. * (1. + poisson_ratio));
    if (section == "stiffnesses")
      {
        body.axial           = axial;
        body.bending_1       = bending_1;
        body.bending_2       = bending_2;
        body.twisting        = twisting;
        body.mass_per_length = mass_per_length;
        body.radius          = radius;
        body.shear_1 = body.shear_2 = shears ? shear_stiffness : 0.;
      }
    else if (section == "circular")
      {
        const double area    = pi * radius * radius;
        const double second  = area * radius * radius / 4.;
        body.axial           = young_modulus * area;
        body.bending_1       = young_modulus * second;
        body.bending_2       = young_modulus * second;
        body.twisting        = shear_modulus * 2. * second;
        body.mass_per_length = density * area;
        body.rotary_1        = density * second;
        body.rotary_2        = density * second;
        body.radius          = radius;
      }
    else
      {
        const double area = width * thickness;
        body.axial        = young_modulus * area;
        body.bending_1    = young_modulus * area * thickness * thickness / 12.;
        body.bending_2    = young_modulus * area * width * width / 12.;
        body.twisting     = shear_modulus * torsion_constant(width, thickness);
        body.mass_per_length = density * area;
        body.rotary_1        = density * area * width * width / 12.;
        body.rotary_2        = density * area * thickness * thickness / 12.;
        body.radius          = std::sqrt(area / pi);
        body.width           = width;
        body.thickness       = thickness;
        body.poisson         = poisson_ratio;
      }
    if (section != "stiffnesses" && shears)
      {
        // Cowper, The shear coefficient in Timoshenko's beam theory (1966).
        const double nu       = poisson_ratio;
        const double by_shape = section == "circular"
                                  ? 6. * (1. + nu) / (7. + 6. * nu)
                                  : 10. * (1. + nu) / (12. + 11. * nu);
        const double area =
          section == "circular" ? pi * radius * radius : width * thickness;
        body.shear_1 = body.shear_2 =
          (shear_coefficient > 0. ? shear_coefficient : by_shape) *
          shear_modulus * area;
      }
    if (inextensible)
      body.axial = 0.;
  }

  RodBody
  RodParameters::unloaded_body() const
  {
    RodBody body;
    body.length = length;
    set_section(body);
    body.gravity_direction        = gravity_direction;
    body.end_force_direction      = end_force_direction;
    body.end_moment_axis          = end_moment_axis;
    body.end_force_follows        = end_force_follows;
    body.end_moment_has_potential = end_moment_has_potential;
    body.start                    = make_end(start);
    body.end                      = make_end(end);
    body.start_frame              = {tangent, director};
    if (initial_shape == "natural")
      {
        body.natural_twist       = natural_twist;
        body.natural_curvature_1 = natural_curvature_1;
        body.natural_curvature_2 = natural_curvature_2;
        body.initial_strain      = body.natural_strain();
      }
    else if (initial_shape == "bent")
      body.initial_strain = initial_strain;
    return body;
  }

  std::unique_ptr<Model>
  RodParameters::build(const ModelBuilder &builder, MPI_Comm communicator) const
  {
    return builder.build(unloaded_body(), communicator);
  }

  std::vector<LoadTarget>
  RodParameters::loads() const
  {
    std::vector<LoadTarget> all = {{"gravity", gravity},
                                   {"end force", end_force},
                                   {"end moment", end_moment},
                                   {"start displacement", start.displacement},
                                   {"start rotation", start.rotation_angle},
                                   {"end displacement", end.displacement},
                                   {"end rotation", end.rotation_angle}};
    if (initial_shape != "natural")
      {
        all.push_back({"natural twist", natural_twist});
        all.push_back({"natural curvature 1", natural_curvature_1});
        all.push_back({"natural curvature 2", natural_curvature_2});
      }
    all.erase(std::remove_if(all.begin(),
                             all.end(),
                             [](const LoadTarget &load) {
                               return load.value == 0.;
                             }),
              all.end());
    return all;
  }
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/agreement.h>
#include <slender/base/errors.h>
#include <slender/contact/extent.h>
#include <slender/studies/check_idle.h>
#include <slender/studies/obstacle_parameters.h>
#include <slender/studies/vector_parameter.h>
#include <slender/systems/kinematics.h>
#include <slender/systems/touching_points.h>

#include <deal.II/base/parameter_handler.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace slender
{
  namespace
  {
    /// What is wrong with a setting is said with where it stands.
    template <class Function>
    void
    at(const std::string &path, const Function &read)
    {
      try
        {
          read();
        }
      catch (const InputError &error)
        {
          throw InputError(error.what(), path);
        }
    }

    std::string
    section_of(const int number)
    {
      return "Obstacle " + std::to_string(number);
    }

    /// By how much a distance grows over a unit of length, the other way than
    /// where it is nearest: by one.
    double
    growth(const ObstacleShape &shape, const Vector3 &x, const double h)
    {
      const Vector3 way = h * shape.normal(x);
      return (shape.distance(x + way) - shape.distance(x - way)) / (2. * h);
    }

    /// Where two parts of a surface are equally near a distance has a kink, and
    /// no slope; it has one at some place beside.
    double
    growth_nearby(const ObstacleShape &shape,
                  const Vector3       &x,
                  const double         length)
    {
      const double h       = 1e-5 * length;
      double       nearest = growth(shape, x, h);
      for (const Vector3 &aside :
           {Vector3(3., 2., 1.), Vector3(-1., -3., 2.), Vector3(-2., 1., -3.)})
        {
          const double other = growth(shape, x + 1e-3 * length * aside, h);
          if (!(std::abs(nearest - 1.) <= std::abs(other - 1.)))
            nearest = other;
        }
      return nearest;
    }

    std::string
    in_words(const Vector3 &x)
    {
      std::ostringstream text;
      text << '(' << x(0) << ", " << x(1) << ", " << x(2) << ')';
      return text.str();
    }
  } // namespace

  void
  ObstacleParameters::set_sections(const std::vector<std::string> &names)
  {
    for (int number = 1; number < 1000; ++number)
      for (const std::string &name : names)
        if (name == section_of(number))
          settings[number];
  }

  void
  ObstacleParameters::declare(dealii::ParameterHandler &prm)
  {
    using namespace dealii::Patterns;
    for (auto &[number, one] : settings)
      {
        prm.enter_subsection(section_of(number));
        prm.add_parameter(
          "Shape",
          one.shape,
          "'plane' through a point, across a direction that points to where "
          "the body may be; 'sphere' about a point; 'cylinder' about a line "
          "through a point; 'box' with edges along the axes of space; "
          "'formula' of a distance; 'triangles' of a closed surface in a file.",
          Selection("plane|sphere|cylinder|box|formula|triangles"));
        add_vector(prm,
                   "Point",
                   one.point,
                   "A point of the plane or of the cylinder's axis, the centre "
                   "of the sphere or of the box [length].");
        add_vector(prm,
                   "Direction",
                   one.direction,
                   "Normal of the plane, or axis of the cylinder "
                   "[dimensionless].");
        prm.add_parameter("Radius",
                          one.radius,
                          "Of the sphere or of the cylinder [length].",
                          Double(1e-300));
        add_vector(prm, "Sides", one.sides, "Of the box [length].");
        prm.add_parameter("Formula",
                          one.formula,
                          "The distance from the obstacle in x, y and z, "
                          "negative inside, such as sqrt(x^2 + y^2 + z^2) - 1 "
                          "[length].",
                          Anything());
        prm.add_parameter("File",
                          one.file,
                          "Triangles: a file in the format STL or OBJ [file].",
                          Anything());
        prm.add_parameter("Friction",
                          one.friction,
                          "Coulomb's coefficient of friction [1].",
                          Double(0.));
        prm.add_parameter("Clearance",
                          one.clearance,
                          "Distance at which the middle of the body touches: "
                          "half of a shell's thickness, the radius of a rod "
                          "[length].",
                          Double(0.));
        add_vector(prm,
                   "Velocity",
                   one.velocity,
                   "With which the obstacle moves [length/time]; in the study "
                   "'equilibrium', where it goes while loads rise from zero to "
                   "their full values [length].");
        prm.leave_subsection();
      }
  }

  void
  ObstacleParameters::check() const
  {
    const Settings usual;
    for (const auto &[number, one] : settings)
      {
        const std::string section = section_of(number) + "/";
        const auto        is      = [&shape = one.shape](
                          const std::initializer_list<const char *> &names) {
          for (const char *name : names)
            if (shape == name)
              return true;
          return false;
        };
        const std::string where = "'Shape' is another one";
        check_idle(is({"plane", "sphere", "cylinder", "box"}),
                   one.point,
                   usual.point,
                   section + "Point",
                   where);
        check_idle(is({"plane", "cylinder"}),
                   one.direction,
                   usual.direction,
                   section + "Direction",
                   where);
        check_idle(is({"sphere", "cylinder"}),
                   one.radius,
                   usual.radius,
                   section + "Radius",
                   where);
        check_idle(
          is({"box"}), one.sides, usual.sides, section + "Sides", where);
        check_idle(is({"formula"}),
                   one.formula,
                   usual.formula,
                   section + "Formula",
                   where);
        check_idle(
          is({"triangles"}), one.file, usual.file, section + "File", where);
        if (is({"plane", "cylinder"}))
          check_direction(one.direction, section + "Direction");
        if (is({"box"}) && !(one.sides.minCoeff() > 0.))
          throw InputError("the sides of a box have to be above zero",
                           section + "Sides");
        if (is({"formula"}))
          at(section + "Formula",
             [&text = one.formula] { make_formula(text); });
        if (is({"triangles"}) && one.file.empty())
          throw InputError("the triangles of '" + section_of(number) +
                             "' come from a file: say which one with 'File'",
                           section + "Shape");
        if (is({"triangles"}))
          at(section + "File", [&file = one.file] { make_triangles(file); });
      }
  }

  Obstacles
  ObstacleParameters::make(const double length) const
  {
    Obstacles result;
    for (const auto &[number, one] : settings)
      {
        Obstacle obstacle;
        obstacle.name   = section_of(number);
        obstacle.number = number;
        obstacle.shape =
          one.shape == "plane"    ? make_plane(one.point, one.direction)
          : one.shape == "sphere" ? make_sphere(one.point, one.radius)
          : one.shape == "cylinder"
            ? make_cylinder(one.point, one.direction, one.radius)
          : one.shape == "box"     ? make_box(one.point, one.sides)
          : one.shape == "formula" ? make_formula(one.formula, length)
                                   : make_triangles(one.file);
        obstacle.friction  = one.friction;
        obstacle.clearance = one.clearance;
        obstacle.velocity  = one.velocity;
        result.push_back(obstacle);
      }
    return result;
  }

  std::vector<Wall>
  ObstacleParameters::walls() const
  {
    std::vector<Wall> result;
    for (const auto &[number, one] : settings)
      {
        const std::string section = section_of(number) + "/";
        if (one.shape != "plane")
          throw InputError("rods that touch each other know planes only",
                           section + "Shape");
        if (one.velocity.norm() > 0.)
          throw InputError("where rods touch each other, planes do not move",
                           section + "Velocity");
        if (one.clearance != 0.)
          throw InputError("rods that touch keep away by their own radius; "
                           "leave it at 0",
                           section + "Clearance");
        result.push_back({one.point, one.direction, one.friction});
      }
    return result;
  }

  double
  ObstacleParameters::length_of(const System &body) const
  {
    if (is_empty())
      return 1.;
    const double found =
      extent(touching_points(body)->places(body.initial_state()),
             body.layout().communicator);
    // A single point has none.
    return found > 0. ? found : 1.;
  }

  std::string
  ObstacleParameters::path_of_shape(const int number) const
  {
    const std::string &shape = settings.at(number).shape;
    return section_of(number) + (shape == "formula"     ? "/Formula"
                                 : shape == "triangles" ? "/File"
                                                        : "/Point");
  }

  void
  ObstacleParameters::check_point(const Obstacle    &obstacle,
                                  const Vector3     &x,
                                  const std::string &name,
                                  const double       length) const
  {
    std::ostringstream text;
    const double       gap = obstacle.gap(x);
    if (gap < -1e-9 * std::max(1., length))
      text << "the body begins inside the obstacle '" << obstacle.name
           << "': " << name << " is at " << in_words(x) << ", " << -gap
           << " too deep";
    // Other shapes are distances by themselves.
    else if (settings.at(obstacle.number).shape == "formula")
      {
        const double grown = growth_nearby(*obstacle.shape, x, length);
        if (!(std::abs(grown - 1.) < 1e-3))
          text << "this is no distance from '" << obstacle.name << "': at "
               << in_words(x) << " it grows by " << grown
               << " and not by 1 over a unit of length";
      }
    if (!text.str().empty())
      throw InputError(text.str(), path_of_shape(obstacle.number));
  }

  void
  ObstacleParameters::check_start(const System &body, const Vector &q) const
  {
    if (is_empty())
      return;
    const auto             points    = touching_points(body);
    const double           length    = length_of(body);
    const Obstacles        obstacles = make(length);
    const Eigen::Matrix3Xd x         = points->places(q);
    do_on_all_or_none(body.layout().communicator, [&] {
      for (const Obstacle &obstacle : obstacles)
        for (Index i = 0; i < points->size(); ++i)
          check_point(obstacle, x.col(i), points->name(i), length);
    });
  }
} // namespace slender

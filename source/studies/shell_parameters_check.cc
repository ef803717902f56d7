// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/base/memory.h>
#include <slender/base/parameter_words.h>
#include <slender/models/shells/shell_supports.h>
#include <slender/studies/check_idle.h>
#include <slender/studies/shell_parameters.h>
#include <slender/studies/vector_parameter.h>

#include <algorithm>
#include <array>
#include <iomanip>
#include <set>
#include <sstream>

namespace slender
{
  namespace
  {
    /// Of a mesh without any physical line.
    const std::string only_edge_0 =
      "its only one is 0, all that is in no physical line (in gmsh: Physical "
      "Curve(\"wall\") = {1}; calls curve 1 so)";

    void
    check_supports(const std::vector<ShellPart> &parts)
    {
      for (const ShellPart &part : parts)
        {
          const int          n = part.n_rigid_motions;
          std::ostringstream what;
          if (parts.size() == 1)
            what << "the shell";
          else
            what << "the part near (" << part.place(0) << ", " << part.place(1)
                 << ", " << part.place(2) << ") of the shell (of "
                 << parts.size() << " that are not joined)";
          if (n == 6)
            throw InputError("nothing holds " + what.str() +
                               "; clamp an edge, or hold edges and points "
                               "otherwise",
                             "Edge 1/Hold");
          if (n > 0)
            throw InputError(
              "what holds " + what.str() +
                " leaves it free to move or turn as a whole in " +
                std::to_string(n) + (n == 1 ? " way" : " ways") +
                "; clamp an edge, or hold more edges or points",
              "Edge 1/Hold");
        }
    }
  } // namespace

  void
  ShellParameters::check_edges(const RestSurface &surface) const
  {
    std::set<int> seen; // an edge may have two names
    std::string   known;
    for (const auto &[name, id] : surface.edges())
      known += (known.empty() ? "" : ", ") + name;
    const std::string there_are = known.empty() ? "none" : known;
    for (const auto &[i, edge] : edges)
      {
        const std::string section = numbered("Edge", i);
        check_direction(edge.displacement_direction,
                        section + "/Displacement direction");
        check_direction(edge.rotation_axis, section + "/Rotation axis");
        check_direction(edge.load_direction, section + "/Load direction");
        if (edge.name.empty())
          {
            const auto loads = loads_of(edge).targets;
            if (edge.hold != "free" || !edge.fixed_directions.empty() ||
                edge.normal_fixed ||
                std::any_of(loads.begin(),
                            loads.end(),
                            [](const LoadTarget &l) { return l.value != 0.; }))
              throw InputError("the section does not say which edge it is "
                               "about; the surface has " +
                                 there_are,
                               section + "/Name");
            continue;
          }
        if (surface.edges().count(edge.name) == 0)
          throw InputError("the surface has no edge '" + edge.name + "'; " +
                             (shape == "mesh file" && known == "0"
                                ? only_edge_0
                                : "it has " + there_are),
                           section + "/Name");
        if (!seen.insert(surface.edges().at(edge.name)).second)
          throw InputError("there are two sections about the edge '" +
                             edge.name + "'",
                           section + "/Name");
        if (edge.hold != "custom" &&
            (!edge.fixed_directions.empty() || edge.normal_fixed))
          throw InputError("'Fixed directions' and 'Fixed normal' say "
                           "something only where 'Hold' is 'custom'",
                           section + "/Hold");
      }
  }

  void
  ShellParameters::check_points() const
  {
    const Point usual;
    for (const auto &[i, point] : points)
      {
        const std::string section = numbered("Point", i);
        check_direction(point.force_direction, section + "/Force direction");
        const bool is_named = !point.name.empty();
        const auto check    = [&](const auto        &value,
                               const auto        &otherwise,
                               const std::string &name) {
          check_idle(is_named,
                     value,
                     otherwise,
                     section + "/" + name,
                     "the point has a 'Name'");
        };
        check(point.fixed_directions,
              usual.fixed_directions,
              "Fixed directions");
        check(point.force, usual.force, "Force");
      }
  }

  void
  ShellParameters::check_edge_parameter(const Edge        &edge,
                                        const std::string &section,
                                        const std::string &name) const
  {
    const ShellEdge held = make_edge(edge);
    const bool      is_fixed =
      held.position_fixed != std::array<bool, 3>{{false, false, false}};
    if (name == edge.name + " displacement")
      {
        if (!is_fixed)
          throw InputError("an edge that is free cannot be moved",
                           section + "/Displacement");
        check_is_held(edge.displacement_direction,
                      held.position_fixed,
                      section + "/Displacement direction");
      }
    if (name == edge.name + " rotation" && !is_fixed && !held.normal_fixed)
      throw InputError("an edge that is free cannot be moved",
                       section + "/Rotation angle");
    if (name == edge.name + " load" &&
        lies_in(edge.load_direction, held.position_fixed))
      throw InputError("the load acts along a direction in which the edge is "
                       "fixed, and moves nothing",
                       section + "/Load");
    if (name == edge.name + " moment" && held.normal_fixed)
      throw InputError("the moment acts on an edge whose tangent plane is "
                       "fixed, and turns nothing",
                       section + "/Moment");
  }

  void
  ShellParameters::check_parameter(const std::string &name) const
  {
    for (const auto &[i, edge] : edges)
      if (!edge.name.empty())
        check_edge_parameter(edge, numbered("Edge", i), name);
    for (const auto &[i, point] : points)
      if (!point.name.empty() && name == point.name + " force" &&
          lies_in(point.force_direction, fixed_from(point.fixed_directions)))
        throw InputError("the force acts along a direction in which the point "
                         "is held, and moves nothing",
                         numbered("Point", i) + "/Force");
  }

  void
  ShellParameters::check_size() const
  {
    // Twelve unknowns, each coupled with 63: the coarsest matrix of any shell
    // model. What the chosen one takes, its builder knows.
    constexpr double   bytes_per_cell = 12. * 63. * 12.;
    const double       u = cells_u, v = cells_v;
    const double       n_cells = shape == "mesh file"                ? 0.
                                 : shape == "disk" || shape == "cap" ? 5. * u * u
                                 : shape == "whole sphere" ? 6. * u * u
                                                           : u * v;
    std::ostringstream what;
    what << std::setprecision(10) << n_cells << " cells";
    check_memory(bytes_per_cell * n_cells, what.str(), "Surface/Cells along u");
  }

  void
  ShellParameters::check_surface() const
  {
    using Shapes = std::set<std::string>;
    const ShellParameters usual;
    const auto            check = [this](const std::string &name,
                              const auto        &value,
                              const auto        &otherwise,
                              const Shapes      &shapes) {
      check_idle(shapes.count(shape) > 0,
                 value,
                 otherwise,
                 "Surface/" + name,
                 "'Shape' is " +
                   parameter_words::quoted_list({shapes.begin(), shapes.end()},
                                                " or ") +
                   ", but it is '" + shape + "'");
    };
    const Shapes turning = {"annulus", "cylinder", "sphere"};
    check("Length", length, usual.length, {"rectangle", "cylinder"});
    check("Width", width, usual.width, {"rectangle"});
    check("Radius",
          radius,
          usual.radius,
          {"disk", "annulus", "cylinder", "sphere", "cap", "whole sphere"});
    check("Inner radius", inner_radius, usual.inner_radius, {"annulus"});
    check("Start angle", start_angle, usual.start_angle, turning);
    check("Angle", angle, usual.angle, turning);
    check("Slit", slit, usual.slit, {"annulus", "mesh file"});
    check("Bottom latitude",
          bottom_latitude,
          usual.bottom_latitude,
          {"sphere", "cap"});
    check("Top latitude", top_latitude, usual.top_latitude, {"sphere"});
    check("Mesh file", mesh_file, usual.mesh_file, {"mesh file"});
    check("Refinements", refinements, usual.refinements, {"mesh file"});
    check("Flip normals", flip_normals, usual.flip_normals, {"mesh file"});
    check("Cells along u",
          cells_u,
          usual.cells_u,
          {"rectangle",
           "disk",
           "annulus",
           "cylinder",
           "sphere",
           "cap",
           "whole sphere"});
    check("Cells along v",
          cells_v,
          usual.cells_v,
          {"rectangle", "annulus", "cylinder", "sphere"});
    check("Grading along u", grading_u, usual.grading_u, {"rectangle"});
    check("Grading along v", grading_v, usual.grading_v, {"rectangle"});
    check_idle(angle == 360. || shape == "mesh file",
               slit,
               usual.slit,
               "Surface/Slit",
               "'Angle' is a whole turn");
    if (!pressure_apex.empty() && pressure_apex != "0, 0, 0")
      throw InputError("'Pressure apex' has no meaning any more: a follower "
                       "pressure acts as it is; remove the line",
                       "Loads/Pressure apex");
    if (shape == "mesh file" && mesh_file.empty())
      throw InputError("'Mesh file' has to name one", "Surface/Mesh file");
  }

  void
  ShellParameters::check() const
  {
    check_direction(gravity_direction, "Loads/Gravity direction");
    check_direction(tilt_axis, "Loads/Tilt axis");
    check_direction(natural_direction, "Shell/Natural direction");
    growth.check();
    check_surface();
    check_points();
    check_size();
    std::unique_ptr<RestSurface> surface;
    try
      {
        surface = make_rest_surface();
      }
    catch (const InputError &error)
      {
        throw error.parameter_path().empty()
          ? InputError(error.what(),
                       shape == "mesh file" ? "Surface/Mesh file"
                                            : "Surface/Shape")
          : error;
      }
    check_edges(*surface);
    for (const LoadTarget &load : loads())
      check_parameter(load.parameter);
    const ShellBody body = unloaded_body();
    slender::check(body);
    if (!may_be_free)
      check_supports(parts_of(body, *surface));
  }
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/shells/shell_supports.h>
#include <slender/studies/shell_parameters.h>
#include <slender/studies/vector_parameter.h>

#include <deal.II/base/parameter_handler.h>

#include <boost/math/constants/constants.hpp>

#include <algorithm>
#include <set>
#include <sstream>

namespace slender
{
  namespace
  {
    using namespace dealii::Patterns;

    std::string
    numbered(const std::string &name, const std::size_t i)
    {
      return name + " " + std::to_string(i + 1);
    }

    constexpr double degree = boost::math::constants::pi<double>() / 180.;

    std::array<bool, 3>
    fixed_from(const std::string &directions)
    {
      std::array<bool, 3> fixed = {{false, false, false}};
      for (std::size_t c = 0; c < 3; ++c)
        fixed[c] = directions.find("xyz"[c]) != std::string::npos;
      return fixed;
    }
  } // namespace

  void
  ShellParameters::declare(dealii::ParameterHandler &prm)
  {
    prm.enter_subsection("Shell");
    prm.add_parameter("Young's modulus",
                      young,
                      "Young's modulus [force/length^2].",
                      Double(1e-300));
    prm.add_parameter("Poisson's ratio",
                      poisson,
                      "Poisson's ratio [1], above -1 and up to 0.5.",
                      Double(-0.999999, 0.5));
    prm.add_parameter("Thickness",
                      thickness,
                      "Thickness of the shell [length].",
                      Double(1e-15));
    prm.add_parameter("Density",
                      density,
                      "Mass density [mass/length^3].",
                      Double(0.));
    prm.add_parameter("Natural curvature 1",
                      natural_curvature_1,
                      "Curvature of the stress-free shell along the natural "
                      "direction, beyond that of its surface [1/length].",
                      Double());
    prm.add_parameter("Natural curvature 2",
                      natural_curvature_2,
                      "The same across that direction [1/length].",
                      Double());
    add_vector(prm,
               "Natural direction",
               natural_direction,
               "Direction of the first natural curvature [1].");
    prm.leave_subsection();

    declare_surface(prm);
    for (std::size_t i = 0; i < edges.size(); ++i)
      declare_edge(prm, numbered("Edge", i), edges[i]);
    for (std::size_t i = 0; i < points.size(); ++i)
      declare_point(prm, numbered("Point", i), points[i]);

    prm.enter_subsection("Loads");
    prm.add_parameter("Gravity",
                      gravity,
                      "Acceleration of gravity [length/time^2].",
                      Double());
    add_vector(prm,
               "Gravity direction",
               gravity_direction,
               "Direction of gravity [1].");
    add_vector(prm,
               "Tilt axis",
               tilt_axis,
               "Axis about which the direction of gravity may be tilted [1].");
    prm.add_parameter("Tilt", tilt, "Angle of that tilt [rad].", Double());
    prm.add_parameter("Pressure",
                      pressure,
                      "Pressure along the normal of the surface "
                      "[force/length^2].",
                      Double());
    prm.add_parameter("Pressure kind",
                      pressure_kind,
                      "'dead' acts along the normal at rest, 'follower' along "
                      "the present normal.",
                      Selection("dead|follower"));
    add_vector(prm,
               "Pressure apex",
               pressure_apex,
               "For a follower pressure and edges of symmetry: where their "
               "planes meet [length].");
    prm.leave_subsection();
  }

  void
  ShellParameters::declare_surface(dealii::ParameterHandler &prm)
  {
    prm.enter_subsection("Surface");
    prm.add_parameter("Shape",
                      shape,
                      "Shape at rest. 'rectangle': in the plane z = 0, x from "
                      "0 to the length, y from -width/2 to width/2, edges "
                      "left (x = 0), right, bottom, top; 'disk': edge rim; "
                      "'annulus': edges start, end (if open or slit), outer, "
                      "inner; 'cylinder' about z: edges start, end (if open), "
                      "bottom, top; 'sphere' between two latitudes: likewise; "
                      "'cap' of a sphere above the bottom latitude, a "
                      "hemisphere above 0: edge rim; 'whole sphere': no edge; "
                      "'mesh file': quadrilaterals from gmsh, straight or "
                      "curved, edges by the numbers or the names of its "
                      "physical lines.",
                      Selection("rectangle|disk|annulus|cylinder|sphere|cap|"
                                "whole sphere|mesh file"));
    prm.add_parameter("Length",
                      length,
                      "Length of a rectangle or a cylinder [length].",
                      Double(1e-12));
    prm.add_parameter("Width",
                      width,
                      "Width of a rectangle [length].",
                      Double(1e-12));
    prm.add_parameter("Radius",
                      radius,
                      "Radius of a disk, a cylinder or a sphere (also of a "
                      "part of it); outer radius of an annulus [length].",
                      Double(1e-12));
    prm.add_parameter("Inner radius",
                      inner_radius,
                      "Inner radius of an annulus [length].",
                      Double(1e-12));
    prm.add_parameter("Start angle",
                      start_angle,
                      "Where an annulus, a cylinder or a sphere starts, from "
                      "the x axis [degree].",
                      Double());
    prm.add_parameter("Angle",
                      angle,
                      "Over which angle it extends [degree]; a whole turn is "
                      "closed.",
                      Double(1e-6, 360.));
    prm.add_parameter("Slit",
                      slit,
                      "Whether a whole turn of an annulus is slit; for 'mesh "
                      "file', whether cells may have sides at the same place "
                      "and not be joined, as along a crack.");
    prm.add_parameter("Bottom latitude",
                      bottom_latitude,
                      "Of a sphere or a cap [degree].",
                      Double(-90., 90.));
    prm.add_parameter("Top latitude",
                      top_latitude,
                      "Of a sphere [degree].",
                      Double(-90., 90.));
    prm.add_parameter("Mesh file",
                      mesh_file,
                      "A mesh of gmsh (.msh), for 'mesh file'.",
                      Anything());
    prm.add_parameter("Refinements",
                      refinements,
                      "How often its cells are cut into four [1].",
                      Integer(0, 12));
    prm.add_parameter("Flip normals",
                      flip_normals,
                      "Turn the normals of a mesh file to the other side.");
    prm.add_parameter("Cells along u",
                      cells_u,
                      "Number of cells along the length, the circle or the "
                      "side of a patch [1].",
                      Integer(1, 100000));
    prm.add_parameter("Cells along v",
                      cells_v,
                      "Number of cells across that [1].",
                      Integer(1, 100000));
    prm.add_parameter("Grading along u",
                      grading_u,
                      "Of a rectangle: largest over smallest cell towards its "
                      "left edge [1].",
                      Double(1e-6, 1e6));
    prm.add_parameter("Grading along v",
                      grading_v,
                      "Of a rectangle: largest over smallest cell towards both "
                      "long edges [1].",
                      Double(1e-6, 1e6));
    prm.leave_subsection();
  }

  void
  ShellParameters::declare_edge(dealii::ParameterHandler &prm,
                                const std::string        &section,
                                Edge                     &edge)
  {
    prm.enter_subsection(section);
    prm.add_parameter("Name",
                      edge.name,
                      "Which edge of the surface this section is about; empty "
                      "for none. Edges of which nothing is said are free.",
                      Anything());
    prm.add_parameter("Hold",
                      edge.hold,
                      "'clamped' fixes positions and the tangent plane, "
                      "'hinged' the positions; 'symmetry x' is a mirror across "
                      "the x axis; 'custom' what the next two say.",
                      Selection("free|clamped|hinged|symmetry x|symmetry "
                                "y|symmetry z|custom"));
    prm.add_parameter("Fixed directions",
                      edge.fixed_directions,
                      "For 'custom': the coordinate directions in which the "
                      "edge is fixed, such as 'y, z'.",
                      MultipleSelection("x|y|z"));
    prm.add_parameter("Fixed normal",
                      edge.normal_fixed,
                      "For 'custom': whether the tangent plane is fixed.");
    prm.add_parameter("Displacement",
                      edge.displacement,
                      "Displacement of what holds the edge, under load "
                      "[length].",
                      Double());
    add_vector(prm,
               "Displacement direction",
               edge.displacement_direction,
               "Direction of that displacement [1].");
    prm.add_parameter("Rotation angle",
                      edge.rotation,
                      "Rotation of what holds the edge, under load [rad].",
                      Double());
    add_vector(prm,
               "Rotation axis",
               edge.rotation_axis,
               "Axis of that rotation [1].");
    add_vector(prm,
               "Rotation centre",
               edge.rotation_centre,
               "A point on that axis [length].");
    prm.add_parameter("Load",
                      edge.load,
                      "Force on the edge, fixed in space [force/length].",
                      Double());
    add_vector(prm,
               "Load direction",
               edge.load_direction,
               "Direction of that force [1].");
    prm.add_parameter("Moment",
                      edge.moment,
                      "Moment about the edge [force length/length]; a positive "
                      "one bends towards the normal.",
                      Double());
    prm.leave_subsection();
  }

  void
  ShellParameters::declare_point(dealii::ParameterHandler &prm,
                                 const std::string        &section,
                                 Point                    &point)
  {
    prm.enter_subsection(section);
    prm.add_parameter("Name",
                      point.name,
                      "A name for a point that is measured, held or pulled at, "
                      "such as 'tip'; empty for none.",
                      Anything());
    add_vector(prm,
               "Position",
               point.position,
               "Where it is at rest [length]; there has to be a node.");
    prm.add_parameter("Edge",
                      point.edge,
                      "Of a slit, whose sides are at the same place, the one "
                      "that is meant; may be empty.",
                      Anything());
    prm.add_parameter("Fixed directions",
                      point.fixed_directions,
                      "Coordinate directions in which it is held.",
                      MultipleSelection("x|y|z"));
    prm.add_parameter("Force",
                      point.force,
                      "Force on the point, fixed in space [force].",
                      Double());
    add_vector(prm,
               "Force direction",
               point.force_direction,
               "Direction of that force [1].");
    prm.leave_subsection();
  }

  namespace
  {
    /// Of a mesh without any physical line.
    const std::string only_edge_0 =
      "its only one is 0, all that is in no physical line (in gmsh: Physical "
      "Curve(\"wall\") = {1}; calls curve 1 so)";
  } // namespace

  void
  ShellParameters::check_edges(const RestSurface &surface) const
  {
    std::set<int> seen; // an edge may have two names
    std::string   known;
    for (const auto &[name, id] : surface.edges())
      known += (known.empty() ? "" : ", ") + name;
    for (std::size_t i = 0; i < edges.size(); ++i)
      {
        const Edge       &edge    = edges[i];
        const std::string section = numbered("Edge", i);
        if (edge.name.empty())
          {
            if (edge.hold != "free" || edge.load != 0. || edge.moment != 0.)
              throw InputError("the section does not say which edge it is "
                               "about; the surface has " +
                                 (known.empty() ? "none" : known),
                               section + "/Name");
            continue;
          }
        if (surface.edges().count(edge.name) == 0)
          throw InputError("the surface has no edge '" + edge.name + "'; " +
                             (shape == "mesh file" && known == "0"
                                ? only_edge_0
                                : "it has " + (known.empty() ? "none" : known)),
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
        if (edge.hold == "free" &&
            (edge.displacement != 0. || edge.rotation != 0.))
          throw InputError("an edge that is free cannot be moved",
                           section + "/Hold");
        check_direction(edge.displacement_direction,
                        section + "/Displacement direction");
        check_direction(edge.rotation_axis, section + "/Rotation axis");
        check_direction(edge.load_direction, section + "/Load direction");
      }
  }

  namespace
  {
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
                 << ", " << part.place(2) << ") of the shell, which is in "
                 << parts.size() << " parts that are not joined,";
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
  ShellParameters::check() const
  {
    check_direction(gravity_direction, "Loads/Gravity direction");
    check_direction(tilt_axis, "Loads/Tilt axis");
    check_direction(natural_direction, "Shell/Natural direction");
    if (shape == "mesh file" && mesh_file.empty())
      throw InputError("'Mesh file' has to name one", "Surface/Mesh file");
    for (std::size_t i = 0; i < points.size(); ++i)
      check_direction(points[i].force_direction,
                      numbered("Point", i) + "/Force direction");
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
    const ShellBody body = unloaded_body();
    slender::check(body);
    check_supports(parts_of(body, *surface));
  }

  std::unique_ptr<RestSurface>
  ShellParameters::make_rest_surface() const
  {
    const CellCounts cells{cells_u, cells_v};
    if (shape == "disk")
      return make_surface(Disk{radius, cells_u});
    if (shape == "cap")
      return make_surface(
        Cap{radius, degree * (90. - bottom_latitude), cells_u});
    if (shape == "whole sphere")
      {
        Sphere sphere;
        sphere.radius   = radius;
        sphere.complete = true;
        sphere.cells    = {cells_u, cells_u};
        return make_surface(sphere);
      }
    if (shape == "annulus")
      return make_surface(Annulus{inner_radius,
                                  radius,
                                  degree * start_angle,
                                  degree * angle,
                                  slit,
                                  cells});
    if (shape == "cylinder")
      return make_surface(
        Cylinder{radius, length, degree * start_angle, degree * angle, cells});
    if (shape == "sphere")
      return make_surface(Sphere{radius,
                                 degree * start_angle,
                                 degree * angle,
                                 degree * bottom_latitude,
                                 degree * top_latitude,
                                 false,
                                 cells});
    if (shape == "mesh file")
      return make_surface(MeshFile{mesh_file, refinements, flip_normals, slit});
    return make_surface(Rectangle{length, width, cells, grading_u, grading_v});
  }

  ShellBody
  ShellParameters::unloaded_body() const
  {
    ShellBody body;
    body.young             = young;
    body.poisson           = poisson;
    body.thickness         = thickness;
    body.density           = density;
    body.natural_direction = natural_direction;
    body.gravity_direction = gravity_direction;
    body.gravity_tilt_axis = tilt_axis;
    body.pressure_kind =
      pressure_kind == "dead" ? PressureKind::dead : PressureKind::follower;
    body.pressure_apex = pressure_apex;
    for (const Edge &edge : edges)
      if (!edge.name.empty())
        {
          ShellEdge held =
            edge.hold == "clamped"      ? ShellEdge::clamped(edge.name)
            : edge.hold == "hinged"     ? ShellEdge::hinged(edge.name)
            : edge.hold == "symmetry x" ? ShellEdge::symmetry(edge.name, 0)
            : edge.hold == "symmetry y" ? ShellEdge::symmetry(edge.name, 1)
            : edge.hold == "symmetry z" ? ShellEdge::symmetry(edge.name, 2)
                                        : ShellEdge::free(edge.name);
          if (edge.hold == "custom")
            {
              held.position_fixed = fixed_from(edge.fixed_directions);
              held.normal_fixed   = edge.normal_fixed;
            }
          held.displacement_direction = edge.displacement_direction;
          held.rotation_axis          = edge.rotation_axis;
          held.rotation_centre        = edge.rotation_centre;
          held.load_direction         = edge.load_direction;
          body.edges.push_back(held);
        }
    for (const Point &point : points)
      if (!point.name.empty())
        body.points.push_back({point.name,
                               point.position,
                               fixed_from(point.fixed_directions),
                               point.force_direction,
                               0.,
                               point.edge});
    return body;
  }

  std::unique_ptr<Model>
  ShellParameters::build(const ModelBuilder &builder,
                         MPI_Comm            communicator) const
  {
    return builder.build(unloaded_body(), *make_rest_surface(), communicator);
  }

  std::vector<LoadTarget>
  ShellParameters::loads() const
  {
    std::vector<LoadTarget> all = {{"gravity", gravity},
                                   {"gravity tilt", tilt},
                                   {"pressure", pressure},
                                   {"natural curvature 1", natural_curvature_1},
                                   {"natural curvature 2",
                                    natural_curvature_2}};
    for (const Edge &edge : edges)
      if (!edge.name.empty())
        {
          all.push_back({edge.name + " displacement", edge.displacement});
          all.push_back({edge.name + " rotation", edge.rotation});
          all.push_back({edge.name + " load", edge.load});
          all.push_back({edge.name + " moment", edge.moment});
        }
    for (const Point &point : points)
      if (!point.name.empty())
        all.push_back({point.name + " force", point.force});
    all.erase(std::remove_if(all.begin(),
                             all.end(),
                             [](const LoadTarget &load) {
                               return load.value == 0.;
                             }),
              all.end());
    return all;
  }
} // namespace slender

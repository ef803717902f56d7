// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/studies/shell_parameters.h>
#include <slender/studies/vector_parameter.h>

#include <deal.II/base/parameter_handler.h>

#include <optional>

namespace slender
{
  namespace
  {
    using namespace dealii::Patterns;

    /// The 7 of "Edge 7", or nothing.
    std::optional<int>
    number_in(const std::string &section, const std::string &name)
    {
      constexpr std::size_t most_digits = 9;
      if (section.rfind(name + " ", 0) != 0)
        return {};
      const std::string digits = section.substr(name.size() + 1);
      if (digits.empty() || digits.size() > most_digits || digits[0] == '0' ||
          digits.find_first_not_of("0123456789") != std::string::npos)
        return {};
      return std::stoi(digits);
    }
  } // namespace

  void
  ShellParameters::set_sections(const std::vector<std::string> &names)
  {
    for (const std::string &section : names)
      if (const auto edge = number_in(section, "Edge"))
        edges[*edge];
      else if (const auto point = number_in(section, "Point"))
        points[*point];
  }

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
                      Double(1e-300));
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
               "Direction of the first natural curvature [1], and machine "
               "direction of what grows: fibres of paper.");
    prm.leave_subsection();
    growth.declare(prm);

    declare_surface(prm);
    for (auto &[i, edge] : edges)
      declare_edge(prm, numbered("Edge", i), edge);
    for (auto &[i, point] : points)
      declare_point(prm, numbered("Point", i), point);

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
                      "[force/length^2]; a negative one acts against it. The "
                      "normal is z of a rectangle, a disk and an annulus, and "
                      "points away from the axis of a cylinder and the centre "
                      "of a sphere or cap. That of a mesh file follows from "
                      "the order of the nodes of its first cell by the "
                      "right-hand rule, and from 'Flip normals'.",
                      Double());
    prm.add_parameter("Pressure kind",
                      pressure_kind,
                      "'dead' acts along the normal at rest and on the area at "
                      "rest, 'follower' along the present normal on the "
                      "present area, as a fluid does. A follower has a "
                      "potential if each edge is held in at least two "
                      "directions or lies in a plane of symmetry; with other "
                      "edges, free ones above all, stiffness matrices are not "
                      "symmetric, and what needs an energy is refused.",
                      Selection("dead|follower"));
    prm.add_parameter("Pressure apex",
                      pressure_apex,
                      "Has no meaning any more: a follower pressure acts as it "
                      "is, and needs no point from where a volume is "
                      "measured.");
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
                      "physical lines, or triangles (.obj, .off, .ply, .stl) "
                      "for the models that have such, edges x min, x max, y "
                      "min, ... where the boundary ends along an axis, and rim "
                      "for what remains.",
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
                      "A mesh of gmsh (.msh, quadrilaterals or "
                      "triangles) or a file of triangles (.obj, "
                      ".off, .ply, .stl), for 'mesh file'; looked for "
                      "beside the parameter file, then in the working "
                      "directory.",
                      FileName());
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
                      "for none. Edges of which nothing is said are free. "
                      "There may be any number of sections Edge 1, Edge 2, "
                      "...",
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
                      "such as 'tip'; empty for none. There may be any number "
                      "of sections Point 1, Point 2, ...",
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
} // namespace slender

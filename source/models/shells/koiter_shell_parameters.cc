// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/shells/koiter_shell.h>

#include <algorithm>

namespace slender
{
  void
  KoiterShell::declare_parameters()
  {
    const double D = bending_stiffness(), L = length_unit;
    // "EDGE load" of an edge "left" is "left load".
    const auto add = [this](const std::string &name,
                            double            &value,
                            const double       scale,
                            const std::string &owner = "") {
      const auto &known = koiter_shell_quantities().parameters;
      const auto  found =
        std::find_if(known.begin(), known.end(), [&](const Quantity &q) {
          return q.name == name;
        });
      add_parameter(owner.empty() ? name : owner + name.substr(name.find(' ')),
                    found->description,
                    value,
                    scale);
    };

    for (const RestSurface::Dimension &dimension : surface->dimensions())
      add_parameter(dimension.name, dimension.description, *dimension.value, L);
    add("thickness", body.thickness, body.thickness);
    add("young", body.young, body.young);
    add("poisson", body.poisson, 1.);
    add("gravity",
        body.gravity,
        D / (body.density * body.thickness * L * L * L));
    add("gravity tilt", body.gravity_tilt, 1.);
    add("pressure", body.pressure, D / (L * L * L));
    add("natural curvature 1", body.natural_curvature_1, 1. / L);
    add("natural curvature 2", body.natural_curvature_2, 1. / L);
    if (body.growth_law.kind != GrowthKind::none)
      add("growth", body.growth, 1.);
    for (ShellEdge &edge : body.edges)
      {
        add("EDGE displacement", edge.displacement, L, edge.name);
        add("EDGE rotation", edge.rotation, 1., edge.name);
        add("EDGE load", edge.load, D / (L * L), edge.name);
        add("EDGE moment", edge.moment, D / L, edge.name);
      }
    for (ShellPoint &point : body.points)
      add("POINT force", point.force, D / L, point.name);
  }

  const Quantities &
  koiter_shell_quantities()
  {
    static const Quantities all = {
      {{"length", "length of a rectangle or a cylinder [length]"},
       {"width", "width of a rectangle [length]"},
       {"radius", "radius of a disk, a cylinder, a cap or a sphere [length]"},
       {"inner radius", "inner radius of an annulus [length]"},
       {"outer radius", "outer radius of an annulus [length]"},
       {"thickness", "thickness of the shell [length]"},
       {"young", "Young's modulus [force/length^2]"},
       {"poisson", "Poisson's ratio [1]"},
       {"gravity", "acceleration of gravity [length/time^2]"},
       {"gravity tilt",
        "rotation of the direction of gravity about its axis [rad]"},
       {"pressure", "pressure along the normal [force/length^2]"},
       {"natural curvature 1",
        "natural curvature along its direction [1/length]"},
       {"natural curvature 2",
        "natural curvature across its direction [1/length]"},
       {"growth",
        "part of what 'Growth' says that has come about, where it does [1]"},
       {"EDGE displacement", "displacement of what holds the edge [length]"},
       {"EDGE rotation", "rotation of what holds the edge [rad]"},
       {"EDGE load", "force per length on the edge [force/length]"},
       {"EDGE moment", "moment per length on the edge [force]"},
       {"POINT force", "force on the point [force]"}},
      {{"POINT x", "where the point is, likewise y and z [length]"},
       {"POINT displacement x",
        "how far it has moved from rest, likewise y and z [length]"},
       {"EDGE force x",
        "with which an edge that is held is held, likewise y and z [force]"},
       {"largest displacement", "of all nodes [length]"},
       {"membrane energy", "of stretching [force length]"},
       {"bending energy", "[force length]"},
       {"energy",
        "elastic energy and potential of the loads that have one [force "
        "length]"}}};
    return all;
  }

  std::vector<double>
  KoiterShell::rest_numbers() const
  {
    std::vector<double> numbers = {body.thickness,
                                   body.poisson,
                                   body.natural_curvature_1,
                                   body.natural_curvature_2,
                                   body.growth};
    for (const RestSurface::Dimension &dimension : surface->dimensions())
      numbers.push_back(*dimension.value);
    return numbers;
  }
} // namespace slender

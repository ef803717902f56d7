// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/shells/koiter_shell.h>

namespace slender
{
  void
  KoiterShell::declare_parameters()
  {
    const double D = bending_stiffness(), L = length_unit;

    for (const RestSurface::Dimension &dimension : surface->dimensions())
      add_parameter(dimension.name, dimension.description, *dimension.value, L);
    add_parameter("thickness",
                  "thickness of the shell [length]",
                  body.thickness,
                  body.thickness);
    add_parameter("young",
                  "Young's modulus [force/length^2]",
                  body.young,
                  body.young);
    add_parameter("poisson", "Poisson's ratio [1]", body.poisson, 1.);
    add_parameter("gravity",
                  "acceleration of gravity [length/time^2]",
                  body.gravity,
                  D / (body.density * body.thickness * L * L * L));
    add_parameter("gravity tilt",
                  "rotation of the direction of gravity about its axis [rad]",
                  body.gravity_tilt,
                  1.);
    add_parameter("pressure",
                  "pressure along the normal [force/length^2]",
                  body.pressure,
                  D / (L * L * L));
    add_parameter("natural curvature 1",
                  "natural curvature along its direction [1/length]",
                  body.natural_curvature_1,
                  1. / L);
    add_parameter("natural curvature 2",
                  "natural curvature across its direction [1/length]",
                  body.natural_curvature_2,
                  1. / L);
    if (body.natural_forms)
      add_parameter("growth",
                    "part of the natural forms that has developed [1]",
                    body.growth,
                    1.);
    for (ShellEdge &edge : body.edges)
      {
        add_parameter(edge.name + " displacement",
                      "displacement of what holds the edge [length]",
                      edge.displacement,
                      L);
        add_parameter(edge.name + " rotation",
                      "rotation of what holds the edge [rad]",
                      edge.rotation,
                      1.);
        add_parameter(edge.name + " load",
                      "force per length on the edge [force/length]",
                      edge.load,
                      D / (L * L));
        add_parameter(edge.name + " moment",
                      "moment per length on the edge [force]",
                      edge.moment,
                      D / L);
      }
    for (ShellPoint &point : body.points)
      add_parameter(point.name + " force",
                    "force on the point [force]",
                    point.force,
                    D / L);
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

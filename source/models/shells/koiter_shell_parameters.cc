// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/shells/koiter_shell.h>
#include <slender/models/shells/shell_parameter_list.h>

namespace slender
{
  void
  KoiterShell::declare_parameters()
  {
    list_parameters(body,
                    *surface,
                    bending_stiffness(),
                    length_unit,
                    koiter_shell_quantities(),
                    [this](const std::string &name,
                           const std::string &description,
                           double            &value,
                           const double       scale) {
                      add_parameter(name, description, value, scale);
                    });
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
    return slender::rest_numbers(body, *surface);
  }
} // namespace slender

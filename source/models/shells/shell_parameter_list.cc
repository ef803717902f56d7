// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/shells/shell_parameter_list.h>

#include <algorithm>

namespace slender
{
  void
  list_parameters(ShellBody          &body,
                  RestSurface        &surface,
                  const double        D,
                  const double        L,
                  const Quantities   &known,
                  const AddParameter &add_parameter)
  {
    // "EDGE load" of an edge "left" is "left load".
    const auto add = [&](const std::string &name,
                         double            &value,
                         const double       scale,
                         const std::string &owner = "") {
      const auto found =
        std::find_if(known.parameters.begin(),
                     known.parameters.end(),
                     [&](const Quantity &q) { return q.name == name; });
      if (found != known.parameters.end())
        add_parameter(owner.empty() ? name
                                    : owner + name.substr(name.find(' ')),
                      found->description,
                      value,
                      scale);
    };

    for (const RestSurface::Dimension &dimension : surface.dimensions())
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

  std::vector<double>
  rest_numbers(const ShellBody &body, RestSurface &surface)
  {
    std::vector<double> numbers = {body.thickness,
                                   body.poisson,
                                   body.natural_curvature_1,
                                   body.natural_curvature_2,
                                   body.growth};
    for (const RestSurface::Dimension &dimension : surface.dimensions())
      numbers.push_back(*dimension.value);
    return numbers;
  }
} // namespace slender

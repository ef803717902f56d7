// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/shells/shell_body.h>

#include <set>

namespace slender
{
  namespace
  {
    void
    require(const bool condition, const std::string &message)
    {
      if (!condition)
        throw InputError(message);
    }

    void
    require_direction(const Vector3 &v, const std::string &what)
    {
      require(v.allFinite() && v != Vector3::Zero(),
              what + " must be a vector other than zero");
    }
  } // namespace

  void
  check(const ShellBody &body)
  {
    // Negated comparisons refuse what is not a number, too.
    require(body.young > 0., "Young's modulus of a shell must be positive");
    require(body.thickness > 0., "the thickness of a shell must be positive");
    require(body.density > 0., "the density of a shell must be positive");
    require(body.poisson > -1. && body.poisson <= 0.5,
            "Poisson's ratio of a shell must be above -1 and at most 0.5");
    require_direction(body.gravity_direction, "the direction of gravity");
    require_direction(body.gravity_tilt_axis, "the axis of gravity's tilt");
    require_direction(body.natural_direction,
                      "the direction of the natural curvature");
    std::set<std::string> names;
    for (const ShellEdge &edge : body.edges)
      {
        require(names.insert(edge.name).second,
                "edge '" + edge.name + "' of the shell is described twice");
        require_direction(edge.displacement_direction,
                          "the displacement's direction of edge '" + edge.name +
                            "'");
        require_direction(edge.rotation_axis,
                          "the rotation's axis of edge '" + edge.name + "'");
        require_direction(edge.load_direction,
                          "the load's direction of edge '" + edge.name + "'");
      }
    for (const ShellPoint &point : body.points)
      {
        require(names.insert(point.name).second,
                "the name '" + point.name + "' is given twice");
        require_direction(point.force_direction,
                          "the force's direction of point '" + point.name +
                            "'");
      }
  }
} // namespace slender

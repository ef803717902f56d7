// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/triangles/triangle_file.h>
#include <slender/studies/shell_parameters.h>

#include <boost/math/constants/constants.hpp>

#include <algorithm>
#include <cmath>

namespace slender
{
  namespace
  {
    constexpr double degree = boost::math::constants::pi<double>() / 180.;
  } // namespace

  std::string
  ShellParameters::numbered(const std::string &name, const int i)
  {
    return name + " " + std::to_string(i);
  }

  std::array<bool, 3>
  ShellParameters::fixed_from(const std::string &directions)
  {
    std::array<bool, 3> fixed = {{false, false, false}};
    for (std::size_t c = 0; c < 3; ++c)
      fixed[c] = directions.find("xyz"[c]) != std::string::npos;
    return fixed;
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
    if (shape == "mesh file" && is_triangle_file(mesh_file))
      {
        if (slit)
          throw InputError("triangles of a file are joined or not as it has "
                           "them; 'Slit' is for gmsh's quadrilaterals",
                           "Surface/Slit");
        return make_surface(TriangleFile{mesh_file, refinements, flip_normals});
      }
    if (shape == "mesh file")
      return make_surface(MeshFile{mesh_file, refinements, flip_normals, slit});
    return make_surface(Rectangle{length, width, cells, grading_u, grading_v});
  }

  ShellEdge
  ShellParameters::make_edge(const Edge &edge)
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
    return held;
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
    body.growth_law        = growth.make();
    body.gravity_direction = gravity_direction;
    body.gravity_tilt_axis = tilt_axis;
    body.pressure_kind =
      pressure_kind == "dead" ? PressureKind::dead : PressureKind::follower;
    for (const auto &[i, edge] : edges)
      if (!edge.name.empty())
        body.edges.push_back(make_edge(edge));
    for (const auto &[i, point] : points)
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
    const auto surface = make_rest_surface();
    const auto mesh    = surface->mesh();
    builder.check_size(std::ldexp(static_cast<double>(mesh.cells.size()),
                                  2 * mesh.refinements),
                       shape == "mesh file" ? "Surface/Refinements"
                                            : "Surface/Cells along u");
    return builder.build(unloaded_body(), *surface, communicator);
  }

  ShellParameters::OwnLoads
  ShellParameters::loads_of(const Edge &edge)
  {
    return {{{edge.name + " displacement", edge.displacement},
             {edge.name + " rotation", edge.rotation},
             {edge.name + " load", edge.load},
             {edge.name + " moment", edge.moment}},
            {"Displacement", "Rotation angle", "Load", "Moment"}};
  }

  ShellParameters::OwnLoads
  ShellParameters::loads_of(const Point &point)
  {
    return {{{point.name + " force", point.force}}, {"Force"}};
  }

  std::vector<LoadTarget>
  ShellParameters::loads() const
  {
    std::vector<LoadTarget> all = {
      {"gravity", gravity},
      {"gravity tilt", tilt},
      {"pressure", pressure},
      {"natural curvature 1", natural_curvature_1},
      {"natural curvature 2", natural_curvature_2},
      {"growth", growth.grows() && growth_is_load ? growth.amount : 0.}};
    const auto add = [&all](const auto &sections) {
      for (const auto &[i, owner] : sections)
        if (!owner.name.empty())
          {
            const auto own = loads_of(owner).targets;
            all.insert(all.end(), own.begin(), own.end());
          }
    };
    add(edges);
    add(points);
    all.erase(std::remove_if(all.begin(),
                             all.end(),
                             [](const LoadTarget &load) {
                               return load.value == 0.;
                             }),
              all.end());
    return all;
  }

  std::string
  ShellParameters::path_of_load(const std::string &parameter) const
  {
    static const std::map<std::string, std::string> paths = {
      {"gravity", "Loads/Gravity"},
      {"gravity tilt", "Loads/Tilt"},
      {"pressure", "Loads/Pressure"},
      {"natural curvature 1", "Shell/Natural curvature 1"},
      {"natural curvature 2", "Shell/Natural curvature 2"},
      {"growth", "Growth/Amount"}};
    if (const auto found = paths.find(parameter); found != paths.end())
      return found->second;
    const auto look_in = [&](const auto &sections, const std::string &kind) {
      for (const auto &[i, owner] : sections)
        {
          const OwnLoads own = loads_of(owner);
          for (std::size_t k = 0; k < own.targets.size(); ++k)
            if (own.targets[k].parameter == parameter)
              return numbered(kind, i) + "/" + own.names[k];
        }
      return std::string();
    };
    const std::string of_edge = look_in(edges, "Edge");
    return of_edge.empty() ? look_in(points, "Point") : of_edge;
  }
} // namespace slender

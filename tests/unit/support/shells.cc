// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/shells.h"

#include "support/random.h"

#include <ostream>

namespace slender::test
{
  namespace
  {
    constexpr double pi = 3.14159265358979323846;

    /// A plane of cells whose vertices were moved about at random.
    class DistortedSquare : public RestSurface
    {
    public:
      Vector3
      position(int, const double u, const double v) const override
      {
        // Bilinear between moved vertices.
        const int    n = 3;
        const int    i = std::min(n - 1, static_cast<int>(u * n + 1e-9));
        const int    j = std::min(n - 1, static_cast<int>(v * n + 1e-9));
        const double x = u * n - i, y = v * n - j;
        return (1. - y) * ((1. - x) * vertex(i, j) + x * vertex(i + 1, j)) +
               y * ((1. - x) * vertex(i, j + 1) + x * vertex(i + 1, j + 1));
      }

      SurfaceMesh
      mesh() const override
      {
        return cut_patches(*this, 1, {3, 3}, false, {{{0, 1, 2, 3}}});
      }

      std::map<std::string, int>
      edges() const override
      {
        return {{"left", 0}, {"right", 1}, {"bottom", 2}, {"top", 3}};
      }

      double
      size() const override
      {
        return 1.;
      }

      std::unique_ptr<RestSurface>
      clone() const override
      {
        return std::make_unique<DistortedSquare>(*this);
      }

    private:
      static Vector3
      vertex(const int i, const int j)
      {
        Random        random(100 + 10 * i + j);
        const Vector3 x(i / 3., j / 3., 0.);
        return x + 0.09 * Vector3(random.number(), random.number(), 0.);
      }
    };

    template <class Shape>
    std::shared_ptr<RestSurface>
    surface_of(const Shape &shape)
    {
      return make_surface(shape);
    }

    std::shared_ptr<RestSurface>
    rectangle(const int nu, const int nv)
    {
      Rectangle shape;
      shape.width     = 0.7;
      shape.cells     = {nu, nv};
      shape.grading_x = 2.;
      shape.grading_y = 1.5;
      return surface_of(shape);
    }

    std::shared_ptr<RestSurface>
    panel()
    {
      Cylinder shape;
      shape.start = -0.3;
      shape.angle = 1.2;
      shape.cells = {3, 2};
      return surface_of(shape);
    }

    std::shared_ptr<RestSurface>
    quarter_of_hemisphere()
    {
      Sphere shape;
      shape.angle = pi / 2;
      shape.cells = {2, 2};
      return surface_of(shape);
    }

    std::shared_ptr<RestSurface>
    disk()
    {
      Disk shape;
      shape.cells = 1;
      return surface_of(shape);
    }

    ShellBody
    thick_body()
    {
      ShellBody body;
      body.young     = 20.;
      body.poisson   = 0.3;
      body.thickness = 0.2;
      return body;
    }
  } // namespace

  std::ostream &
  operator<<(std::ostream &stream, const NamedShell &shell)
  {
    return stream << shell.name;
  }

  std::vector<NamedShell>
  all_kinds_of_shells()
  {
    std::vector<NamedShell> shells;
    {
      ShellBody body           = thick_body();
      body.gravity             = 0.3;
      ShellEdge left           = ShellEdge::clamped("left");
      left.rotation            = 0.2;
      left.displacement        = 0.1;
      ShellEdge right          = ShellEdge::free("right");
      right.load               = 0.02;
      right.moment             = 0.03;
      right.load_direction     = {0.2, 0.5, 1.};
      body.edges               = {left, right};
      body.natural_curvature_1 = 0.5;
      shells.push_back({"clamped plate", body, rectangle(3, 2)});
    }
    {
      ShellBody body       = thick_body();
      body.pressure        = 0.05;
      body.edges           = {ShellEdge::hinged("start"),
                              ShellEdge::symmetry("bottom", 2),
                              ShellEdge::symmetry("top", 2)};
      body.growth_law.kind = GrowthKind::prescribed;
      for (const int i : {0, 1})
        body.growth_law.metric[i] = [](const Vector3 &x) {
          return 1. + 0.1 * x(2);
        };
      body.growth_law.curvature[2] = [](const Vector3 &) { return 0.2; };
      body.growth                  = 1.;
      shells.push_back(
        {"panel under pressure with a free edge", body, panel()});
      // Two directions held, of an edge that is moved along the third; and
      // planes of symmetry that have moved.
      ShellEdge slides              = ShellEdge::hinged("end");
      slides.position_fixed         = {{true, true, false}};
      slides.displacement           = 0.01;
      slides.displacement_direction = {1., 0.5, 0.};
      body.edges.push_back(slides);
      body.edges[1].displacement           = 0.005;
      body.edges[1].displacement_direction = Vector3::UnitZ();
      shells.push_back({"panel under pressure", body, panel()});
    }
    {
      // Paper with ribs that takes up moisture from one side.
      ShellBody body         = thick_body();
      body.edges             = {ShellEdge::clamped("start")};
      body.natural_direction = {0., 1., 1.};
      GrowthLaw &law         = body.growth_law;
      law.kind               = GrowthKind::swelling;
      law.moisture_top       = [](const Vector3 &x) { return 1. + x(2); };
      law.moisture_bottom    = [](const Vector3 &x) { return x(1); };
      law.expansion          = {0.03, 0.1};
      law.thickness          = [](const Vector3 &x) { return 1. + 0.3 * x(2); };
      law.stiffness          = [](const Vector3 &x) { return 2. - x(1); };
      body.growth            = 0.8;
      shells.push_back({"swelling panel", body, panel()});
    }
    {
      ShellBody body = thick_body();
      body.points    = {
           {"A", {1., 0., 0.}, {{false, false, false}}, Vector3::UnitX(), 0.01},
           {"B", {0., 1., 0.}, {{false, false, true}}, -Vector3::UnitY(), 0.02}};
      body.edges = {ShellEdge::symmetry("start", 1),
                    ShellEdge::symmetry("end", 0)};
      shells.push_back({"pinched hemisphere", body, quarter_of_hemisphere()});
    }
    {
      ShellBody body     = thick_body();
      body.pressure      = 0.05;
      body.pressure_kind = PressureKind::dead;
      body.edges         = {ShellEdge::clamped("rim")};
      shells.push_back({"disk", body, disk()});
    }
    return shells;
  }

  std::vector<NamedShell>
  free_shells()
  {
    Sphere sphere;
    sphere.complete = true;
    sphere.cells    = {1, 1};
    Cylinder tube;
    tube.cells = {4, 2};
    Annulus ring;
    ring.slit            = true;
    ring.cells           = {5, 1};
    const ShellBody body = thick_body();
    return {{"rectangle", body, rectangle(3, 2)},
            {"distorted square", body, std::make_shared<DistortedSquare>()},
            {"panel", body, panel()},
            {"part of a hemisphere", body, quarter_of_hemisphere()},
            {"disk", body, disk()},
            {"sphere", body, surface_of(sphere)},
            {"tube", body, surface_of(tube)},
            {"slit ring", body, surface_of(ring)}};
  }

  std::unique_ptr<KoiterShell>
  make_shell(const NamedShell &shell, const int degree, MPI_Comm communicator)
  {
    KoiterShellDiscretisation discretisation;
    discretisation.degree = degree;
    return std::make_unique<KoiterShell>(shell.body,
                                         *shell.surface,
                                         discretisation,
                                         communicator);
  }

  Size
  size_of(const RestSurface &surface)
  {
    const ShellMesh mesh = make_shell_mesh(surface, {}, 4, MPI_COMM_SELF);
    NodalVectors    x(3, static_cast<Index>(mesh.nodes.size()));
    for (Index i = 0; i < x.cols(); ++i)
      x.col(i) =
        surface.position(mesh.nodes[i].patch, mesh.nodes[i].u, mesh.nodes[i].v);
    // From a point at the origin to the surface: the volume of the cone.
    FollowerPressure   pressure(mesh);
    const NodalVectors origin = NodalVectors::Zero(3, x.cols());
    pressure.set_reference(origin, origin);
    pressure.set_potential(true);
    pressure.pressure = -1.;
    return {nodal_areas(mesh, x).area.sum(), pressure.energy(x)};
  }

  ShellBody
  cantilever_plate(const double   thickness,
                   const double   poisson,
                   const Vector3 &down)
  {
    ShellBody body;
    body.thickness = thickness;
    body.poisson   = poisson;
    body.young     = 12. * (1. - poisson * poisson) /
                 (thickness * thickness * thickness); // D = 1
    body.density           = 1. / thickness;
    body.gravity_direction = down;
    body.edges             = {ShellEdge::clamped("left")};
    return body;
  }
} // namespace slender::test

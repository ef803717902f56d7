// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/shells/parametric_surface.h>
#include <slender/models/shells/rest_surface.h>

// Disks, caps, rings, cylinders and spheres.
namespace slender
{
  namespace
  {
    /// Two cells could not be told from each other.
    void
    check_closed(const double       angle,
                 const CellCounts  &cells,
                 const std::string &of_what)
    {
      if (is_whole_turn(angle) && cells.along_u < 3)
        throw InputError(of_what + " that is closed needs at least 3 cells "
                                   "around it");
    }

    /**
     * A point of the unit disk, from five patches: patch 0 is a square with
     * rounded sides, the others reach from its sides to the rim.
     */
    Eigen::Vector2d
    on_unit_disk(const int patch, const double u, const double v)
    {
      static constexpr double half = 0.5; // of the square's diagonal
      // Between a straight side and a circle, which keeps angles moderate.
      const auto side = [](const double t) -> Eigen::Vector2d {
        const double          phi = whole_turn / 8. * (2. * t - 1.);
        const Eigen::Vector2d arc(std::cos(phi), std::sin(phi));
        const double          a = std::sqrt(0.5);
        return half * (0.5 * arc + 0.5 * Eigen::Vector2d(a, a * (2. * t - 1.)));
      };
      const auto turned = [](const Eigen::Vector2d &x, const int quarters) {
        Eigen::Vector2d y = x;
        for (int i = 0; i < quarters; ++i)
          y = {-y(1), y(0)};
        return y;
      };
      if (patch == 0)
        {
          // Coons' patch between the four sides.
          const Eigen::Vector2d right = side(v), left = turned(side(1. - v), 2),
                                top    = turned(side(1. - u), 1),
                                bottom = turned(side(u), 3);
          const double c               = side(1.)(0);
          return (1. - u) * left + u * right + (1. - v) * bottom + v * top -
                 Eigen::Vector2d(c * (2. * u - 1.), c * (2. * v - 1.));
        }
      const double phi = whole_turn / 8. * (2. * v - 1.);
      return turned((1. - u) * side(v) +
                      u * Eigen::Vector2d(std::cos(phi), std::sin(phi)),
                    patch - 1);
    }

    /// The image of a disk. Edge: rim.
    template <class Shape, class Surface>
    class RoundSurface : public ParametricSurface<Shape, Surface>
    {
    public:
      using ParametricSurface<Shape, Surface>::ParametricSurface;

      SurfaceMesh
      mesh() const override
      {
        // Sides that are joined are no edges, whatever their number.
        return cut_patches(*this,
                           5,
                           {this->shape.cells, this->shape.cells},
                           true,
                           std::vector<std::array<int, 4>>(5, {{0, 0, 0, 0}}));
      }

      std::map<std::string, int>
      edges() const override
      {
        return {{"rim", 0}};
      }

      double
      size() const override
      {
        return this->shape.radius;
      }
    };

    class DiskSurface : public RoundSurface<Disk, DiskSurface>
    {
    public:
      using RoundSurface::RoundSurface;

      Vector3
      position(const int patch, const double u, const double v) const override
      {
        const Eigen::Vector2d x = shape.radius * on_unit_disk(patch, u, v);
        return {x(0), x(1), 0.};
      }

      std::vector<Dimension>
      dimensions() override
      {
        return {{"radius", "radius of the disk [length]", &shape.radius}};
      }
    };

    class CapSurface : public RoundSurface<Cap, CapSurface>
    {
    public:
      using RoundSurface::RoundSurface;

      /// Distances from the pole are those of the disk.
      Vector3
      position(const int patch, const double u, const double v) const override
      {
        const Eigen::Vector2d x = shape.angle * on_unit_disk(patch, u, v);
        const double          r = x.norm();
        const Eigen::Vector2d across =
          (r > 0. ? std::sin(r) / r : 1.) * x; // smooth at the pole
        return shape.radius * Vector3(across(0), across(1), std::cos(r));
      }

      std::vector<Dimension>
      dimensions() override
      {
        return {{"radius", "radius of the sphere [length]", &shape.radius}};
      }
    };

    /// One patch with u around an axis, over an angle. Edges: start and end,
    /// unless they are joined, and the two sides v = 0 and v = 1.
    template <class Shape, class Surface>
    class BandSurface : public ParametricSurface<Shape, Surface>
    {
    public:
      using ParametricSurface<Shape, Surface>::ParametricSurface;

      SurfaceMesh
      mesh() const override
      {
        return cut_patches(
          *this, 1, this->shape.cells, is_closed(), {{{0, 1, 2, 3}}});
      }

      std::map<std::string, int>
      edges() const override
      {
        const std::array<std::string, 2> sides = side_names();
        std::map<std::string, int>       names = {{sides[0], 2}, {sides[1], 3}};
        if (!is_closed())
          names.insert({{"start", 0}, {"end", 1}});
        return names;
      }

    protected:
      virtual bool
      is_closed() const
      {
        return is_whole_turn(this->shape.angle);
      }

      virtual std::array<std::string, 2>
      side_names() const
      {
        return {{"bottom", "top"}};
      }

      double
      angle_at(const double u) const
      {
        return this->shape.start + u * this->shape.angle;
      }
    };

    class AnnulusSurface : public BandSurface<Annulus, AnnulusSurface>
    {
    public:
      using BandSurface::BandSurface;

      Vector3
      position(int, const double u, const double v) const override
      {
        const double r =
          shape.outer_radius + v * (shape.inner_radius - shape.outer_radius);
        const double phi = angle_at(u);
        return {r * std::cos(phi), r * std::sin(phi), 0.};
      }

      double
      size() const override
      {
        return shape.outer_radius;
      }

      std::vector<Dimension>
      dimensions() override
      {
        return {{"inner radius",
                 "inner radius of the annulus [length]",
                 &shape.inner_radius},
                {"outer radius",
                 "outer radius of the annulus [length]",
                 &shape.outer_radius}};
      }

    private:
      bool
      is_closed() const override
      {
        return BandSurface::is_closed() && !shape.slit;
      }

      std::array<std::string, 2>
      side_names() const override
      {
        return {{"outer", "inner"}};
      }
    };

    class CylinderSurface : public BandSurface<Cylinder, CylinderSurface>
    {
    public:
      using BandSurface::BandSurface;

      Vector3
      position(int, const double u, const double v) const override
      {
        const double phi = angle_at(u);
        return {shape.radius * std::cos(phi),
                shape.radius * std::sin(phi),
                v * shape.length};
      }

      double
      size() const override
      {
        return std::max(shape.length, shape.radius);
      }

      std::vector<Dimension>
      dimensions() override
      {
        return {{"radius", "radius of the cylinder [length]", &shape.radius},
                {"length", "length of the cylinder [length]", &shape.length}};
      }
    };

    class SphereSurface : public BandSurface<Sphere, SphereSurface>
    {
    public:
      using BandSurface::BandSurface;

      Vector3
      position(const int patch, const double u, const double v) const override
      {
        if (shape.complete)
          return position_on_cube(patch, u, v);
        const double phi = angle_at(u);
        const double latitude =
          shape.bottom_latitude +
          v * (shape.top_latitude - shape.bottom_latitude);
        return shape.radius * Vector3(std::cos(latitude) * std::cos(phi),
                                      std::cos(latitude) * std::sin(phi),
                                      std::sin(latitude));
      }

      SurfaceMesh
      mesh() const override
      {
        if (shape.complete)
          return cut_patches(*this,
                             6,
                             shape.cells,
                             true,
                             std::vector<std::array<int, 4>>(6,
                                                             {{0, 0, 0, 0}}));
        return BandSurface::mesh();
      }

      std::map<std::string, int>
      edges() const override
      {
        if (shape.complete)
          return {};
        return BandSurface::edges();
      }

      double
      size() const override
      {
        return shape.radius;
      }

      std::vector<Dimension>
      dimensions() override
      {
        return {{"radius", "radius of the sphere [length]", &shape.radius}};
      }

    private:
      /// The faces of a cube, with equal angles along their middle lines.
      Vector3
      position_on_cube(const int patch, const double u, const double v) const
      {
        const double a    = std::tan(whole_turn / 8. * (2. * u - 1.));
        const double b    = std::tan(whole_turn / 8. * (2. * v - 1.));
        const int    axis = patch / 2;
        const double sign = patch % 2 == 0 ? 1. : -1.;
        Vector3      x;
        x(axis)           = sign;
        x((axis + 1) % 3) = a;
        x((axis + 2) % 3) = sign * b;
        return shape.radius * x.normalized();
      }
    };
  } // namespace

  std::unique_ptr<RestSurface>
  make_surface(const Disk &disk)
  {
    check_positive(disk.radius, "the radius of a disk");
    return std::make_unique<DiskSurface>(disk);
  }

  std::unique_ptr<RestSurface>
  make_surface(const Cap &cap)
  {
    check_positive(cap.radius, "the radius of a cap");
    check_positive(cap.angle, "the angle of a cap");
    if (cap.angle > whole_turn / 2. - 1e-3)
      throw InputError("a cap must leave a rim; its bottom latitude is above "
                       "that of the pole");
    return std::make_unique<CapSurface>(cap);
  }

  std::unique_ptr<RestSurface>
  make_surface(const Annulus &annulus)
  {
    check_positive(annulus.inner_radius, "the inner radius of an annulus");
    check_positive(annulus.outer_radius - annulus.inner_radius,
                   "the outer less the inner radius of an annulus");
    check_angle(annulus.angle, "an annulus");
    if (!annulus.slit)
      check_closed(annulus.angle, annulus.cells, "an annulus");
    return std::make_unique<AnnulusSurface>(annulus);
  }

  std::unique_ptr<RestSurface>
  make_surface(const Cylinder &cylinder)
  {
    check_positive(cylinder.radius, "the radius of a cylinder");
    check_positive(cylinder.length, "the length of a cylinder");
    check_angle(cylinder.angle, "a cylinder");
    check_closed(cylinder.angle, cylinder.cells, "a cylinder");
    return std::make_unique<CylinderSurface>(cylinder);
  }

  std::unique_ptr<RestSurface>
  make_surface(const Sphere &sphere)
  {
    check_positive(sphere.radius, "the radius of a sphere");
    check_angle(sphere.angle, "a sphere");
    if (!sphere.complete)
      {
        check_closed(sphere.angle, sphere.cells, "a part of a sphere");
        check_positive(sphere.top_latitude - sphere.bottom_latitude,
                       "the top less the bottom latitude of a sphere");
        if (sphere.top_latitude >= whole_turn / 4. - 1e-6 ||
            sphere.bottom_latitude <= -whole_turn / 4. + 1e-6)
          throw InputError("a band of a sphere must not reach a pole (a "
                           "'cap' does); its latitudes lie between -pi/2 and "
                           "pi/2");
      }
    else if (sphere.cells.along_u != sphere.cells.along_v)
      throw InputError(
        "a complete sphere has as many cells along u as along v");
    return std::make_unique<SphereSurface>(sphere);
  }
} // namespace slender

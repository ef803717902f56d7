// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_shells_shell_body_h
#define slender_models_shells_shell_body_h

#include <slender/models/shells/growth_law.h>

#include <string>
#include <vector>

namespace slender
{
  /**
   * What is done to an edge of a shell: how it is held, how what holds it
   * moves, and what pulls at it. An edge has a name, by which the parameters
   * "NAME displacement", "NAME rotation", "NAME load" and "NAME moment" of the
   * model are called; edges of which nothing is said are free.
   */
  struct ShellEdge
  {
    std::string name = ""; ///< of the rest surface, see RestSurface::edges()

    std::array<bool, 3> position_fixed = {{false, false, false}};

    /// The tangent plane across the edge keeps its direction. It is imposed
    /// weakly, and turns with the motion.
    bool normal_fixed = false;

    // The rigid motion of what holds the edge: a rotation about an axis
    // through a point, then a displacement.
    Vector3 displacement_direction = Vector3::UnitX();
    double  displacement           = 0.;
    Vector3 rotation_axis          = Vector3::UnitX();
    Vector3 rotation_centre        = Vector3::Zero();
    double  rotation               = 0.; ///< angle

    // Force per rest length in a fixed direction, and moment per rest length
    // about the edge; a positive one bends towards the normal of the surface.
    Vector3 load_direction = -Vector3::UnitZ();
    double  load           = 0.;
    double  moment         = 0.;

    static ShellEdge
    free(const std::string &name)
    {
      ShellEdge edge;
      edge.name = name;
      return edge;
    }

    static ShellEdge
    clamped(const std::string &name)
    {
      ShellEdge edge    = hinged(name);
      edge.normal_fixed = true;
      return edge;
    }

    static ShellEdge
    hinged(const std::string &name)
    {
      ShellEdge edge;
      edge.name           = name;
      edge.position_fixed = {{true, true, true}};
      return edge;
    }

    /// The edge stays in a plane across a coordinate axis (0, 1, 2) of which
    /// the rest of the body is a mirror image.
    static ShellEdge
    symmetry(const std::string &name, const int axis)
    {
      ShellEdge edge;
      edge.name                 = name;
      edge.position_fixed[axis] = true;
      edge.normal_fixed         = true;
      return edge;
    }
  };

  /// A material point of a shell with a name, where it is measured, and perhaps
  /// held or pulled at (parameter "NAME force"). It must be a node.
  struct ShellPoint
  {
    std::string         name;
    Vector3             position        = Vector3::Zero(); ///< at rest
    std::array<bool, 3> position_fixed  = {{false, false, false}};
    Vector3             force_direction = -Vector3::UnitZ();
    double              force           = 0.;
    /// Of a slit, whose sides are at the same place, the one that is meant; any
    /// node if empty.
    std::string edge = "";
  };

  /// A pressure acts along the normal of the surface.
  enum class PressureKind
  {
    dead,    ///< along the normal at rest
    follower ///< along the present normal
  };

  /**
   * A shell as its user describes it, in the user's units, without its shape
   * (see RestSurface) and without any discretisation.
   */
  struct ShellBody
  {
    double young     = 1.;
    double poisson   = 0.35;
    double thickness = 1e-3;
    double density   = 1.; ///< mass per volume

    double  gravity           = 0.;
    Vector3 gravity_direction = -Vector3::UnitZ();
    /// Turns the direction of gravity about an axis, by an angle.
    Vector3 gravity_tilt_axis = Vector3::UnitX();
    double  gravity_tilt      = 0.;

    double       pressure      = 0.;
    PressureKind pressure_kind = PressureKind::follower;

    /// Curvatures of the stress-free shell beyond those of its surface, along a
    /// direction (made tangential) and across it. This is the machine direction
    /// of growth as well.
    double  natural_curvature_1 = 0.;
    double  natural_curvature_2 = 0.;
    Vector3 natural_direction   = Vector3::UnitX();

    /// How the stress-free state differs from the rest surface; the parameter
    /// "growth" goes from not at all (0) to all of it (1).
    GrowthLaw growth_law;
    double    growth = 0.;

    std::vector<ShellEdge>  edges;
    std::vector<ShellPoint> points;
  };

  /// Throws InputError for values that no shell can have.
  void
  check(const ShellBody &body);
} // namespace slender

#endif

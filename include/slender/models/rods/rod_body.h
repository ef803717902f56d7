// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_rods_rod_body_h
#define slender_models_rods_rod_body_h

#include <slender/base/types.h>

#include <array>
#include <optional>

namespace slender
{
  /// A material frame: tangent t, directors d1 and d2 = t x d1.
  struct Frame
  {
    Vector3 tangent  = Vector3::UnitX();
    Vector3 director = Vector3::UnitY();
  };

  /// How an end of a rod is held.
  struct RodEnd
  {
    enum class Rotation
    {
      free,
      fixed,
      about_x, ///< may only turn about the x axis; likewise y, z
      about_y,
      about_z
    };

    std::array<bool, 3> position_fixed = {{false, false, false}};
    Rotation            rotation       = Rotation::free;

    /// Where the end is held; by default where the initial shape has it.
    std::optional<Vector3> position;
    std::optional<Frame>   frame;

    /// What the parameters "start displacement", "end rotation", ... act on.
    Vector3 displacement_direction = Vector3::UnitX();
    Vector3 rotation_axis          = Vector3::UnitY();
    double  displacement           = 0.;
    double  rotation_angle         = 0.;

    static RodEnd
    clamped()
    {
      RodEnd end;
      end.position_fixed = {{true, true, true}};
      end.rotation       = Rotation::fixed;
      return end;
    }
  };

  /**
   * A rod as its user describes it, without any discretisation, in the user's
   * units. Strains are kappa = (twist, kappa_1, kappa_2): rates of rotation of
   * the material frame about t, d1 and d2.
   */
  struct RodBody
  {
    double length = 1.;
    double radius = 5e-4; ///< of a circle with the section's area, for drawing

    /// Of a rectangular section along d1 and d2, for ribbons and for drawing; 0
    /// for others.
    double width = 0., thickness = 0.;

    double poisson = 0.; ///< Poisson's ratio, for ribbons

    // Stiffnesses of the section.
    double axial           = 0.; ///< EA; 0 means inextensible
    double bending_1       = 1.; ///< about d1
    double bending_2       = 1.; ///< about d2
    double twisting        = 1.; ///< GJ
    double mass_per_length = 1.;

    // Shear of sections along d1 and along d2 against the centreline, k GA; 0
    // means that they stay normal to it. Kirchhoff rods alone can shear.
    double shear_1 = 0.;
    double shear_2 = 0.;

    // Rotary inertia: integrals over the section of density times the squared
    // coordinate along d1 and along d2 [mass length].
    double rotary_1 = 0.;
    double rotary_2 = 0.;

    /// Multiplies all stiffnesses, such as a change of Young's modulus does.
    double stiffness_factor = 1.;

    // Strains at rest.
    double natural_twist       = 0.;
    double natural_curvature_1 = 0.;
    double natural_curvature_2 = 0.;

    // Loads.
    double  gravity             = 0.;
    Vector3 gravity_direction   = -Vector3::UnitZ();
    double  end_force           = 0.;
    Vector3 end_force_direction = -Vector3::UnitZ();
    double  end_moment          = 0.;
    Vector3 end_moment_axis     = Vector3::UnitY();

    /// The force turns with the end, from its direction at the initial shape:
    /// it has no potential.
    bool end_force_follows = false;
    /// The moment is that of a potential, see MomentPotential; else it is fixed
    /// in space whatever the end does.
    bool end_moment_has_potential = true;

    RodEnd start = RodEnd::clamped();
    RodEnd end;

    /// The frame from which the initial shape starts.
    Frame start_frame;

    /// Twist and curvatures of the initial shape, in which the held ends are
    /// placed: straight, natural_strain() for the stress-free shape, or any.
    Vector3 initial_strain = Vector3::Zero();

    Vector3
    natural_strain() const
    {
      return {natural_twist, natural_curvature_1, natural_curvature_2};
    }
  };
} // namespace slender

#endif

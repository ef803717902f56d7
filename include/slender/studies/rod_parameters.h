// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_rod_parameters_h
#define slender_studies_rod_parameters_h

#include <slender/models/rods/rod_body.h>
#include <slender/studies/body_parameters.h>

#include <string>
#include <vector>

namespace slender
{
  /**
   * A user's own rod: the sections "Rod", "Start", "End" and "Loads" of a
   * parameter file.
   */
  class RodParameters : public BodyParameters
  {
  public:
    void
    declare(dealii::ParameterHandler &prm) override;

    void
    check() const override;

    std::unique_ptr<Model>
    build(const ModelBuilder &builder, MPI_Comm communicator) const override;

    std::vector<LoadTarget>
    loads() const override;

    void
    check_parameter(const std::string &name) const override;

    std::string
    path_of_load(const std::string &parameter) const override;

    RodBody
    unloaded_body() const;

  private:
    struct End
    {
      std::string hold;
      std::string fixed_directions; ///< for hold = custom
      std::string rotation               = "free";
      std::string position               = "";
      Vector3     displacement_direction = Vector3::UnitX();
      Vector3     rotation_axis          = Vector3::UnitY();
      double      displacement           = 0.;
      double      rotation_angle         = 0.;
    };

    void
    declare_end(dealii::ParameterHandler &prm,
                const std::string        &section,
                End                      &end);

    void
    check_end(const std::string &section, const End &end) const;

    /// Settings that do not belong to this kind of section.
    void
    check_section() const;

    RodEnd
    make_end(const End &end) const;

    void
    set_section(RodBody &body) const;

    double      length              = 1.;
    std::string section             = "circular";
    double      radius              = 0.01;
    double      width               = 0.02;
    double      thickness           = 0.005;
    double      young_modulus       = 1e6;
    double      poisson_ratio       = 0.5;
    double      density             = 1000.;
    double      bending_1           = 1.;
    double      bending_2           = 1.;
    double      twisting            = 1.;
    double      axial               = 0.;
    double      mass_per_length     = 1.;
    bool        inextensible        = false;
    bool        shears              = false;
    double      shear_coefficient   = 0.; ///< by the section's shape
    double      shear_stiffness     = 0.;
    double      natural_twist       = 0.;
    double      natural_curvature_1 = 0.;
    double      natural_curvature_2 = 0.;
    std::string initial_shape       = "straight";
    Vector3     initial_strain      = Vector3::Zero();
    Vector3     tangent             = Vector3::UnitX();
    Vector3     director            = Vector3::UnitY();

    End start = {"clamped", "", "free", "0, 0, 0"};
    End end   = {"free", "", "free", ""};

    double  gravity                  = 0.;
    Vector3 gravity_direction        = Vector3(0., 0., -1.);
    double  end_force                = 0.;
    Vector3 end_force_direction      = Vector3(0., 0., -1.);
    double  end_moment               = 0.;
    Vector3 end_moment_axis          = Vector3::UnitY();
    bool    end_force_follows        = false;
    bool    end_moment_has_potential = true;
  };
} // namespace slender

#endif

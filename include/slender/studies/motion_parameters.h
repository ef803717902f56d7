// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_motion_parameters_h
#define slender_studies_motion_parameters_h

#include <slender/dynamics/motion.h>

#include <string>

namespace dealii
{
  class ParameterHandler;
}

namespace slender
{
  /// How time goes on: the section "Time" of a parameter file.
  struct TimeParameters
  {
    std::string integrator      = "generalised alpha";
    double      spectral_radius = 0.8;
    double      beta            = 0.25;
    double      gamma           = 0.5;
    double      end             = 1.;
    double      step            = 0.01;
    bool        is_adaptive     = false;
    double      tolerance       = 1e-4;
    double      smallest_step   = 1e-9;
    double      largest_step    = 1e9;
    double      rows_every      = 0.;
    double      shapes_every    = 0.;
    MassOptions masses;

    void
    declare(dealii::ParameterHandler &prm);

    void
    check() const;

    IntegratorOptions
    make() const;
  };

  /// The section "Damping" of a parameter file.
  void
  declare_damping(dealii::ParameterHandler &prm, DampingOptions &damping);

  /// Throws InputError for settings of it that contradict each other.
  void
  check_damping_law(const DampingOptions &damping);
} // namespace slender

#endif

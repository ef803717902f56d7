// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_mass_parameters_h
#define slender_studies_mass_parameters_h

#include <slender/systems/kinetics.h>

namespace dealii
{
  class ParameterHandler;
}

namespace slender
{
  /// Declares how the mass of a body is put down to its unknowns, in the
  /// section that is open.
  void
  declare_masses(dealii::ParameterHandler &prm, MassOptions &options);
} // namespace slender

#endif

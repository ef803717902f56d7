// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_initial_velocity_h
#define slender_studies_initial_velocity_h

#include <slender/systems/velocity_field.h>

#include <string>

namespace dealii
{
  class ParameterHandler;
}

namespace slender
{
  /**
   * With which velocities a motion begins: settings of the section "Motion".
   * What they say adds up: a translation and a rotation of the whole, a formula
   * of the place, and a table of places and velocities.
   */
  class InitialVelocity
  {
  public:
    /// Within the section.
    void
    declare(dealii::ParameterHandler &prm);

    /// Throws InputError for what is no formula, and for a file that is no
    /// table.
    void
    check() const;

    /// @param size of the body [length], over a small part of which a formula
    ///        is differentiated
    VelocityField
    make(double size) const;

  private:
    Vector3     velocity         = Vector3::Zero();
    Vector3     angular_velocity = Vector3::Zero();
    std::string formula;
    std::string file;
  };
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_growth_parameters_h
#define slender_studies_growth_parameters_h

#include <slender/models/shells/growth_law.h>

#include <array>
#include <string>

namespace dealii
{
  class ParameterHandler;
}

namespace slender
{
  /// The section "Growth" of a shell: how its stress-free state differs from
  /// the surface at rest, as formulas.
  class GrowthParameters
  {
  public:
    void
    declare(dealii::ParameterHandler &prm);

    /// Throws InputError for formulas that are none, and for settings that say
    /// nothing about the law that was chosen.
    void
    check() const;

    GrowthLaw
    make() const;

    bool
    grows() const
    {
      return law != "none";
    }

    /// What is in the shell decides how it grows, so that diffusion has
    /// something to do.
    bool
    depends_on_moisture() const
    {
      return law == "exponential" || law == "swelling" || law == "bilayer";
    }

    /// Of the parameter "growth".
    double amount = 1.;

  private:
    std::string                law    = "none";
    std::array<std::string, 3> metric = {{"1", "1", "0"}};
    std::array<std::string, 3> curvature;
    std::string                file;
    std::string                top = "0", bottom = "0";
    std::string                expansion = "0", expansion_bottom = "0";
    std::string                thickness = "1", stiffness = "1";
  };
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_diffusion_parameters_h
#define slender_studies_diffusion_parameters_h

#include <slender/models/shells/shell_diffusion.h>

#include <string>

namespace dealii
{
  class ParameterHandler;
}

namespace slender
{
  /// The section "Diffusion" of a shell that takes up, passes on and loses
  /// moisture or heat.
  class DiffusionParameters
  {
  public:
    void
    declare(dealii::ParameterHandler &prm);

    /// Throws InputError for formulas that are none and settings that say
    /// nothing.
    void
    check() const;

    DiffusionOptions
    make() const;

    /// Whether what is in the shell changes at all.
    bool
    is_active() const;

    /// In which position of the shell.
    bool
    is_in_present_place() const
    {
      return place == "present";
    }

    int order = 2;

  private:
    std::string coefficients = "0";
    int         degree       = 1;
    std::string place        = "rest";

    struct Side
    {
      std::string source       = "0";
      std::string exchange     = "0";
      std::string surroundings = "0";
    };
    std::array<Side, 2> sides;
  };
} // namespace slender

#endif

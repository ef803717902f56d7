// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/studies/round_rod.h>

#include <deal.II/base/parameter_handler.h>

#include <cmath>

namespace slender
{
  namespace
  {
    constexpr double pi = 3.141592653589793;
  }

  void
  RoundRod::declare(dealii::ParameterHandler &prm)
  {
    using namespace dealii::Patterns;
    prm.enter_subsection("Rod");
    prm.add_parameter("Length",
                      length,
                      "Length of the rod [length].",
                      Double(1e-12));
    prm.add_parameter("Radius",
                      radius,
                      "Radius of its circular section [length].",
                      Double(1e-15));
    prm.add_parameter("Young's modulus",
                      young_modulus,
                      "Young's modulus [force/length^2].",
                      Double(1e-300));
    prm.add_parameter("Poisson's ratio",
                      poisson_ratio,
                      "Poisson's ratio [1].",
                      Double(-0.999, 0.5));
    prm.add_parameter("Density",
                      density,
                      "Mass density [mass/length^3].",
                      Double(1e-300));
    prm.leave_subsection();
  }

  double
  RoundRod::bending_stiffness() const
  {
    return young_modulus * pi * std::pow(radius, 4) / 4.;
  }

  double
  RoundRod::mass_per_length() const
  {
    return density * pi * radius * radius;
  }

  RodBody
  RoundRod::body() const
  {
    RodBody result;
    result.length          = length;
    result.radius          = radius;
    result.axial           = young_modulus * pi * radius * radius;
    result.bending_1       = bending_stiffness();
    result.bending_2       = bending_stiffness();
    result.twisting        = bending_stiffness() / (1. + poisson_ratio);
    result.mass_per_length = mass_per_length();
    result.rotary_1        = mass_per_length() * radius * radius / 4.;
    result.rotary_2        = result.rotary_1;
    result.start           = RodEnd::clamped();
    result.end             = RodEnd::clamped();
    return result;
  }
} // namespace slender

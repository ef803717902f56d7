// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/dynamics/step_potential.h>

namespace slender
{
  StepPotential::StepPotential(const Kinetics    &the_inertia,
                               const Dissipation *the_dissipation)
    : inertia(the_inertia)
    , dissipation(the_dissipation)
  {}

  double
  StepPotential::divisor() const
  {
    return 1. + stiffness * forces.rate;
  }

  Vector
  StepPotential::coordinate_forces(const Vector &q) const
  {
    const Vector y = inertia.coordinates(q);
    Vector       a = springs.strength * (y - springs.origin);
    if (drag != 0.)
      a += drag * springs.rate * (y - springs.at_rest);
    return inertia.masses().cwiseProduct(a) / (divisor() * energy_unit);
  }

  double
  StepPotential::energy(const Vector &q) const
  {
    const Vector y = inertia.coordinates(q);
    double sum = springs.strength * inertia.kinetic_energy(y - springs.origin) /
                 energy_unit;
    if (drag != 0.)
      sum += drag * springs.rate * inertia.kinetic_energy(y - springs.at_rest) /
             energy_unit;
    if (dissipation)
      sum += strains.rate *
             dissipation->potential(dissipation->strains(q) - strains.origin);
    if (stiffness != 0.)
      sum -= stiffness * forces.rate * forces.origin.dot(q);
    return sum / divisor();
  }

  void
  StepPotential::add_gradient(const Vector &q, Vector &gradient) const
  {
    inertia.pull_back(q, coordinate_forces(q), gradient);
    if (dissipation)
      dissipation->add_gradient(q,
                                strains.origin,
                                strains.rate / divisor(),
                                gradient);
    if (stiffness != 0.)
      gradient -= stiffness * forces.rate / divisor() * forces.origin;
  }

  void
  StepPotential::add_hessian(const Vector &q, HessianSink &sink) const
  {
    inertia.add_hessian(q,
                        (springs.strength + drag * springs.rate) /
                          (divisor() * energy_unit),
                        coordinate_forces(q),
                        sink);
    if (dissipation)
      dissipation->add_hessian(q,
                               strains.origin,
                               strains.rate / divisor(),
                               sink);
  }

  void
  StepPotential::add_hessian_times(const Vector &q,
                                   const Vector &direction,
                                   Vector       &product) const
  {
    HessianMultiplier multiplier(direction);
    add_hessian(q, multiplier);
    product += multiplier.product();
  }
} // namespace slender

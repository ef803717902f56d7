// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/dynamics/step_potential.h>

namespace slender
{
  StepPotential::StepPotential(const System      &the_system,
                               const Kinetics    &the_inertia,
                               const Dissipation *the_dissipation)
    : system(the_system)
    , inertia(the_inertia)
    , dissipation(the_dissipation)
  {}

  double
  StepPotential::divisor() const
  {
    return 1. + stiffness * forces.rate;
  }

  Vector
  StepPotential::strain_origin(const Vector &q) const
  {
    if (midpoint_of.size() == 0)
      return strains.origin;
    return dissipation->strains(q) -
           0.5 * (dissipation->strains(2. * q - midpoint_of) - strains.origin);
  }

  Vector
  StepPotential::force_origin(const Vector &q) const
  {
    if (midpoint_of.size() == 0)
      return forces.origin;
    return system.gradient(q) - system.hessian_times(q, q - midpoint_of);
  }

  Vector
  StepPotential::coordinate_forces(const Vector &q) const
  {
    const Vector y = inertia.coordinates(q);
    Vector       a = springs.strength * (y - springs.origin);
    if (drag != 0.)
      a += drag * springs.rate * (y - springs.at_rest);
    return inertia.masses().cwiseProduct(a) /
           (divisor() * system.energy_unit());
  }

  double
  StepPotential::energy(const Vector &q) const
  {
    const Vector y = inertia.coordinates(q);
    double sum = springs.strength * inertia.kinetic_energy(y - springs.origin) /
                 system.energy_unit();
    if (drag != 0.)
      sum += drag * springs.rate * inertia.kinetic_energy(y - springs.at_rest) /
             system.energy_unit();
    if (dissipation && !is_joined)
      sum += dissipation->potential(
               strains.rate * (dissipation->strains(q) - strain_origin(q))) /
             strains.rate;
    if (stiffness != 0.)
      sum -= stiffness * forces.rate * force_origin(q).dot(q);
    return sum / divisor();
  }

  void
  StepPotential::add_gradient(const Vector &q, Vector &gradient) const
  {
    inertia.pull_back(q, coordinate_forces(q), gradient);
    if (dissipation && !is_joined)
      dissipation->add_gradient(
        q, strain_origin(q), strains.rate, 1. / divisor(), gradient);
    if (stiffness != 0.)
      gradient -= stiffness * forces.rate / divisor() * force_origin(q);
  }

  void
  StepPotential::add_hessian(const Vector &q, HessianSink &sink) const
  {
    // Forces have a part in it where coordinates are no affine functions.
    inertia.add_hessian(q,
                        (springs.strength + drag * springs.rate) /
                          (divisor() * system.energy_unit()),
                        inertia.is_linear() ? Vector() : coordinate_forces(q),
                        sink);
    if (dissipation && !is_joined)
      dissipation->add_hessian(
        q, strain_origin(q), strains.rate, 1. / divisor(), sink);
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

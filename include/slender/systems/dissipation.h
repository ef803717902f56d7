// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_systems_dissipation_h
#define slender_systems_dissipation_h

#include <slender/systems/hessian_sink.h>

namespace slender
{
  /**
   * Strain-rate damping: the dissipative stress is that of the elastic law for
   * the rate of the strain instead of the strain, times a coefficient [time] of
   * each kind of strain,
   *
   *   D = 1/2 sum_kinds beta de/dt . C de/dt.
   *
   * With equal coefficients it is the material of Kelvin and Voigt with a
   * viscosity of beta times Young's modulus.
   *
   * With an exponent n other than one it is a power law for each strain: beta
   * is multiplied by (|de/dt|/r)^(n - 1) with a rate r at which nothing
   * changes; below one the material yields the more easily the quicker it is
   * deformed.
   */
  struct DissipationOptions
  {
    double stretch = 0.; ///< also of shear, and of the membrane of shells
    double bending = 0.;
    double twist   = 0.; ///< of rods

    /// Of the membrane of shells, an isotropic law of its own instead of the
    /// elastic one: D = thickness (lambda/2 tr(E')^2 + mu tr(E'^2)) with the
    /// rate E' of Green's strain [force time/length^2].
    double lambda = 0.;
    double mu     = 0.;

    // Of the power law.
    double exponent = 1.; ///< n
    /// r [1/time]: of stretch; of a curvature or twist it is this over the
    /// radius of the section.
    double reference_rate = 1.;

    bool
    is_zero() const
    {
      return stretch == 0. && bending == 0. && twist == 0. && lambda == 0. &&
             mu == 0.;
    }

    bool
    is_power_law() const
    {
      return exponent != 1.;
    }
  };

  /**
   * The dissipation potential of a system as a function D(e') of the rates of
   * its strains e(q).
   *
   * A time step replaces the rate by a difference, e' = k (e(q) - e0), in which
   * k and e0 are known from the steps before. The dissipative force at its end,
   * (de/dq)^T dD/de', then is the gradient of an energy,
   *
   *   W(q) = 1/k D(k (e(q) - e0)),
   *
   * for a quadratic D that of an elastic body with e0 for its natural strains.
   * It is symmetric without leaving anything out, and since strains do not feel
   * a rigid motion neither does it, to round-off. Energies are in units of the
   * system's.
   */
  class Dissipation
  {
  public:
    virtual ~Dissipation() = default;

    /// e(q), this rank's share: each strain stands on one rank.
    virtual Vector
    strains(const Vector &q) const = 0;

    /// This rank's part of D(e').
    virtual double
    potential(const Vector &rates) const = 0;

    /// This rank's part of e'.dD/de', the energy that is taken in unit time.
    virtual double
    power(const Vector &rates) const
    {
      return 2. * potential(rates);
    }

    /// Adds this rank's part of factor (de/dq)^T dD/de' at e' = rate (e - e0).
    virtual void
    add_gradient(const Vector &q,
                 const Vector &origin,
                 double        rate,
                 double        factor,
                 Vector       &gradient) const = 0;

    /// Adds the derivative of that. Blocks are among those of the system's
    /// Hessian.
    virtual void
    add_hessian(const Vector &q,
                const Vector &origin,
                double        rate,
                double        factor,
                HessianSink  &sink) const = 0;

    /**
     * Lets the system take factor W into its own energy, but for a constant:
     * the sum of two quadratic energies of the same strain is a third one,
     * which costs no more than the elastic one alone. From then on until
     * leave() the system's energy and its derivatives have W in them. False is
     * returned, and nothing done, where a system or a law cannot do so.
     */
    virtual bool
    join(const Vector & /*origin*/, double /*rate*/, double /*factor*/) const
    {
      return false;
    }

    virtual void
    leave() const
    {}
  };
} // namespace slender

#endif

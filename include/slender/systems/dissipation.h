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

    bool
    is_zero() const
    {
      return stretch == 0. && bending == 0. && twist == 0. && lambda == 0. &&
             mu == 0.;
    }
  };

  /**
   * The dissipation potential of a system as a function of the rate of its
   * strains e(q), D = 1/2 e'.C_d e'.
   *
   * A time step replaces the rate by a difference, e' = k (e(q) - e0), in which
   * k and e0 are known from the steps before. The dissipative force at its end,
   * (de/dq)^T C_d e', then is the gradient of an energy,
   *
   *   W(q) = k/2 (e(q) - e0).C_d (e(q) - e0),
   *
   * that of an elastic body with e0 for its natural strains. It is symmetric
   * without leaving anything out, and since strains do not feel a rigid motion
   * neither does it, to round-off. Energies are in units of the system's.
   */
  class Dissipation
  {
  public:
    virtual ~Dissipation() = default;

    /// e(q), this rank's share: each strain stands on one rank.
    virtual Vector
    strains(const Vector &q) const = 0;

    /// This rank's part of 1/2 e.C_d e.
    virtual double
    potential(const Vector &strains) const = 0;

    /// Adds this rank's part of factor (de/dq)^T C_d (e - e0).
    virtual void
    add_gradient(const Vector &q,
                 const Vector &origin,
                 double        factor,
                 Vector       &gradient) const = 0;

    /// Adds the derivative of that. Blocks are among those of the system's
    /// Hessian.
    virtual void
    add_hessian(const Vector &q,
                const Vector &origin,
                double        factor,
                HessianSink  &sink) const = 0;
  };
} // namespace slender

#endif

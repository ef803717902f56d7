// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_shells_shell_damping_h
#define slender_models_shells_shell_damping_h

#include <slender/systems/dissipation.h>

#include <vector>

namespace slender
{
  struct ShellBody;

  /// Throws InputError for a law of damping that shells do not have.
  void
  check_shell_damping(const DissipationOptions &options);

  /**
   * What damps the membrane of a shell in place of the elastic law: lambda and
   * mu as
   *
   *   lambda/2 tr^2 E' + mu tr(E'^2) = Y/2 (nu tr^2 E' + (1 - nu) tr(E'^2)).
   */
  struct MembraneDamping
  {
    bool   is_own  = false; ///< lambda and mu are given
    double poisson = 0.;    ///< nu
    double modulus = 0.;    ///< Y over that of the elastic law [time]

    MembraneDamping(const DissipationOptions &options, const ShellBody &body);
  };

  /// Multiplies what is added.
  class ScaledSink : public HessianSink
  {
  public:
    ScaledSink(HessianSink &sink, double factor);

    void
    add(const Index *unknowns, Index n, const double *block) override;

  private:
    HessianSink &sink;
    double       factor;
    Vector       values;
  };

  /**
   * Damping by the rates of a shell's strains: parts, each of which is a set of
   * elements like the shell's own whose natural strains are those from which
   * rates are measured. Where the membrane has a law of its own, it is a second
   * part. What elements are, a shell of its kind knows.
   */
  class ShellDamping : public Dissipation
  {
  public:
    ShellDamping(const DissipationOptions &options, const ShellBody &body);

    double
    potential(const Vector &rates) const override;

    void
    add_gradient(const Vector &q,
                 const Vector &origin,
                 double        rate,
                 double        factor,
                 Vector       &gradient) const override;

    void
    add_hessian(const Vector &q,
                const Vector &origin,
                double        rate,
                double        factor,
                HessianSink  &sink) const override;

    bool
    join(const Vector &origin, double rate, double factor) const override;

  protected:
    struct Part
    {
      double membrane, bending; ///< factors of the elastic law [time]
      double poisson;           ///< of the membrane
    };

    const std::vector<Part> &
    parts() const
    {
      return the_parts;
    }

    virtual Vector
    strains_at_rest() const = 0;

    /// Of the shell at rest, this rank's part.
    virtual double
    energy_at_rest(std::size_t part, const Vector &origin) const = 0;

    /// By the unknowns.
    virtual Vector
    gradient_of(std::size_t   part,
                const Vector &q,
                const Vector &origin) const = 0;

    virtual void
    add_hessian_of(std::size_t   part,
                   const Vector &q,
                   const Vector &origin,
                   HessianSink  &sink) const = 0;

    /// Whether the shell's own energy is quadratic in its strains.
    virtual bool
    has_quadratic_law() const = 0;

    /// Until leave() the shell has a law that is stiffer by these factors, with
    /// natural strains of which a part is `origin`: of each factor what it is
    /// above one, over itself.
    virtual void
    stiffen(const Vector &origin, double membrane, double bending) const = 0;

    /// That part.
    static double
    part_of_origin(const double stiffening)
    {
      return 1. - 1. / stiffening;
    }

  private:
    const bool        has_own_membrane;
    const double      stretch_time, bending_time;
    std::vector<Part> the_parts;
  };
} // namespace slender

#endif

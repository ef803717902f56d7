// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_shells_shell_damping_h
#define slender_models_shells_shell_damping_h

#include <slender/systems/dissipation.h>

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
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/shells/shell_body.h>
#include <slender/models/shells/shell_damping.h>

#include <cmath>

namespace slender
{
  void
  check_shell_damping(const DissipationOptions &options)
  {
    if (options.twist != 0.)
      throw InputError("a shell has no damping of twist of its own: that is "
                       "bending too",
                       "Damping/Twist");
    const bool is_own = options.mu != 0. || options.lambda != 0.;
    if (is_own && options.stretch != 0.)
      throw InputError("'Stretch' damps the membrane as the elastic law is, "
                       "'Lambda' and 'Mu' by a law of their own: only one can "
                       "be had",
                       "Damping/Stretch");
    if (is_own && !(options.mu > 0. && options.lambda >= 0.))
      throw InputError("damping of the membrane needs 'Mu' above zero, and "
                       "'Lambda' not below",
                       "Damping/Mu");
    if (options.is_power_law())
      throw InputError("shells have no power law of damping",
                       "Damping/Exponent");
  }

  MembraneDamping::MembraneDamping(const DissipationOptions &options,
                                   const ShellBody          &body)
    : is_own(options.mu != 0. || options.lambda != 0.)
  {
    if (!is_own)
      return;
    const double Y = options.lambda + 2. * options.mu;
    poisson        = options.lambda / Y;
    modulus        = Y / (body.young / (1. - std::pow(body.poisson, 2)));
  }

  ScaledSink::ScaledSink(HessianSink &the_sink, const double the_factor)
    : sink(the_sink)
    , factor(the_factor)
  {}

  void
  ScaledSink::add(const Index *unknowns, const Index n, const double *block)
  {
    values = factor * Eigen::Map<const Vector>(block, n * n);
    sink.add(unknowns, n, values.data());
  }
} // namespace slender

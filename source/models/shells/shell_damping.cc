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

  ShellDamping::ShellDamping(const DissipationOptions &options,
                             const ShellBody          &body)
    : has_own_membrane(MembraneDamping(options, body).is_own)
    , stretch_time(options.stretch)
    , bending_time(options.bending)
  {
    const MembraneDamping own(options, body);
    the_parts.push_back(
      {own.is_own ? 0. : stretch_time, bending_time, body.poisson});
    if (own.is_own)
      the_parts.push_back({own.modulus, 0., own.poisson});
  }

  double
  ShellDamping::potential(const Vector &rates) const
  {
    // Of the body at rest, with the rates taken off its natural strains.
    const Vector origin = strains_at_rest() - rates;
    double       sum    = 0.;
    for (std::size_t part = 0; part < the_parts.size(); ++part)
      sum += energy_at_rest(part, origin);
    return sum;
  }

  void
  ShellDamping::add_gradient(const Vector &q,
                             const Vector &origin,
                             const double  rate,
                             const double  factor,
                             Vector       &gradient) const
  {
    for (std::size_t part = 0; part < the_parts.size(); ++part)
      gradient += factor * rate * gradient_of(part, q, origin);
  }

  void
  ShellDamping::add_hessian(const Vector &q,
                            const Vector &origin,
                            const double  rate,
                            const double  factor,
                            HessianSink  &sink) const
  {
    ScaledSink scaled(sink, factor * rate);
    for (std::size_t part = 0; part < the_parts.size(); ++part)
      add_hessian_of(part, q, origin, scaled);
  }

  bool
  ShellDamping::join(const Vector &origin,
                     const double  rate,
                     const double  factor) const
  {
    if (has_own_membrane || !has_quadratic_law())
      return false;
    // |e - e0|^2 + b |e - e1|^2 is (1 + b) |e - e2|^2 and a constant, with
    // e2 = (e0 + b e1)/(1 + b).
    stiffen(origin,
            1. + factor * rate * stretch_time,
            1. + factor * rate * bending_time);
    return true;
  }
} // namespace slender

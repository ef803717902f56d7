// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_statics_small_motions_h
#define slender_statics_small_motions_h

#include <slender/solvers/unsymmetric_inertia.h>

#include <complex>
#include <vector>

namespace slender
{
  /// What becomes of a small push.
  enum class Fate
  {
    stable,     ///< it vibrates about its rest
    divergence, ///< it moves away, ever faster
    flutter     ///< it vibrates more and more
  };

  const char *
  to_string(Fate fate);

  struct SmallMotions
  {
    Fate fate = Fate::stable;
    /// Squares of angular frequencies, ascending in magnitude: positive where
    /// it vibrates, negative where it diverges, complex where it flutters (one
    /// of each conjugate pair).
    std::vector<std::complex<double>> squared_frequencies;
  };

  /**
   * How a system at rest in q answers a small push: motions x exp(i omega t)
   * with
   *
   *   K x = omega^2 M x,
   *
   * where K is the stiffness (System::hessian()) and M the masses. Where all
   * that acts has a potential K is symmetric, frequencies are real or imaginary
   * and masses do not matter for the stability: it is that of statics. Where it
   * has none, two frequencies may meet and become complex though K is never
   * singular; statics cannot see that.
   *
   * @param mass y = M x for the unknowns that the ranks own; symmetric, and
   *        may be singular
   * @param n how many frequencies are looked at, from the lowest on
   */
  SmallMotions
  small_motions(const System         &system,
                const Vector         &q,
                const LinearOperator &mass,
                int                   n);
} // namespace slender

#endif

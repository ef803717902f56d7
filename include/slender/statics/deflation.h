// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_statics_deflation_h
#define slender_statics_deflation_h

#include <slender/statics/equilibrium.h>

#include <functional>
#include <vector>

namespace slender
{
  /// How far a search for all equilibria goes.
  struct DeflationOptions
  {
    int most_equilibria = 20;
    /// Each equilibrium is left along so many of its softest modes, to both
    /// sides.
    int n_modes         = 6;
    int most_iterations = 80; ///< of one search
  };

  /// The equilibria that were found, and whether there may be more because
  /// there were too many.
  struct Equilibria
  {
    std::vector<State> states;
    bool               are_enough = false; ///< most_equilibria were found
    long               n_searches = 0, n_iterations = 0;
  };

  /**
   * Looks for equilibria at the present parameters besides the one that is
   * given, connected with it or not, by deflation (Farrell, Birkisson and
   * Funke, 2015). With the equilibria q_i that are known, Newton's method is
   * applied to
   *
   *   m(q) F(q) = 0,  m(q) = prod_i (1 + 1/d_i^2),  d_i = |q - q_i| / scale,
   *
   * which has the zeros of F but for those. Its step is the usual one, times
   *
   *   1 / (1 - <grad m, dq> / m):
   *
   * no more than a scalar product for each that is known. Each search starts
   * from a known equilibrium displaced along one of its soft modes. What is
   * found is real; that there is no other is not proved.
   *
   * @param asked is asked before each search whether to go on
   */
  Equilibria
  find_equilibria(System                      &system,
                  const NewtonOptions         &newton,
                  const State                 &known,
                  const DeflationOptions      &options,
                  const std::function<bool()> &asked);
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_statics_post_buckling_h
#define slender_statics_post_buckling_h

#include <slender/statics/branch.h>

#include <functional>

namespace slender
{
  /**
   * How the branch that crosses at a bifurcation begins. With the amplitude xi
   * of the mode held, equilibria exist at any parameter p, under a force
   * G(xi, p) along the mode; the branch is where G vanishes. As G is nearly
   * xi (p - p(xi)) dmu/dp, with the rate of the critical eigenvalue mu, few
   * steps of the secant method find p(xi), and p(xi) and p(-xi) give slope and
   * curvature. Derivatives of the energy along the mode would be no help: those
   * of a stiff body are large, and cancel.
   *
   * None if a search fails.
   *
   * @param rate of the critical eigenvalue as the parameter grows
   * @param search at a value of the parameter, for the state next to a guess in
   *   which there is no force but along the mode (and its companions), and
   *   along which it has not moved
   */
  using HeldSearch =
    std::function<Equilibrium(double parameter, const Vector &guess)>;

  std::optional<PostBuckling>
  post_buckling(const System      &system,
                const BranchPoint &bifurcation,
                double             rate,
                const HeldSearch  &search);
} // namespace slender

#endif

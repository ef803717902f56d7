// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_solvers_projective_search_h
#define slender_solvers_projective_search_h

#include <slender/solvers/ghosts.h>
#include <slender/solvers/newton.h>
#include <slender/systems/projective.h>

namespace slender
{
  /**
   * The local/global iterations of projective dynamics (Bouaziz et al. 2014)
   * for energies
   *
   *   E(q) = sum_i w_i/2 |A_i q - p_i|^2 - f . q,   p_i nearest to A_i q .
   *
   * The local step finds all p_i, the global one minimises with these held:
   *
   *   G q' = sum_i w_i A_i^T p_i + f,   G = sum_i w_i A_i^T A_i .
   *
   * As p_i is nearest, it does not change the gradient of E to first order:
   * dE/dq = G q - sum_i w_i A_i^T p_i - f, and both steps together are
   *
   *   q' = q - G^-1 dE/dq ,
   *
   * with a matrix that is factorised once. So local steps are inside the
   * system's gradient, and inertia of a time step is one more w/2 |q - p|^2.
   */
  class ProjectiveSearch
  {
  public:
    /// Of a system that is the body, or the body and terms whose Hessians do
    /// not change (inertia, springs): G has those added. Both have to outlive
    /// it. Throws InputError for a body that is not Projective.
    ProjectiveSearch(const System &system,
                     const System &body,
                     LinearSolver  solver);

    /// Makes and factorises the matrix anew: for a time step of another length,
    /// or after a parameter that stiffnesses depend on has changed.
    void
    renew();

    /// One local and one global step; q has valid ghosts and keeps them. The
    /// force is that at the beginning, the step the change.
    struct Iteration
    {
      Outcome outcome  = Outcome::converged;
      double  residual = 0.; ///< root mean square of dE/dq before
      double  step     = 0.; ///< root mean square of the change of q
    };

    Iteration
    iterate(Vector &q);

    /// So many iterations, fewer where the residual falls below the tolerance.
    /// That iterations are used up is no failure.
    Equilibrium
    search(const Vector &guess, int n_iterations, double residual_tolerance);

    /// G, factorised when it is needed first; for those who solve or multiply
    /// with it themselves.
    Tangent &
    matrix();

  private:
    const System            &system, &body;
    Exchange                 exchange;
    LinearSolver             solver;
    std::unique_ptr<Tangent> tangent;
    bool                     is_current = false;
  };
} // namespace slender

#endif

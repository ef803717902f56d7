// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_statics_equilibrium_h
#define slender_statics_equilibrium_h

#include <slender/solvers/newton.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace slender
{
  bool
  all_finite(const std::vector<Measurement> &measurements);

  /// The system's measurements of an equilibrium. Where one of them is not
  /// finite, it is no equilibrium any more: its outcome becomes not_finite.
  std::vector<Measurement>
  measure(const System &system, Equilibrium &found);

  /// The value that a parameter is to reach.
  struct LoadTarget
  {
    std::string parameter;
    double      value;
  };

  /**
   * Equilibria dE/dq = 0 of a system at rest: from a guess (see Newton), along
   * a change of its parameters, and how they move and whether they are stable.
   */
  class EquilibriumSolver
  {
  public:
    EquilibriumSolver(System &system, const NewtonOptions &options);
    ~EquilibriumSolver();

    /// From a guess to an equilibrium at the present parameters. A state that
    /// has converged is committed to the system. Where the guess is the tangent
    /// of another equilibrium, the full_state() of that one helps.
    Equilibrium
    solve(const Vector                &guess,
          const std::optional<Vector> &previous_state = {});

    /// As solve(), but a force along `direction` keeps <q, direction> as it is
    /// in the guess: near a bifurcation the mode of a symmetry-breaking, or the
    /// one along which a branch turns back, cannot run away. Nothing is
    /// committed.
    Equilibrium
    solve_held(const Vector                &guess,
               const Vector                &direction,
               const std::optional<Vector> &previous_state = {});

    /**
     * From an equilibrium at the present values of some parameters to one at
     * their targets. The guess is the equilibrium's tangent along the straight
     * line between them. If the search fails, the way is cut in halves, and
     * again; if that does not help, the parameters are left at the last values
     * that did converge, and the outcome says why.
     *
     * Tolerances are absolute, and a tiny load would meet them at once. What
     * Newton's next correction would do is therefore compared with what the
     * load does: it is made until it does not matter, and where round-off does
     * not let it, the load is refused.
     */
    Equilibrium
    load(const Vector &start, const std::vector<LoadTarget> &targets);

    /// dq/dp, how an equilibrium moves as a parameter grows: the solution of
    /// (d2E/dq2) dq/dp = -d2E/dq dp. None where the Hessian is singular.
    std::optional<Vector>
    rate(const Vector &q, const std::string &parameter);

    /// Signs of the eigenvalues of the Hessian at a state.
    Inertia
    inertia(const Vector &q);

    /// Motions that cost no energy and are kept out of searches and inertias,
    /// see SystemTangent::set_neutral_motions().
    void
    set_neutral_motions(const std::vector<Vector> &motions);

    /// That of the searches; whoever uses it in between disturbs none.
    SystemTangent &
    tangent();

    long
    n_factorisations() const;

  private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation;
  };
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_statics_equilibrium_h
#define slender_statics_equilibrium_h

#include <slender/models/model.h>
#include <slender/statics/tangent.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dealii
{
  class ParameterHandler;
}

namespace slender
{
  /// How equilibria are sought.
  struct NewtonOptions
  {
    double      step_tolerance     = 1e-10;
    double      residual_tolerance = 1e-12;
    int         max_iterations     = 40;
    bool        mixed_tangent      = true;
    std::string line_search        = "automatic";
    int         max_step_cuts      = 12;
    std::string linear_solver      = "automatic";

    void
    declare(dealii::ParameterHandler &prm);

    LinearSolver
    solver() const;
  };

  /// What came of a search.
  enum class Outcome
  {
    converged,
    too_many_iterations,
    not_finite,       ///< a number overflowed or became undefined
    singular_tangent, ///< the linear system could not be solved
    lost_in_round_off ///< a load moves the body by less than round-off does
  };

  const char *
  to_string(Outcome outcome);

  struct Equilibrium
  {
    Vector  q;
    Outcome outcome    = Outcome::converged;
    int     iterations = 0;
    double  residual   = 0.; ///< root mean square of dE/dq
    double  step       = 0.; ///< of the last Newton step, likewise

    bool
    converged() const
    {
      return outcome == Outcome::converged;
    }
  };

  bool
  all_finite(const std::vector<Measurement> &measurements);

  /// The model's measurements of an equilibrium. Where one of them is not
  /// finite, it is no equilibrium any more: its outcome becomes not_finite.
  std::vector<Measurement>
  measure(const Model &model, Equilibrium &found);

  /// The value that a parameter is to reach.
  struct LoadTarget
  {
    std::string parameter;
    double      value;
  };

  /**
   * Finds equilibria dE/dq = 0 of a model by Newton's method (NOX).
   *
   * Full steps with the mixed-integration-point tangent come first: for thin
   * bodies they take a few iterations where plain Newton takes tens, and a
   * line search would only cut steps that are right. If they fail, the search
   * is repeated with the exact Hessian and backtracking.
   *
   * It stops when the step or the residual is small: the large stiffness
   * against stretching puts a floor of round-off under the residual, so the
   * residual alone would be a poor judge.
   */
  class EquilibriumSolver
  {
  public:
    EquilibriumSolver(Model &model, const NewtonOptions &options);
    ~EquilibriumSolver();

    /// From a guess to an equilibrium at the present parameters. A state that
    /// has converged is committed to the model. Where the guess is the tangent
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

    long
    n_factorisations() const;

  private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation;
  };
} // namespace slender

#endif

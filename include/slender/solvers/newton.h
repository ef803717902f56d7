// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_solvers_newton_h
#define slender_solvers_newton_h

#include <slender/solvers/system_tangent.h>

#include <memory>
#include <optional>
#include <string>

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

    /// Whether a search ends as soon as its next step is expected to be below
    /// the tolerance, by the ratio of the last two; for time steps, which have
    /// other errors. No setting of its own.
    bool anticipates = false;

    /// Whether a search ends with a step below the tolerance without a look at
    /// the forces behind it, which would change nothing but that step's length;
    /// for time steps that take one or two iterations. No setting of its own.
    bool trusts_short_steps = false;

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
    double  step       = 0.; ///< of the last Newton step, likewise, uncut

    bool
    converged() const
    {
      return outcome == Outcome::converged;
    }
  };

  /**
   * Finds states with dE/dq = 0 by Newton's method, at the present parameters
   * of a system.
   *
   * Full steps with the mixed-integration-point tangent come first: for thin
   * bodies they take a few iterations where plain Newton takes tens, and a
   * line search would only cut steps that are right. If they fail, the search
   * is repeated with the exact Hessian and backtracking.
   *
   * It stops when the step or the residual is small: the large stiffness
   * against stretching puts a floor of round-off under the residual, so the
   * residual alone would be a poor judge.
   *
   * Each iterate is surveyed by the system before anything is evaluated there,
   * and no step is longer than the system allows (see System::survey() and
   * System::longest_step()).
   */
  class Newton
  {
  public:
    Newton(System &system, const NewtonOptions &options);
    ~Newton();

    /// From a guess. Where that is the tangent of another state, the
    /// full_state() of that one helps. Nothing is committed.
    Equilibrium
    search(const Vector                &guess,
           const std::optional<Vector> &previous_state = {});

    /// As search(), but a force along `direction` keeps <q, direction> as it is
    /// in the guess: near a bifurcation the mode of a symmetry-breaking, or the
    /// one along which a branch turns back, cannot run away.
    Equilibrium
    search_held(const Vector                &guess,
                const Vector                &direction,
                const std::optional<Vector> &previous_state = {});

    /// Holds what was needed last.
    SystemTangent &
    tangent();

  private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation;
  };
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/layout.h>
#include <slender/solvers/ghosts.h>
#include <slender/solvers/newton.h>

#include <deal.II/base/parameter_handler.h>

#include <cmath>
#include <limits>

namespace slender
{
  void
  NewtonOptions::declare(dealii::ParameterHandler &prm)
  {
    using namespace dealii::Patterns;
    prm.enter_subsection("Newton");
    prm.add_parameter("Step tolerance",
                      step_tolerance,
                      "An equilibrium is accepted when the root mean square of "
                      "the last Newton step is below this [dimensionless: "
                      "lengths are in units of the body's length].",
                      Double(1e-15, 1e-2));
    prm.add_parameter("Residual tolerance",
                      residual_tolerance,
                      "... or when the root mean square of the out-of-balance "
                      "forces is below this [dimensionless: in units of the "
                      "bending stiffness over the length squared].",
                      Double(1e-18, 1e-2));
    prm.add_parameter("Maximum iterations",
                      max_iterations,
                      "Newton iterations before a search is given up [1].",
                      Integer(1, 10000));
    prm.add_parameter("Mixed tangent",
                      mixed_tangent,
                      "Use the mixed-integration-point tangent, which takes a "
                      "few iterations for thin bodies where the exact Hessian "
                      "takes tens.");
    prm.add_parameter("Line search",
                      line_search,
                      "'full step' takes Newton's step as it is, 'backtrack' "
                      "halves it until the residual decreases, 'descend' until "
                      "the energy does if the residual does not; 'automatic' "
                      "takes full steps first and backtracks if they fail, and "
                      "descends where rods touch.",
                      Selection("automatic|full step|backtrack|descend"));
    prm.add_parameter("Maximum step cuts",
                      max_step_cuts,
                      "How often a load step that fails is halved before the "
                      "load is given up [1].",
                      Integer(0, 60));
    prm.add_parameter(
      "Linear solver",
      linear_solver,
      "'banded' factorises a narrow band, in pieces where ranks share the "
      "body, 'mumps' a sparse matrix, 'mumps on disk' the same with factors in "
      "files, for bodies that do not fit into memory (below /tmp, or where the "
      "environment's MUMPS_OOC_TMPDIR says). 'lagged mumps' iterates with the "
      "factorisation of an earlier matrix while that serves, in single "
      "precision where that is enough: faster for large bodies in small "
      "steps. 'schwarz' iterates with overlapping parts of the "
      "matrix, one on each rank, which takes less memory for very large bodies "
      "on many ranks (but the signs of eigenvalues still need a factorisation "
      "of the whole). 'cholmod' factorises a sparse symmetric matrix on one "
      "rank: it serves rods that touch. 'automatic' chooses 'banded', "
      "'cholmod' "
      "or 'mumps'.",
      Selection("automatic|banded|mumps|mumps on disk|lagged mumps|schwarz|"
                "cholmod"));
    prm.leave_subsection();
  }

  LinearSolver
  NewtonOptions::solver() const
  {
    return linear_solver == "banded"          ? LinearSolver::banded
           : linear_solver == "mumps"         ? LinearSolver::mumps
           : linear_solver == "mumps on disk" ? LinearSolver::mumps_on_disk
           : linear_solver == "lagged mumps"  ? LinearSolver::lagged_mumps
           : linear_solver == "schwarz"       ? LinearSolver::schwarz
           : linear_solver == "cholmod"       ? LinearSolver::cholmod
                                              : LinearSolver::automatic;
  }

  const char *
  to_string(const Outcome outcome)
  {
    switch (outcome)
      {
        case Outcome::converged:
          return "converged";
        case Outcome::too_many_iterations:
          return "no convergence within the allowed iterations";
        case Outcome::not_finite:
          return "a number became infinite or undefined";
        case Outcome::lost_in_round_off:
          return "the load is so small that its effect is lost in round-off";
        case Outcome::singular_tangent:
          break;
      }
    return "the tangent is singular";
  }

  namespace
  {
    /// For as long as this lives, iterative solvers need not know a step better
    /// than the next one corrects it: to know its direction saves two thirds of
    /// the iterations that its digits would take.
    class RoughSolutions
    {
    public:
      explicit RoughSolutions(SystemTangent &the_tangent)
        : tangent(the_tangent)
        , usual(tangent.accuracy())
      {
        tangent.set_accuracy(1e-2);
      }

      ~RoughSolutions()
      {
        tangent.set_accuracy(usual);
      }

      RoughSolutions(const RoughSolutions &) = delete;
      RoughSolutions &
      operator=(const RoughSolutions &) = delete;

    private:
      SystemTangent &tangent;
      double         usual;
    };
  } // namespace

  struct Newton::Implementation
  {
    Implementation(System &the_system, const NewtonOptions &the_options)
      : system(the_system)
      , options(the_options)
      , exchange(system.layout())
      , tangent(system, options.solver())
    {}

    /// A place that the search has come to.
    struct Iterate
    {
      Vector q;
      Vector force;         ///< dE/dq - Q there, without what holds
      double residual = 0.; ///< its root mean square
    };

    enum class Matrix
    {
      hessian,
      mixed ///< with the stresses that the last step predicted
    };

    enum class Steps
    {
      full,
      backtracking, ///< halved until the residual decreases
      descending    ///< ... or until the energy does
    };

    /// `held` is a direction in which the state does not move; null for none.
    Equilibrium
    run(const Vector                &guess,
        Matrix                       matrix,
        Steps                        steps,
        const std::optional<Vector> &previous_state,
        const Vector                *held = nullptr);

    /// `unit` is of length one and does not move, or is null.
    Iterate
    visit(Vector q, const Vector *unit);

    /// Newton's step with the tangent that is held; none where that is
    /// singular.
    std::optional<Vector>
    step_from(const Iterate &here, const Vector *unit);

    /// Solves in the hyperplane across a direction of unit length.
    bool
    solve_across(const Vector &unit, const Vector &b, Vector &x);

    /// Along a step to where the residual is smaller.
    Iterate
    backtrack(const Iterate &here, const Vector &step, const Vector *unit);

    /// Along a step to where the residual or the energy is smaller.
    Iterate
    descend(const Iterate &here, const Vector &step, const Vector *unit);

    double
    root_mean_square(const Vector &share) const
    {
      return std::sqrt(exchange.product(share, share) /
                       std::max(1, system.layout().size));
    }

    System       &system;
    NewtonOptions options;
    Exchange      exchange;
    SystemTangent tangent;
  };

  Newton::Implementation::Iterate
  Newton::Implementation::visit(Vector q, const Vector *unit)
  {
    Iterate here;
    here.q = std::move(q);
    system.survey(here.q);
    here.force = exchange.accumulated(system.gradient(here.q));
    if (unit)
      here.force -= exchange.product(*unit, here.force) * *unit;
    here.residual = root_mean_square(here.force);
    return here;
  }

  bool
  Newton::Implementation::solve_across(const Vector &unit,
                                       const Vector &b,
                                       Vector       &x)
  {
    // | J h; h^T 0 | |x; y| = |b; 0| by mixed block elimination, which loses no
    // digits where J is singular along h: see MixedBlockElimination. v solves
    // J v = h, and w J^T w = h, which is the same where J is symmetric.
    Vector v;
    if (!tangent.solve(unit, v))
      return false;
    const bool is_symmetric = system.has_potential();
    Vector     other;
    if (!is_symmetric && !tangent.solve_transposed(unit, other))
      return false;
    const Vector &w  = is_symmetric ? v : other;
    const double  hv = exchange.product(unit, v);
    if (!tangent.solve(b - exchange.product(w, b) / hv * unit, x))
      return false;
    x -= exchange.product(unit, x) / hv * v;
    return true;
  }

  std::optional<Vector>
  Newton::Implementation::step_from(const Iterate &here, const Vector *unit)
  {
    Vector     step;
    const bool is_solved = unit ? solve_across(*unit, -here.force, step)
                                : tangent.solve(-here.force, step);
    return is_solved ? std::optional<Vector>(std::move(step)) : std::nullopt;
  }

  Newton::Implementation::Iterate
  Newton::Implementation::backtrack(const Iterate &here,
                                    const Vector  &step,
                                    const Vector  *unit)
  {
    // Where no part of the step helps, a small one may lead out of the trap.
    constexpr double shortest = 1e-8, way_out = 1e-3;
    for (double part = 1.; part >= shortest; part /= 2.)
      {
        Iterate there = visit(here.q + part * step, unit);
        if (there.residual < here.residual)
          return there;
      }
    return visit(here.q + way_out * step, unit);
  }

  Newton::Implementation::Iterate
  Newton::Implementation::descend(const Iterate &here,
                                  const Vector  &step,
                                  const Vector  *unit)
  {
    constexpr double much_less = 0.5;
    Iterate          there     = visit(here.q + step, unit);
    if (there.residual < much_less * here.residual)
      return there;
    // Friction has kinks and contacts begin: Newton's method may jump to and
    // fro between the two sides of one, but not if the energy decreases.
    constexpr double shortest = 1e-4, enough = 1e-4, round_off = 1e-14;
    const double     slope = exchange.product(here.force, step);
    if (slope >= 0.)
      return there;
    system.survey(here.q);
    const auto energy_at = [&](const Vector &q) {
      return sum_over_ranks(system.layout(), system.energy(q));
    };
    const double energy = energy_at(here.q),
                 noise  = round_off * std::abs(energy);
    for (double part = 1.; part >= shortest; part /= 2.)
      {
        there = visit(here.q + part * step, unit);
        if (energy_at(there.q) <= energy + enough * part * slope + noise)
          break;
      }
    return there;
  }

  Equilibrium
  Newton::Implementation::run(const Vector                &guess,
                              const Matrix                 matrix,
                              const Steps                  steps,
                              const std::optional<Vector> &previous_state,
                              const Vector                *held)
  {
    // Not across a direction: there one solution is compared with another.
    std::optional<RoughSolutions> rough;
    if (options.anticipates && !held)
      rough.emplace(tangent);

    std::optional<Vector> unit;
    if (held)
      unit = *held / std::sqrt(exchange.product(*held, *held));
    const Vector *across = unit ? &*unit : nullptr;

    Equilibrium           result;
    Iterate               here       = visit(guess, across);
    std::optional<Vector> previous   = previous_state;
    bool                  is_limited = false;
    double                ahead      = 0.; // what is expected to remain
    while (true)
      {
        // The steps of Newton's method tell how far it is from the solution,
        // but not if something else made them short.
        const bool is_short =
          result.iterations > 0 && !is_limited &&
          (options.anticipates ? ahead : result.step) < options.step_tolerance;
        if (!std::isfinite(here.residual))
          result.outcome = Outcome::not_finite;
        else if (is_short || here.residual < options.residual_tolerance)
          result.outcome = Outcome::converged;
        else if (result.iterations >= options.max_iterations)
          result.outcome = Outcome::too_many_iterations;
        else
          {
            if (previous)
              tangent.hold_newton_tangent(here.q, *previous);
            else
              tangent.hold_hessian(here.q);
            if (std::optional<Vector> step = step_from(here, across))
              {
                ++result.iterations;
                const double before = result.step;
                result.step         = root_mean_square(*step);
                // A geometric series, as if convergence were linear.
                const double ratio =
                  result.iterations > 1 ? result.step / before : 1.;
                ahead = ratio < 1. ? result.step * ratio / (1. - ratio)
                                   : std::numeric_limits<double>::infinity();
                ahead = std::min(ahead, result.step);
                const double longest = system.longest_step(here.q, *step);
                is_limited           = longest < 1.;
                if (is_limited)
                  *step *= longest;
                if (options.trusts_short_steps && !is_limited &&
                    result.step < options.step_tolerance)
                  {
                    here.q += *step;
                    system.survey(here.q);
                    break;
                  }
                if (matrix == Matrix::mixed)
                  previous = system.full_state(here.q);
                here = steps == Steps::full ? visit(here.q + *step, across)
                       : steps == Steps::backtracking
                         ? backtrack(here, *step, across)
                         : descend(here, *step, across);
                continue;
              }
            result.outcome = Outcome::singular_tangent;
          }
        break;
      }
    result.residual = here.residual;
    result.q        = std::move(here.q);
    return result;
  }

  Newton::Newton(System &system, const NewtonOptions &options)
    : implementation(std::make_unique<Implementation>(system, options))
  {}

  Newton::~Newton() = default;

  SystemTangent &
  Newton::tangent()
  {
    return implementation->tangent;
  }

  Equilibrium
  Newton::search(const Vector                &guess,
                 const std::optional<Vector> &previous_state)
  {
    using Matrix                 = Implementation::Matrix;
    using Steps                  = Implementation::Steps;
    Implementation      &self    = *implementation;
    const NewtonOptions &options = self.options;
    // Where there is no energy to descend, the residual has to do.
    const bool has_energy =
      self.system.has_potential() && self.system.n_multipliers() == 0;
    const Steps first_try =
      options.line_search == "descend" && has_energy ? Steps::descending
      : options.line_search == "backtrack" || options.line_search == "descend"
        ? Steps::backtracking
        : Steps::full;
    Equilibrium result =
      options.mixed_tangent
        ? self.run(guess, Matrix::mixed, first_try, previous_state)
        : self.run(guess, Matrix::hessian, first_try, {});
    if (!result.converged() && options.line_search == "automatic")
      {
        const int spent = result.iterations;
        result = self.run(guess, Matrix::hessian, Steps::backtracking, {});
        result.iterations += spent;
      }
    return result;
  }

  Equilibrium
  Newton::search_held(const Vector                &guess,
                      const Vector                &direction,
                      const std::optional<Vector> &previous_state)
  {
    using Matrix         = Implementation::Matrix;
    Implementation &self = *implementation;
    return self.run(guess,
                    self.options.mixed_tangent ? Matrix::mixed
                                               : Matrix::hessian,
                    Implementation::Steps::full,
                    previous_state,
                    &direction);
  }
} // namespace slender

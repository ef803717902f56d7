// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/newton.h>
#include <slender/solvers/stopping_rule.h>
#include <slender/solvers/system_group.h>

#include <deal.II/base/parameter_handler.h>

#include <LOCA_GlobalData.H>
#include <NOX_Solver_Factory.H>
#include <NOX_Solver_Generic.H>

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
                      "halves it until the residual decreases, 'automatic' "
                      "takes full steps first and backtracks if they fail.",
                      Selection("automatic|full step|backtrack"));
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
      "factorisation of an earlier matrix while that serves: faster for large "
      "bodies in small steps. 'schwarz' iterates with overlapping parts of the "
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

  struct Newton::Implementation
  {
    Implementation(System &the_system, const NewtonOptions &the_options)
      : system(the_system)
      , options(the_options)
      , no_controls(system)
      , list(Teuchos::rcp(new Teuchos::ParameterList))
      , global_data(LOCA::createGlobalData(list))
      , tangent(Teuchos::rcp(new SystemTangent(system, options.solver())))
    {}

    ~Implementation()
    {
      LOCA::destroyGlobalData(global_data);
    }

    /// `held` is a direction in which the state does not move; null for none.
    Equilibrium
    run(const Vector                &guess,
        SystemGroup::Jacobian        jacobian,
        const std::string           &line_search,
        const std::optional<Vector> &previous_state,
        const Vector                *held = nullptr);

    System                              &system;
    NewtonOptions                        options;
    Controls                             no_controls;
    Teuchos::RCP<Teuchos::ParameterList> list;
    Teuchos::RCP<LOCA::GlobalData>       global_data;
    Teuchos::RCP<SystemTangent>          tangent;
  };

  Equilibrium
  Newton::Implementation::run(const Vector                &guess,
                              SystemGroup::Jacobian        jacobian,
                              const std::string           &line_search,
                              const std::optional<Vector> &previous_state,
                              const Vector                *held)
  {
    const auto group = Teuchos::rcp(new SystemGroup(
      global_data, no_controls, tangent, guess, jacobian, previous_state));
    if (held)
      group->hold(*held);
    const auto nox = Teuchos::rcp(new Teuchos::ParameterList);
    set_up_newton(*nox, line_search);

    Equilibrium result;
    const auto  solver =
      NOX::Solver::buildSolver(group, stopping_rule(options), nox);
    const auto n =
      std::sqrt(static_cast<double>(std::max(1, system.layout().size)));
    NOX::StatusTest::StatusType status = NOX::StatusTest::Failed;
    try
      {
        status = solver->solve();
      }
    catch (const char *)
      {
        // NOX throws a string where the linear solve fails.
        result.outcome = Outcome::singular_tangent;
      }
    const auto &last  = solver->getSolutionGroup();
    const auto &x     = NoxVector::cast(last.getX());
    result.q          = petsc::local_values(x.handle());
    result.iterations = solver->getNumIterations();
    result.residual   = last.isF() ? last.getNormF() / n : 0.;
    NoxVector step(x);
    step.update(-1., solver->getPreviousSolutionGroup().getX(), 1.);
    result.step = step.norm(NOX::Abstract::Vector::TwoNorm) / n;
    if (status == NOX::StatusTest::Converged)
      result.outcome = Outcome::converged;
    else if (result.outcome != Outcome::singular_tangent)
      result.outcome = std::isfinite(result.residual) &&
                           std::isfinite(x.norm(NOX::Abstract::Vector::TwoNorm))
                         ? Outcome::too_many_iterations
                         : Outcome::not_finite;
    return result;
  }

  Newton::Newton(System &system, const NewtonOptions &options)
    : implementation(std::make_unique<Implementation>(system, options))
  {}

  Newton::~Newton() = default;

  SystemTangent &
  Newton::tangent()
  {
    return *implementation->tangent;
  }

  Equilibrium
  Newton::search(const Vector                &guess,
                 const std::optional<Vector> &previous_state)
  {
    using Jacobian               = SystemGroup::Jacobian;
    Implementation      &self    = *implementation;
    const NewtonOptions &options = self.options;
    const char          *first_try =
      options.line_search == "backtrack" ? "Backtrack" : "Full Step";
    Equilibrium result =
      options.mixed_tangent
        ? self.run(guess, Jacobian::newton_tangent, first_try, previous_state)
        : self.run(guess, Jacobian::hessian, first_try, {});
    if (!result.converged() && options.line_search == "automatic")
      {
        const int spent = result.iterations;
        result          = self.run(guess, Jacobian::hessian, "Backtrack", {});
        result.iterations += spent;
      }
    return result;
  }

  Equilibrium
  Newton::search_held(const Vector                &guess,
                      const Vector                &direction,
                      const std::optional<Vector> &previous_state)
  {
    using Jacobian       = SystemGroup::Jacobian;
    Implementation &self = *implementation;
    return self.run(guess,
                    self.options.mixed_tangent ? Jacobian::newton_tangent
                                               : Jacobian::hessian,
                    "Full Step",
                    previous_state,
                    &direction);
  }
} // namespace slender

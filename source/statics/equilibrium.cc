// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/equilibrium.h>
#include <slender/statics/model_group.h>
#include <slender/statics/stopping_rule.h>

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
      "of the whole). 'automatic' chooses 'banded' or 'mumps'.",
      Selection("automatic|banded|mumps|mumps on disk|lagged mumps|schwarz"));
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
        case Outcome::singular_tangent:
          break;
      }
    return "the tangent is singular";
  }

  struct EquilibriumSolver::Implementation
  {
    Implementation(Model &the_model, const NewtonOptions &the_options)
      : model(the_model)
      , options(the_options)
      , no_controls(model)
      , list(Teuchos::rcp(new Teuchos::ParameterList))
      , global_data(LOCA::createGlobalData(list))
      , tangent(make_tangent(model, model.initial_state(), options.solver())
                  .release())
    {}

    ~Implementation()
    {
      LOCA::destroyGlobalData(global_data);
    }

    /// Newton's method from a guess; if it is a step from another state, that
    /// full state serves the mixed tangent.
    Equilibrium
    search(const Vector &guess, const std::optional<Vector> &previous_state);

    /// `held` is a direction in which the state does not move; null for none.
    Equilibrium
    newton(const Vector                &guess,
           ModelGroup::Jacobian         jacobian,
           const std::string           &line_search,
           const std::optional<Vector> &previous_state,
           const Vector                *held = nullptr);

    /// How the equilibrium q moves to first order if a gradient is added to
    /// that of its energy; none where the Hessian is singular.
    std::optional<Vector>
    respond(const Vector &q, const Vector &gradient);

    /// Where the equilibrium q goes to first order as the parameters move
    /// from one fraction of the way to another; q itself if that cannot be
    /// told.
    Vector
    predict(const Vector                      &q,
            const std::function<void(double)> &go_to,
            double                             from,
            double                             to);

    Model                               &model;
    NewtonOptions                        options;
    Controls                             no_controls;
    Teuchos::RCP<Teuchos::ParameterList> list;
    Teuchos::RCP<LOCA::GlobalData>       global_data;
    Teuchos::RCP<Tangent>                tangent;
  };

  Equilibrium
  EquilibriumSolver::Implementation::newton(
    const Vector                &guess,
    ModelGroup::Jacobian         jacobian,
    const std::string           &line_search,
    const std::optional<Vector> &previous_state,
    const Vector                *held)
  {
    const auto group = Teuchos::rcp(new ModelGroup(
      global_data, no_controls, tangent, guess, jacobian, previous_state));
    if (held)
      group->hold(*held);
    const auto nox = Teuchos::rcp(new Teuchos::ParameterList);
    set_up_newton(*nox, line_search);

    Equilibrium result;
    const auto  solver =
      NOX::Solver::buildSolver(group, stopping_rule(options), nox);
    const auto n =
      std::sqrt(static_cast<double>(std::max(1, model.layout().size)));
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

  EquilibriumSolver::EquilibriumSolver(Model               &model,
                                       const NewtonOptions &options)
    : implementation(std::make_unique<Implementation>(model, options))
  {}

  EquilibriumSolver::~EquilibriumSolver() = default;

  Equilibrium
  EquilibriumSolver::Implementation::search(
    const Vector                &guess,
    const std::optional<Vector> &previous_state)
  {
    using Jacobian = ModelGroup::Jacobian;
    Equilibrium result =
      options.mixed_tangent
        ? newton(guess,
                 Jacobian::newton_tangent,
                 options.line_search == "backtrack" ? "Backtrack" : "Full Step",
                 previous_state)
        : newton(guess,
                 Jacobian::hessian,
                 options.line_search == "backtrack" ? "Backtrack" : "Full Step",
                 {});
    if (!result.converged() && options.line_search == "automatic")
      {
        const int spent = result.iterations;
        result          = newton(guess, Jacobian::hessian, "Backtrack", {});
        result.iterations += spent;
      }
    if (result.converged())
      model.commit(result.q);
    return result;
  }

  std::optional<Vector>
  EquilibriumSolver::Implementation::respond(const Vector &q,
                                             const Vector &gradient)
  {
    tangent->clear();
    model.hessian(q, *tangent);
    tangent->finish();
    NoxVector rhs(model.layout()), direction(model.layout());
    petsc::set_and_accumulate(rhs.handle(), -gradient);
    if (!tangent->solve(rhs.handle(), direction.handle()))
      return {};
    return petsc::local_values(direction.handle());
  }

  Vector
  EquilibriumSolver::Implementation::predict(
    const Vector                      &q,
    const std::function<void(double)> &go_to,
    const double                       from,
    const double                       to)
  {
    // The residual is smooth along the way, so that a central difference over
    // a small part of it is exact to many more digits than a guess needs.
    const double step = 1e-4 * (to - from);
    go_to(from + step);
    Vector rate = model.gradient(q);
    go_to(from - step);
    rate -= model.gradient(q);
    go_to(from);

    const auto direction = respond(q, rate * ((to - from) / (2. * step)));
    return direction ? Vector(q + *direction) : q;
  }

  Equilibrium
  EquilibriumSolver::solve(const Vector                &guess,
                           const std::optional<Vector> &previous_state)
  {
    return implementation->search(guess, previous_state);
  }

  Equilibrium
  EquilibriumSolver::solve_held(const Vector                &guess,
                                const Vector                &direction,
                                const std::optional<Vector> &previous_state)
  {
    using Jacobian       = ModelGroup::Jacobian;
    Implementation &self = *implementation;
    return self.newton(guess,
                       self.options.mixed_tangent ? Jacobian::newton_tangent
                                                  : Jacobian::hessian,
                       "Full Step",
                       previous_state,
                       &direction);
  }

  Equilibrium
  EquilibriumSolver::load(const Vector                  &start,
                          const std::vector<LoadTarget> &targets)
  {
    Model              &model = implementation->model;
    std::vector<double> initial;
    for (const LoadTarget &target : targets)
      initial.push_back(model.parameter(target.parameter));
    const auto go_to = [&](const double fraction) {
      for (std::size_t i = 0; i < targets.size(); ++i)
        model.set_parameter(targets[i].parameter,
                            fraction == 1. ? targets[i].value
                            : fraction == 0.
                              ? initial[i] // even on the way to infinity
                              : initial[i] +
                                  fraction * (targets[i].value - initial[i]));
    };

    // Steps grow again after a success, so it is their length and not the
    // number of cuts that tells when to give up.
    const double shortest =
      std::ldexp(1., -implementation->options.max_step_cuts);
    double      reached = 0.;
    double      stride  = 1.;
    int         spent   = 0;
    Equilibrium last;
    last.q = start;
    while (reached < 1.)
      {
        const double next     = std::min(1., reached + stride);
        const Vector previous = model.full_state(last.q);
        const Vector guess =
          implementation->predict(last.q, go_to, reached, next);
        go_to(next);
        const Equilibrium trial = implementation->search(guess, previous);
        spent += trial.iterations + 1;
        if (trial.converged())
          {
            last    = trial;
            reached = next;
            stride *= 2.;
          }
        else if (const double half = (next - reached) / 2.; half >= shortest)
          stride = half;
        else
          {
            go_to(reached);
            last.outcome = trial.outcome;
            break;
          }
      }
    last.iterations = spent;
    return last;
  }

  std::optional<Vector>
  EquilibriumSolver::rate(const Vector &q, const std::string &parameter)
  {
    return implementation->respond(
      q, implementation->model.parameter_derivative(q, parameter));
  }

  Inertia
  EquilibriumSolver::inertia(const Vector &q)
  {
    Tangent &tangent = *implementation->tangent;
    tangent.clear();
    implementation->model.hessian(q, tangent);
    tangent.finish();
    return tangent.inertia();
  }

  long
  EquilibriumSolver::n_factorisations() const
  {
    return implementation->tangent->n_factorisations();
  }
} // namespace slender

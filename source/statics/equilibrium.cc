// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/nox_vector.h>
#include <slender/statics/equilibrium.h>

#include <cmath>
#include <functional>

namespace slender
{
  struct EquilibriumSolver::Implementation
  {
    Implementation(System &the_system, const NewtonOptions &the_options)
      : system(the_system)
      , options(the_options)
      , newton(system, options)
    {}

    Equilibrium
    search(const Vector &guess, const std::optional<Vector> &previous_state);

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

    System       &system;
    NewtonOptions options;
    Newton        newton;
  };

  EquilibriumSolver::EquilibriumSolver(System              &system,
                                       const NewtonOptions &options)
    : implementation(std::make_unique<Implementation>(system, options))
  {}

  EquilibriumSolver::~EquilibriumSolver() = default;

  Equilibrium
  EquilibriumSolver::Implementation::search(
    const Vector                &guess,
    const std::optional<Vector> &previous_state)
  {
    Equilibrium result = newton.search(guess, previous_state);
    if (result.converged())
      system.commit(result.q);
    return result;
  }

  std::optional<Vector>
  EquilibriumSolver::Implementation::respond(const Vector &q,
                                             const Vector &gradient)
  {
    newton.tangent().hold_hessian(q);
    NoxVector rhs(system.layout()), direction(system.layout());
    petsc::set_and_accumulate(rhs.handle(), -gradient);
    if (!newton.tangent().solve(rhs.handle(), direction.handle()))
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
    Vector rate = system.gradient(q);
    go_to(from - step);
    rate -= system.gradient(q);
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
    return implementation->newton.search_held(guess, direction, previous_state);
  }

  Equilibrium
  EquilibriumSolver::load(const Vector                  &start,
                          const std::vector<LoadTarget> &targets)
  {
    System             &system = implementation->system;
    std::vector<double> initial;
    for (const LoadTarget &target : targets)
      initial.push_back(system.parameter(target.parameter));
    const auto go_to = [&](const double fraction) {
      for (std::size_t i = 0; i < targets.size(); ++i)
        system.set_parameter(targets[i].parameter,
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
        const Vector previous = system.full_state(last.q);
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
      q, implementation->system.parameter_derivative(q, parameter));
  }

  Inertia
  EquilibriumSolver::inertia(const Vector &q)
  {
    SystemTangent &tangent = implementation->newton.tangent();
    tangent.hold_hessian(q);
    return tangent.inertia();
  }

  long
  EquilibriumSolver::n_factorisations() const
  {
    return implementation->newton.tangent().n_factorisations();
  }
} // namespace slender

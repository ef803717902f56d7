// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/ghosts.h>
#include <slender/statics/equilibrium.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace slender
{
  namespace
  {
    // The square of the relative error of a displacement. Below the first, it
    // does not matter; above the second, hardly a digit is left.
    constexpr double negligible_error = 1e-12, lost_error = 1e-4;

    /// A state that has come further than this from the initial one (root mean
    /// square of dimensionless unknowns) has digits to lose.
    constexpr double far = 1e-6;

    /// A load of more than this, in units of those that bend the body by as
    /// much as it is long, is not small: if it moves nothing, it acts where
    /// nothing can move (the weight of a straight rod that hangs).
    constexpr double small_load = 1e-6;

    bool
    are_small(const System                  &system,
              const std::vector<LoadTarget> &targets,
              const std::vector<double>     &initial)
    {
      for (std::size_t i = 0; i < targets.size(); ++i)
        if (std::max(std::abs(targets[i].value), std::abs(initial[i])) >
            small_load * system.find_parameter(targets[i].parameter).scale)
          return false;
      return true;
    }

    /// By what factor a change of the parameters is to be enlarged to become
    /// the largest relative change there is: the whole of a load.
    double
    whole_over_part(const std::vector<double> &before,
                    const std::vector<double> &after)
    {
      double factor = std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; i < before.size(); ++i)
        if (after[i] != before[i])
          factor = std::min(factor,
                            std::max(std::abs(before[i]), std::abs(after[i])) /
                              std::abs(after[i] - before[i]));
      return std::isfinite(factor) ? factor : 1.;
    }
  } // namespace

  bool
  all_finite(const std::vector<Measurement> &measurements)
  {
    return std::all_of(measurements.begin(),
                       measurements.end(),
                       [](const Measurement &m) {
                         return std::isfinite(m.value);
                       });
  }

  std::vector<Measurement>
  measure(const System &system, Equilibrium &found)
  {
    std::vector<Measurement> measurements = system.measure(found.q);
    if (!all_finite(measurements))
      found.outcome = Outcome::not_finite;
    return measurements;
  }

  struct EquilibriumSolver::Implementation
  {
    Implementation(System &the_system, const NewtonOptions &the_options)
      : system(the_system)
      , options(the_options)
      , exchange(system.layout())
      , newton(system, options)
    {}

    Equilibrium
    search(const Vector &guess, const std::optional<Vector> &previous_state);

    struct Response
    {
      Vector direction;
      double work = 0.; ///< of the gradient along it, without its sign
    };

    /// How the equilibrium q moves to first order if a gradient is added to
    /// that of its energy; none where the Hessian is singular.
    std::optional<Response>
    respond(const Vector &q, const Vector &gradient);

    /// How the equilibrium q moves to first order as the parameters move from
    /// one fraction of the way to another; none if that cannot be told.
    std::optional<Response>
    predict(const Vector                      &q,
            const std::function<void(double)> &go_to,
            double                             from,
            double                             to);

    /**
     * Corrects an equilibrium until that does not matter beside the response to
     * its load, a factor times the one that is given; finds it lost if the load
     * is small and round-off is in the way. What matters is the smaller of two
     * ratios, of steps (squared) and of their work: round-off may be large in
     * soft directions beside a load that only compresses, and does much work in
     * stiff ones beside a load that bends.
     */
    void
    settle(Equilibrium    &found,
           const Response &to_load,
           double          factor,
           bool            load_is_small);

    /// Factorises the Hessian at a state, unless that was done last: whoever
    /// asks for the inertia of an equilibrium often goes on from there.
    void
    hold_hessian(const Vector &q)
    {
      State      here    = system.state(q);
      const bool differs = !held || held->parameters != here.parameters ||
                           held->q.size() != here.q.size() ||
                           held->q != here.q ||
                           held->history.size() != here.history.size() ||
                           held->history != here.history;
      // On all ranks alike.
      if (sum_over_ranks(system.layout(), differs ? 1. : 0.) == 0.)
        return;
      newton.tangent().hold_hessian(q);
      held = std::move(here);
    }

    System              &system;
    NewtonOptions        options;
    Exchange             exchange;
    Newton               newton;
    std::optional<State> held; ///< where the tangent is that of the Hessian
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
    held.reset();
    Equilibrium result = newton.search(guess, previous_state);
    if (result.converged())
      system.commit(result.q);
    return result;
  }

  std::optional<EquilibriumSolver::Implementation::Response>
  EquilibriumSolver::Implementation::respond(const Vector &q,
                                             const Vector &gradient)
  {
    hold_hessian(q);
    const Vector rhs = exchange.accumulated(-gradient);
    Response     response;
    if (!newton.tangent().solve(rhs, response.direction))
      {
        held.reset(); // it may be a failure of the moment
        return {};
      }
    response.work = std::abs(exchange.product(rhs, response.direction));
    return response;
  }

  void
  EquilibriumSolver::Implementation::settle(Equilibrium    &found,
                                            const Response &to_load,
                                            const double    factor,
                                            const bool      load_is_small)
  {
    const double size =
      factor * root_mean_square(system.layout(), to_load.direction);
    const double work = factor * factor * to_load.work;
    const auto error  = [size, work](const double step, const double its_work) {
      return std::min(std::pow(step / size, 2), its_work / work);
    };
    // The last step is an upper bound of the next one, and costs nothing.
    if (!(work > 0.) ||
        error(found.step, found.residual * found.step * system.layout().size) <=
          negligible_error)
      return;
    double before = std::numeric_limits<double>::infinity();
    while (true)
      {
        const auto correction = respond(found.q, system.gradient(found.q));
        if (!correction)
          return;
        ++found.iterations;
        found.q += correction->direction;
        const double now =
          error(root_mean_square(system.layout(), correction->direction),
                correction->work);
        if (now <= negligible_error)
          break;
        // Away from the floor of round-off corrections fall by far more.
        if (!(now < 0.1 * before))
          {
            const double distance =
              root_mean_square(system.layout(),
                               found.q - system.initial_state());
            if (load_is_small && !(now < lost_error) && distance < far)
              found.outcome = Outcome::lost_in_round_off;
            break;
          }
        before = now;
      }
    if (found.converged())
      system.commit(found.q);
  }

  std::optional<EquilibriumSolver::Implementation::Response>
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

    return respond(q, rate * ((to - from) / (2. * step)));
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
    implementation->held.reset();
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
    const bool load_is_small = are_small(system, targets, initial);
    const auto go_to         = [&](const double fraction) {
      for (std::size_t i = 0; i < targets.size(); ++i)
        system.set_parameter(targets[i].parameter,
                             fraction == 1. ? targets[i].value
                                     : fraction == 0.
                                       ? initial[i] // even on the way to infinity
                                       : initial[i] +
                                   fraction * (targets[i].value - initial[i]));
    };

    const auto values = [&] {
      std::vector<double> result;
      for (const LoadTarget &target : targets)
        result.push_back(system.parameter(target.parameter));
      return result;
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
        const auto   response =
          implementation->predict(last.q, go_to, reached, next);
        const std::vector<double> before = values();
        go_to(next);
        Equilibrium trial = implementation->search(
          response ? Vector(last.q + response->direction) : last.q, previous);
        if (trial.converged() && response)
          {
            if (trial.iterations == 0) // the prediction was the step
              trial.step =
                root_mean_square(system.layout(), response->direction);
            implementation->settle(trial,
                                   *response,
                                   whole_over_part(before, values()),
                                   load_is_small);
          }
        spent += trial.iterations + 1;
        if (trial.converged())
          {
            last    = trial;
            reached = next;
            stride *= 2.;
          }
        else if (const double half = (next - reached) / 2.;
                 half >= shortest &&
                 trial.outcome != Outcome::lost_in_round_off)
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
    const auto response = implementation->respond(
      q, implementation->system.parameter_derivative(q, parameter));
    return response ? std::optional<Vector>(response->direction) : std::nullopt;
  }

  Inertia
  EquilibriumSolver::inertia(const Vector &q)
  {
    implementation->hold_hessian(q);
    return implementation->newton.tangent().inertia();
  }

  void
  EquilibriumSolver::set_neutral_motions(const std::vector<Vector> &motions)
  {
    implementation->held.reset();
    implementation->newton.tangent().set_neutral_motions(motions);
  }

  SystemTangent &
  EquilibriumSolver::tangent()
  {
    implementation->held.reset();
    return implementation->newton.tangent();
  }

  long
  EquilibriumSolver::n_factorisations() const
  {
    return implementation->newton.tangent().n_factorisations();
  }
} // namespace slender

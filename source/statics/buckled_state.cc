// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/ghosts.h>
#include <slender/statics/buckled_state.h>
#include <slender/statics/relaxation.h>

namespace slender
{
  Equilibrium
  buckled_state(System              &system,
                const NewtonOptions &newton,
                const Vector        &unstable,
                const Vector        &mode,
                const double         step)
  {
    constexpr int most_steps = 40;
    // Steps that were easy grow.
    constexpr int     few_iterations = 5;
    constexpr double  growth         = 1.6;
    const Exchange    exchange(system.layout());
    EquilibriumSolver solver(system, newton);

    // Along the mode at first, then along the chord of the last two states.
    Vector      direction = step / exchange.largest(mode) * mode;
    Equilibrium held;
    held.q            = unstable;
    int    iterations = 0;
    double last_force = 0.;
    for (int i = 0; i < most_steps; ++i)
      {
        const Vector from = held.q;
        held =
          solver.solve_held(from + direction, mode, system.full_state(from));
        iterations += held.iterations;
        if (!held.converged())
          {
            // Nearer, the guess will be better.
            held.q = from;
            direction /= 2.;
            continue;
          }
        direction = held.q - from;
        const double force =
          exchange.product(exchange.accumulated(system.gradient(held.q)), mode);
        if (force >= 0.)
          {
            // Between the two it vanishes.
            if (last_force < 0.)
              held.q -= force / (force - last_force) * direction;
            break;
          }
        last_force = force;
        if (held.iterations <= few_iterations)
          direction *= growth;
      }
    Equilibrium found = solver.solve(held.q);
    // Another mode may be unstable by then.
    if (found.converged() && solver.inertia(found.q).negative > 0)
      {
        iterations += found.iterations;
        found = Relaxation(system, newton).leave(found.q);
      }
    found.iterations += iterations;
    return found;
  }
} // namespace slender

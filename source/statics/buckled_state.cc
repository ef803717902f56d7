// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/bordered_tangent.h>
#include <slender/statics/buckled_state.h>
#include <slender/statics/relaxation.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace slender
{
  namespace
  {
    constexpr int most_steps = 40;

    /// Of the amplitude from one state to the next.
    constexpr double largest_growth = 3.;

    /// From nearer than this, in units of the amplitude, Newton's method finds
    /// the buckled state without being held.
    constexpr double near_enough = 0.3;

    /// Of a step of Newton's method, in search for states that are only passed.
    constexpr double rough_step = 1e-6;

    /// An equilibrium but for a force along the mode, which is held.
    struct HeldState
    {
      Vector q;
      double amplitude = 0.;
      double force     = 0.;
      /// By the amplitude.
      Vector rate;
      double stiffness = 0.;
    };

    class HeldPath
    {
    public:
      HeldPath(System              &the_system,
               const NewtonOptions &newton,
               const Vector        &start,
               const Vector        &the_mode)
        : system(the_system)
        , exchange(system.layout())
        , mode(the_mode / std::sqrt(exchange.product(the_mode, the_mode)))
        , solver(system, roughly(newton))
      {
        state.q  = start;
        has_rate = find_rate();
      }

      const HeldState &
      here() const
      {
        return state;
      }

      /// False, and nothing done, if there is no state with that amplitude near
      /// enough.
      bool
      go_to(const double amplitude)
      {
        const Equilibrium found =
          solver.solve_held(guess(amplitude), mode, system.full_state(state.q));
        n_iterations += found.iterations;
        if (!found.converged())
          return false;
        state.q         = found.q;
        state.amplitude = amplitude;
        state.force =
          exchange.product(exchange.accumulated(system.gradient(state.q)),
                           mode);
        has_rate = find_rate();
        return true;
      }

      /// Along the rate, from which the mixed tangent can tell stresses.
      Vector
      guess(const double amplitude) const
      {
        const double step = amplitude - state.amplitude;
        return state.q + step * (has_rate ? state.rate : mode);
      }

      /**
       * Where the force vanishes. It is odd in the amplitude a of a mode that
       * breaks a symmetry, so that k = f/a is a function of a^2, to which
       * Newton's method is applied:  d k/d(a^2) = (f' - k)/(2 a^2).
       */
      std::optional<double>
      amplitude_without_force() const
      {
        const double square = state.amplitude * state.amplitude;
        if (!has_rate || square == 0.)
          return {};
        const double k    = state.force / state.amplitude;
        const double k_by = (state.stiffness - k) / (2. * square);
        const double zero = square - k / k_by;
        return k_by > 0. && zero > 0. ? std::optional(std::sqrt(zero))
                                      : std::nullopt;
      }

      int n_iterations = 0;

    private:
      static NewtonOptions
      roughly(NewtonOptions newton)
      {
        newton.step_tolerance = std::max(newton.step_tolerance, rough_step);
        return newton;
      }

      /// J q' + W S = 0 with W^T q' = 1, where W is the mode: what is left
      /// along it is the change of the force, -S.
      bool
      find_rate()
      {
        SystemTangent &tangent = solver.tangent();
        tangent.hold_hessian(state.q);
        BorderedTangent bordered(system, tangent);
        if (!bordered.set_borders(mode, false))
          return false;
        state.rate      = bordered.vectors().col(0);
        state.stiffness = -bordered.reduced()(0, 0);
        return true;
      }

      System           &system;
      Exchange          exchange;
      Vector            mode; ///< of unit length
      EquilibriumSolver solver;
      HeldState         state;
      bool              has_rate = false;
    };
  } // namespace

  Equilibrium
  buckled_state(System              &system,
                const NewtonOptions &newton,
                const Vector        &unstable,
                const Vector        &mode,
                const double         step)
  {
    const Exchange exchange(system.layout());
    const double   first =
      step * std::sqrt(exchange.product(mode, mode)) / exchange.largest(mode);
    Vector guess = unstable, from = unstable;
    int    iterations = 0;
    {
      HeldPath path(system, newton, unstable, mode);
      double   next = first;
      for (int i = 0; i < most_steps; ++i)
        {
          if (!path.go_to(next))
            {
              // Nearer, the guess will be better.
              next = (next + path.here().amplitude) / 2.;
              continue;
            }
          const double amplitude = path.here().amplitude;
          const double farthest  = largest_growth * amplitude;
          next                   = std::min(farthest,
                          path.amplitude_without_force().value_or(farthest));
          if (std::abs(next - amplitude) < near_enough * amplitude)
            break;
        }
      guess      = path.guess(next);
      from       = system.full_state(path.here().q);
      iterations = path.n_iterations;
    }
    EquilibriumSolver solver(system, newton);
    Equilibrium       found = solver.solve(guess, from);
    // Another mode may be unstable by then. From a state that Newton's method
    // does not come from, downhill.
    if (!found.converged() || solver.inertia(found.q).negative > 0)
      {
        iterations += found.iterations;
        found = Relaxation(system, newton)
                  .leave(found.converged() ? found.q : unstable);
      }
    found.iterations += iterations;
    return found;
  }
} // namespace slender

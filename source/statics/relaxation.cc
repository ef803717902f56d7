// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/relaxation.h>
#include <slender/statics/stability.h>
#include <slender/systems/structure.h>
#include <slender/systems/tether.h>

#include <cmath>
#include <optional>
#include <stdexcept>

namespace slender
{
  namespace
  {
    /// Root mean square of the step off a saddle; unknowns are of order one.
    constexpr double first_displacement = 0.01;
    constexpr int    max_steps          = 400;
    constexpr double strongest_tether   = 1e12;

    /// Root mean square of a step that is hardly one.
    constexpr double at_rest = 1e-6;
  } // namespace

  struct Relaxation::Implementation
  {
    Implementation(System &the_system, const NewtonOptions &options)
      : system(the_system)
      , tethered(system)
      , tether(new Tether)
      , free_solver(system, limits(options))
      , tethered_search(tethered, limits(options))
    {
      tethered.add_term("tether", std::unique_ptr<Term>(tether));
      if (system.n_multipliers() > 0)
        throw std::logic_error("a Lagrangian cannot be relaxed");
    }

    /// A search that does not converge soon is better begun anew.
    static NewtonOptions
    limits(NewtonOptions options)
    {
      options.max_iterations = std::min(options.max_iterations, 15);
      options.line_search    = "full step";
      return options;
    }

    double
    sum_over_ranks(const double value) const
    {
      return slender::sum_over_ranks(system.layout(), value);
    }

    Equilibrium
    relax(const Vector &start, double strength);

    void
    require_potential() const
    {
      if (!system.has_potential())
        throw std::logic_error("there is no energy to go downhill in: a load "
                               "has no potential");
    }

    /// Whether the tethered energy is not convex at a state.
    bool
    is_unstable(const Vector &q)
    {
      tethered_search.tangent().hold_hessian(q);
      return tethered_search.tangent().inertia().negative > 0;
    }

    /// Moves a state along its most unstable direction, and says how strong a
    /// tether lets it go on; none if there is no such direction.
    std::optional<double>
    push(Vector &q) const;

    System           &system;
    Structure         tethered;
    Tether           *tether; ///< of that structure
    EquilibriumSolver free_solver;
    Newton tethered_search; ///< commits nothing: steps may be repeated
  };

  Relaxation::Relaxation(System &system, const NewtonOptions &options)
    : implementation(std::make_unique<Implementation>(system, options))
  {}

  Relaxation::~Relaxation() = default;

  Equilibrium
  Relaxation::Implementation::relax(const Vector &start, double strength)
  {
    Vector      q     = start;
    int         spent = 0;
    Equilibrium result;
    result.q       = q;
    result.outcome = Outcome::too_many_iterations;
    for (int n = 0; n < max_steps && strength < strongest_tether; ++n)
      {
        tether->tie(q.head(system.layout().n_owned()), strength);
        const double before = sum_over_ranks(system.energy(q));
        Equilibrium  step   = tethered_search.search(q, system.full_state(q));
        spent += step.iterations;
        // Round-off of large stiffnesses is no increase.
        const double tolerance = 1e-9 * (1. + std::abs(before));
        if (!step.converged() ||
            !(sum_over_ranks(tethered.energy(step.q)) <= before + tolerance) ||
            is_unstable(step.q))
          {
            strength *= 4.;
            continue;
          }
        const double moved = root_mean_square(system.layout(), step.q - q);
        q                  = step.q;
        system.commit(q);
        strength /= step.iterations <= 6 ? 2. : 1.;

        const Inertia inertia = free_solver.inertia(q);
        if (inertia.negative > 0 || inertia.zero > 0)
          {
            // Symmetry may have led to a saddle.
            if (moved < at_rest)
              if (const auto next = push(q))
                strength = *next;
            continue;
          }
        // In sight of a minimum.
        Equilibrium last = free_solver.solve(q, system.full_state(q));
        spent += last.iterations;
        if (last.converged() && free_solver.inertia(last.q).negative == 0 &&
            sum_over_ranks(system.energy(last.q)) <=
              sum_over_ranks(system.energy(q)) + tolerance)
          {
            last.iterations = spent;
            return last;
          }
      }
    result.q          = q;
    result.iterations = spent;
    return result;
  }

  Equilibrium
  Relaxation::relax(const Vector &start)
  {
    implementation->require_potential();
    const auto   lowest = lowest_eigenpairs(implementation->system, start, 1);
    const double tether = lowest.empty() ? 1. : std::abs(lowest[0].value);
    return implementation->relax(start, 4. * tether);
  }

  std::optional<double>
  Relaxation::Implementation::push(Vector &q) const
  {
    const auto lowest = lowest_eigenpairs(system, q, 1);
    if (lowest.empty() || lowest[0].value >= 0.)
      return {};
    q += first_displacement *
         std::sqrt(static_cast<double>(system.layout().size)) * lowest[0].mode;
    return 2. * std::abs(lowest[0].value);
  }

  Equilibrium
  Relaxation::leave(const Vector &saddle)
  {
    implementation->require_potential();
    Vector     q      = saddle;
    const auto tether = implementation->push(q);
    return tether ? implementation->relax(q, *tether) : relax(saddle);
  }
} // namespace slender

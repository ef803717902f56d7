// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/deflation.h>
#include <slender/statics/soft_modes.h>
#include <slender/systems/kinematics.h>

#include <cmath>

namespace slender
{
  namespace
  {
    /// The longest step, and how far the first guess is from an equilibrium, in
    /// units of the displacements that matter (root mean square).
    constexpr double longest_step = 0.3, amplitudes[] = {0.1, 0.5};

    /// States that are no further apart, likewise, are one.
    constexpr double same_state = 1e-4;

    /// A step below this, likewise, is left to the usual method.
    constexpr double nearly_there = 1e-6;

    class DeflatedSearch
    {
    public:
      DeflatedSearch(System                 &the_system,
                     const NewtonOptions    &newton,
                     const DeflationOptions &the_options)
        : system(the_system)
        , options(the_options)
        , has_mixed_tangent(newton.mixed_tangent)
        , solver(system, newton)
        , tangent(system, newton.solver())
        , scale(displacement_scale(system))
      {}

      /// From a guess to an equilibrium that is not known, which is then. The
      /// guess lies along a direction from an equilibrium, whose stresses are
      /// better than those of the guess: far away stiff strains are useless.
      bool
      find(const Vector &guess, const Vector &equilibrium);

      /// Guesses next to an equilibrium.
      std::vector<Vector>
      guesses(const Vector &q);

      double
      distance(const Vector &a, const Vector &b) const
      {
        return root_mean_square(system.layout(), a - b) / scale;
      }

      bool
      is_known(const Vector &q) const
      {
        for (const State &state : found.states)
          if (distance(state.q, q) < same_state)
            return true;
        return false;
      }

      Equilibria found;

    private:
      /// What the usual step is multiplied with.
      double
      factor(const Vector &q, const Vector &step) const;

      System           &system;
      DeflationOptions  options;
      bool              has_mixed_tangent;
      EquilibriumSolver solver;
      SystemTangent     tangent;
      double            scale;
    };

    double
    DeflatedSearch::factor(const Vector &q, const Vector &step) const
    {
      // <grad m, dq> / m = -2 sum_i <q - q_i, dq> / (d_i^2 (d_i^2 + 1))
      const Layout &layout = system.layout();
      const Index   n      = layout.n_owned();
      const double  unit   = scale * scale * static_cast<double>(layout.size);
      double        sum    = 0.;
      for (const State &known : found.states)
        {
          const Vector apart = q - known.q;
          const double along =
            sum_over_ranks(layout, apart.head(n).dot(step.head(n))) / unit;
          const double square =
            sum_over_ranks(layout, apart.head(n).squaredNorm()) / unit;
          sum -= 2. * along / (square * (square + 1.));
        }
      return 1. / (1. - sum);
    }

    bool
    DeflatedSearch::find(const Vector &guess, const Vector &equilibrium)
    {
      ++found.n_searches;
      const Layout &layout = system.layout();
      Vector        q      = guess;
      Vector        before = system.full_state(equilibrium);
      NoxVector     rhs(layout), direction(layout);
      for (int i = 0; i < options.most_iterations; ++i)
        {
          ++found.n_iterations;
          system.survey(q);
          if (has_mixed_tangent)
            tangent.hold_newton_tangent(q, before);
          else
            tangent.hold_hessian(q);
          petsc::set_and_accumulate(rhs.handle(), -system.gradient(q));
          if (!tangent.solve(rhs.handle(), direction.handle()))
            return false;
          Vector       step = petsc::local_values(direction.handle());
          const double size = root_mean_square(layout, step) / scale;
          if (!std::isfinite(size))
            return false;
          if (size < nearly_there)
            {
              const Equilibrium end = solver.solve(q + step);
              if (!end.converged() || is_known(end.q))
                return false;
              found.states.push_back(system.state(end.q));
              return true;
            }
          step *= factor(q, step);
          const double length = root_mean_square(layout, step) / scale;
          step *=
            std::min({1., longest_step / length, system.longest_step(q, step)});
          before = system.full_state(q);
          q += step;
        }
      return false;
    }

    std::vector<Vector>
    DeflatedSearch::guesses(const Vector &q)
    {
      SoftModes modes(system, tangent, options.n_modes);
      modes.refine(q, 8);
      const double unit =
        scale * std::sqrt(static_cast<double>(system.layout().size));
      std::vector<Vector> result;
      for (const double amplitude : amplitudes)
        for (const NoxVector &mode : modes.vectors())
          for (const double sign : {1., -1.})
            result.push_back(q + sign * amplitude * unit *
                                   petsc::local_values(mode.handle()));
      return result;
    }
  } // namespace

  Equilibria
  find_equilibria(System                      &system,
                  const NewtonOptions         &newton,
                  const State                 &known,
                  const DeflationOptions      &options,
                  const std::function<bool()> &goes_on)
  {
    DeflatedSearch search(system, newton, options);
    search.found.states = {known};
    const auto is_full  = [&] {
      return search.found.states.size() >=
             static_cast<std::size_t>(options.most_equilibria);
    };
    // The list grows while it is gone through.
    for (std::size_t i = 0; i < search.found.states.size() && !is_full(); ++i)
      {
        const State from = search.found.states[i];
        system.set_state(from);
        for (const Vector &guess : search.guesses(from.q))
          do
            {
              if (!goes_on())
                return search.found;
              system.set_state(from);
          } while (search.find(guess, from.q) && !is_full());
      }
    search.found.are_enough = is_full();
    return search.found;
  }
} // namespace slender

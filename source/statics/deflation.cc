// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/deflation.h>
#include <slender/statics/relaxation.h>
#include <slender/statics/soft_modes.h>
#include <slender/systems/kinematics.h>

#include <cmath>
#include <optional>

namespace slender
{
  namespace
  {
    /// The longest step, and how far guesses are from an equilibrium, in units
    /// of the displacements that matter (root mean square).
    constexpr double longest_step = 0.1,
                     amplitudes[] = {0.03, 0.06, 0.1, 0.25, 0.5, 1.};

    /// States that are no further apart, likewise, are one.
    constexpr double same_state = 1e-4;

    /// A step below this, likewise, is left to the usual method.
    constexpr double nearly_there = 1e-6;

    class DeflatedSearch
    {
    public:
      DeflatedSearch(System                 &the_system,
                     const NewtonOptions    &the_newton,
                     const DeflationOptions &the_options)
        : system(the_system)
        , newton(the_newton)
        , options(the_options)
        , has_mixed_tangent(newton.mixed_tangent)
        , solver(system, newton)
        , tangent(system, newton.solver())
        , scale(displacement_scale(system))
      {}

      /// From a guess to an equilibrium that is not known, which is then.
      bool
      find(const Vector &guess);

      /// Guesses around an equilibrium: states that are held some way along one
      /// of its soft modes, and in equilibrium but for that. Where they are not
      /// stiff strains would have stresses in which Newton's method is lost.
      struct Guess
      {
        Vector q;
        bool   is_downhill; ///< of the equilibrium, which is unstable
      };

      std::vector<Guess>
      guesses(const Vector &equilibrium);

      /// Goes downhill from a guess to a stable equilibrium, if there is an
      /// energy.
      void
      descend(const Vector &guess);

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
      NewtonOptions     newton;
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
    DeflatedSearch::find(const Vector &guess)
    {
      ++found.n_searches;
      const Layout &layout = system.layout();
      Vector        q      = guess;
      Vector        before = system.full_state(guess);
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

    std::vector<DeflatedSearch::Guess>
    DeflatedSearch::guesses(const Vector &equilibrium)
    {
      SoftModes modes(system, tangent, options.n_modes);
      modes.refine(equilibrium, 8);
      const double unit =
        scale * std::sqrt(static_cast<double>(system.layout().size));
      std::vector<Guess> result;
      for (std::size_t k = 0; k < modes.vectors().size(); ++k)
        for (const double sign : {1., -1.})
          {
            const Vector mode =
              petsc::local_values(modes.vectors()[k].handle());
            // How far, and with which force it is held there.
            struct Held
            {
              Vector q;
              double amplitude = 0., force = 0.;
            };
            const auto held_at = [&](const Held &from, const double amplitude) {
              const Equilibrium held =
                solver.solve_held(from.q + sign * (amplitude - from.amplitude) *
                                             unit * mode,
                                  mode,
                                  system.full_state(from.q));
              if (!held.converged())
                return std::optional<Held>();
              const double force =
                sum_over_ranks(system.layout(),
                               sign * mode.dot(system.gradient(held.q)));
              return std::optional<Held>({held.q, amplitude, force});
            };
            const bool is_unstable = modes.values()[k] < 0.;
            Held       last        = {equilibrium, 0., 0.};
            for (const double amplitude : amplitudes)
              {
                std::optional<Held> ahead = held_at(last, amplitude);
                if (!ahead) // a long step may succeed where a short one fails
                  ahead = held_at({equilibrium, 0., 0.}, amplitude);
                if (!ahead)
                  continue;
                // Between a force that pulls and one that pushes there is none.
                if (last.force * ahead->force < 0.)
                  if (const auto between =
                        held_at(last,
                                last.amplitude + (amplitude - last.amplitude) *
                                                   last.force /
                                                   (last.force - ahead->force)))
                    result.push_back({between->q, false});
                last = *ahead;
                result.push_back(
                  {last.q, is_unstable && amplitude == amplitudes[0]});
              }
          }
      return result;
    }

    void
    DeflatedSearch::descend(const Vector &guess)
    {
      if (!system.has_potential() || system.n_multipliers() > 0)
        return;
      ++found.n_searches;
      const Equilibrium end = Relaxation(system, newton).relax(guess);
      found.n_iterations += end.iterations;
      if (end.converged() && !is_known(end.q))
        found.states.push_back(system.state(end.q));
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
        for (const DeflatedSearch::Guess &guess : search.guesses(from.q))
          {
            if (guess.is_downhill && goes_on() && !is_full())
              {
                system.set_state(from);
                search.descend(guess.q);
              }
            do
              {
                if (!goes_on())
                  return search.found;
                system.set_state(from);
            } while (!is_full() && search.find(guess.q));
          }
      }
    search.found.are_enough = is_full();
    return search.found;
  }
} // namespace slender

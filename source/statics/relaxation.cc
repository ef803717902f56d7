// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/forwarding_model.h>
#include <slender/statics/relaxation.h>
#include <slender/statics/stability.h>

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

    /// A model tied to a state by a weak spring at each unknown.
    class TetheredModel : public ForwardingModel
    {
    public:
      using ForwardingModel::ForwardingModel;

      void
      tie(const Vector &q, const double strength)
      {
        anchor = q.head(body.layout().n_owned());
        tether = strength;
      }

      double
      energy(const Vector &q) const override
      {
        return body.energy(q) +
               0.5 * tether * (q.head(anchor.size()) - anchor).squaredNorm();
      }

      Vector
      gradient(const Vector &q) const override
      {
        Vector g = body.gradient(q);
        g.head(anchor.size()) += tether * (q.head(anchor.size()) - anchor);
        return g;
      }

      void
      hessian(const Vector &q, HessianSink &sink) const override
      {
        body.hessian(q, sink);
        add_tether(sink);
      }

      void
      newton_tangent(const Vector &q,
                     const Vector &previous,
                     HessianSink  &sink) const override
      {
        body.newton_tangent(q, previous, sink);
        add_tether(sink);
      }

      Vector
      hessian_times(const Vector &q, const Vector &direction) const override
      {
        Vector product = body.hessian_times(q, direction);
        product.head(anchor.size()) += tether * direction.head(anchor.size());
        return product;
      }

      /// Nothing is committed on the way: a step may be repeated.
      bool
      commit(const Vector &) override
      {
        return false;
      }

    private:
      void
      add_tether(HessianSink &sink) const
      {
        for (Index i = 0; i < body.layout().n_owned(); ++i)
          sink.add(&i, 1, &tether);
      }

      Vector anchor;
      double tether = 0.;
    };
  } // namespace

  struct Relaxation::Implementation
  {
    Implementation(Model &the_model, const NewtonOptions &options)
      : model(the_model)
      , tethered(model)
      , free_solver(model, limits(options))
      , tethered_solver(tethered, limits(options))
    {
      if (model.n_multipliers() > 0)
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
      return slender::sum_over_ranks(model.layout(), value);
    }

    Equilibrium
    relax(const Vector &start, double tether);

    /// Moves a state along its most unstable direction, and says how strong a
    /// tether lets it go on; none if there is no such direction.
    std::optional<double>
    push(Vector &q) const;

    Model            &model;
    TetheredModel     tethered;
    EquilibriumSolver free_solver, tethered_solver;
  };

  Relaxation::Relaxation(Model &model, const NewtonOptions &options)
    : implementation(std::make_unique<Implementation>(model, options))
  {}

  Relaxation::~Relaxation() = default;

  Equilibrium
  Relaxation::Implementation::relax(const Vector &start, double tether)
  {
    Vector      q     = start;
    int         spent = 0;
    Equilibrium result;
    result.q       = q;
    result.outcome = Outcome::too_many_iterations;
    for (int n = 0; n < max_steps && tether < strongest_tether; ++n)
      {
        tethered.tie(q, tether);
        const double before = sum_over_ranks(model.energy(q));
        Equilibrium  step   = tethered_solver.solve(q, model.full_state(q));
        spent += step.iterations;
        // Round-off of large stiffnesses is no increase.
        const double tolerance = 1e-9 * (1. + std::abs(before));
        if (!step.converged() ||
            !(sum_over_ranks(tethered.energy(step.q)) <= before + tolerance) ||
            tethered_solver.inertia(step.q).negative > 0)
          {
            tether *= 4.;
            continue;
          }
        const double moved = root_mean_square(model.layout(), step.q - q);
        q                  = step.q;
        model.commit(q);
        tether /= step.iterations <= 6 ? 2. : 1.;

        const Inertia inertia = free_solver.inertia(q);
        if (inertia.negative > 0 || inertia.zero > 0)
          {
            // Symmetry may have led to a saddle.
            if (moved < at_rest)
              if (const auto next = push(q))
                tether = *next;
            continue;
          }
        // In sight of a minimum.
        Equilibrium last = free_solver.solve(q, model.full_state(q));
        spent += last.iterations;
        if (last.converged() && free_solver.inertia(last.q).negative == 0 &&
            sum_over_ranks(model.energy(last.q)) <=
              sum_over_ranks(model.energy(q)) + tolerance)
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
    const auto   lowest = lowest_eigenpairs(implementation->model, start, 1);
    const double tether = lowest.empty() ? 1. : std::abs(lowest[0].value);
    return implementation->relax(start, 4. * tether);
  }

  std::optional<double>
  Relaxation::Implementation::push(Vector &q) const
  {
    const auto lowest = lowest_eigenpairs(model, q, 1);
    if (lowest.empty() || lowest[0].value >= 0.)
      return {};
    q += first_displacement *
         std::sqrt(static_cast<double>(model.layout().size)) * lowest[0].mode;
    return 2. * std::abs(lowest[0].value);
  }

  Equilibrium
  Relaxation::leave(const Vector &saddle)
  {
    Vector     q      = saddle;
    const auto tether = implementation->push(q);
    return tether ? implementation->relax(q, *tether) : relax(saddle);
  }
} // namespace slender

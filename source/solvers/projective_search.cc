// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/projective_search.h>

#include <cmath>

namespace slender
{
  namespace
  {
    /// Takes blocks away.
    class Minus : public HessianSink
    {
    public:
      explicit Minus(HessianSink &to)
        : sink(to)
      {}

      void
      add(const Index *unknowns, const Index n, const double *block) override
      {
        negative.assign(block, block + n * n);
        for (double &entry : negative)
          entry = -entry;
        sink.add(unknowns, n, negative.data());
      }

    private:
      HessianSink        &sink;
      std::vector<double> negative;
    };
  } // namespace

  ProjectiveSearch::ProjectiveSearch(const System      &the_system,
                                     const System      &the_body,
                                     const LinearSolver the_solver)
    : system(the_system)
    , body(the_body)
    , exchange(system.layout())
    , solver(the_solver)
  {
    projective(body); // or it is refused
  }

  void
  ProjectiveSearch::renew()
  {
    is_current = false;
  }

  Tangent &
  ProjectiveSearch::matrix()
  {
    if (is_current)
      return *tangent;
    const Vector q = system.initial_state();
    if (!tangent)
      tangent = make_tangent(system, q, solver);
    tangent->clear();
    if (&system != &body)
      {
        // All that is there besides the body.
        system.hessian(q, *tangent);
        Minus minus(*tangent);
        body.hessian(q, minus);
      }
    projective(body).projective_tangent(*tangent);
    tangent->finish();
    is_current = true;
    return *tangent;
  }

  ProjectiveSearch::Iteration
  ProjectiveSearch::iterate(Vector &q)
  {
    const Vector force = exchange.accumulated(system.gradient(q));
    const auto   n     = static_cast<double>(system.layout().size);
    Iteration    result;
    result.residual = std::sqrt(exchange.product(force, force) / n);
    if (!std::isfinite(result.residual))
      {
        result.outcome = Outcome::not_finite;
        return result;
      }
    Eigen::MatrixXd column = force.head(system.layout().n_owned());
    if (!matrix().solve(column))
      {
        result.outcome = Outcome::singular_tangent;
        return result;
      }
    Vector step              = Vector::Zero(q.size());
    step.head(column.rows()) = column;
    step                     = exchange.with_ghosts(step);
    q -= step;
    result.step = std::sqrt(exchange.product(step, step) / n);
    return result;
  }

  Equilibrium
  ProjectiveSearch::search(const Vector &guess,
                           const int     n_iterations,
                           const double  residual_tolerance)
  {
    Equilibrium found;
    found.q = guess;
    while (found.iterations < n_iterations)
      {
        const Iteration done = iterate(found.q);
        found.outcome        = done.outcome;
        if (done.outcome != Outcome::converged)
          break;
        ++found.iterations;
        found.residual = done.residual;
        found.step     = done.step;
        if (done.residual < residual_tolerance)
          break;
      }
    return found;
  }
} // namespace slender

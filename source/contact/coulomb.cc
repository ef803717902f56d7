// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/contact/coulomb.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <algorithm>
#include <cmath>
#include <limits>

namespace slender
{
  namespace
  {
    using Eigen::Matrix3d;

    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr int    most_newton_iterations       = 60;
    constexpr int    n_full_steps                 = 15;
    constexpr int    most_gauss_seidel_iterations = 20000;
    constexpr Index  many_contacts                = 40;

    /// The size of a contact's own block.
    double
    size_of_block(const CoulombProblem &problem, const Index i)
    {
      const double size = problem.W.block<3, 3>(3 * i, 3 * i).norm();
      return size > 0. ? size : 1.;
    }

    /// Where the trial force a is projected to, on the half-line of pressure
    /// and on the disc whose radius is mu times that.
    struct Projection
    {
      Vector3      value;
      Matrix3d     slope; ///< its derivative
      ContactState state;
    };

    Projection
    project(const Vector3 &a, const double friction)
    {
      Projection result;
      result.value.setZero();
      result.slope.setZero();
      result.state = ContactState::open;
      if (a(0) <= 0.)
        return result;
      result.value(0)               = a(0);
      result.slope(0, 0)            = 1.;
      const Eigen::Vector2d tangent = a.tail<2>();
      const double          size = tangent.norm(), radius = friction * a(0);
      if (size <= radius)
        {
          result.value.tail<2>() = tangent;
          result.slope.bottomRightCorner<2, 2>().setIdentity();
          result.state = ContactState::stick;
          return result;
        }
      const Eigen::Vector2d t = tangent / size;
      result.value.tail<2>()  = radius * t;
      result.slope.bottomRightCorner<2, 2>() =
        radius / size * (Eigen::Matrix2d::Identity() - t * t.transpose());
      result.slope.block<2, 1>(1, 0) = friction * t;
      result.state                   = ContactState::slip;
      return result;
    }

    Projection
    project(const CoulombProblem &problem,
            const Vector         &r,
            const Vector         &u,
            const Index           i)
    {
      const Vector3 a =
        r.segment<3>(3 * i) - u.segment<3>(3 * i) / size_of_block(problem, i);
      return project(a, problem.friction[i]);
    }

    /// Whether each contact gives way to forces on it alone: what goes from one
    /// to the next needs that.
    bool
    gives_way(const CoulombProblem &problem)
    {
      if (!problem.W.allFinite() || !problem.b.allFinite())
        return false;
      for (Index i = 0; i < problem.n_contacts(); ++i)
        {
          const Matrix3d own = problem.W.block<3, 3>(3 * i, 3 * i);
          if (Eigen::LLT<Matrix3d>(0.5 * (own + own.transpose())).info() !=
              Eigen::Success)
            return false;
        }
      return true;
    }

    void
    finish(const CoulombProblem &problem,
           const double          tolerance,
           CoulombSolution      &solution)
    {
      solution.residual  = coulomb_residual(problem, solution.r);
      solution.converged = solution.residual <= tolerance;
      const Vector u     = problem.W * solution.r + problem.b;
      for (Index i = 0; i < problem.n_contacts(); ++i)
        solution.states.push_back(project(problem, solution.r, u, i).state);
    }
  } // namespace

  double
  coulomb_residual(const CoulombProblem &problem, const Vector &r)
  {
    const Vector u       = problem.W * r + problem.b;
    double       largest = 0., force = 0.;
    for (Index i = 0; i < problem.n_contacts(); ++i)
      {
        const Vector3 difference =
          r.segment<3>(3 * i) - project(problem, r, u, i).value;
        largest = std::max(largest, difference.cwiseAbs().maxCoeff());
        force   = std::max(force,
                         std::max(r.segment<3>(3 * i).norm(),
                                  problem.b.segment<3>(3 * i).norm() /
                                    size_of_block(problem, i)));
      }
    if (!std::isfinite(largest))
      return largest;
    return force > 0. ? largest / force : 0.;
  }

  CoulombSolution
  solve_by_newton(const CoulombProblem &problem,
                  const Vector         &guess,
                  const double          tolerance)
  {
    // F(r) = r - P(a) = 0 with a = r - (W r + b)/w.
    const Index     n = 3 * problem.n_contacts();
    CoulombSolution solution;
    solution.r = guess;
    Eigen::MatrixXd jacobian(n, n);
    Vector          F(n);
    for (; solution.iterations < most_newton_iterations; ++solution.iterations)
      {
        if (coulomb_residual(problem, solution.r) <= tolerance)
          break;
        const Vector u = problem.W * solution.r + problem.b;
        for (Index i = 0; i < problem.n_contacts(); ++i)
          {
            const Projection to = project(problem, solution.r, u, i);
            F.segment<3>(3 * i) = solution.r.segment<3>(3 * i) - to.value;
            jacobian.middleRows<3>(3 * i) = to.slope /
                                            size_of_block(problem, i) *
                                            problem.W.middleRows<3>(3 * i);
            jacobian.block<3, 3>(3 * i, 3 * i) +=
              Matrix3d::Identity() - to.slope;
          }
        const Vector step = jacobian.partialPivLu().solve(F);
        if (!step.allFinite())
          break;
        // Full steps change the states of contacts; where they only go round
        // in circles, a part of one helps.
        const double before = coulomb_residual(problem, solution.r);
        double       part = 1., best = 1., least = infinity;
        for (int cut = 0; cut < 4; ++cut, part /= 2.)
          {
            const double now =
              coulomb_residual(problem, solution.r - part * step);
            if (now < least)
              {
                least = now;
                best  = part;
              }
            if (now < before || solution.iterations < n_full_steps)
              break;
          }
        solution.r -= best * step;
      }
    finish(problem, tolerance, solution);
    return solution;
  }

  CoulombSolution
  solve_by_gauss_seidel(const CoulombProblem &problem,
                        const Vector         &guess,
                        const double          tolerance)
  {
    Eigen::MatrixXd     W        = problem.W;
    Vector              b        = problem.b;
    std::vector<double> friction = problem.friction;
    const Index         n        = problem.n_contacts();
    NumericsMatrix     *matrix =
      NM_create_from_data(NM_DENSE, 3 * n, 3 * n, W.data());
    FrictionContactProblem *contacts = frictionContactProblem_new_with_data(
      3, n, matrix, b.data(), friction.data());
    SolverOptions *options = solver_options_create(SICONOS_FRICTION_3D_NSGS);
    options->iparam[SICONOS_IPARAM_MAX_ITER] = most_gauss_seidel_iterations;
    // It judges by increments, which where sweeps converge slowly are far
    // smaller than what is left; coulomb_residual() has the last word. Its own
    // measure of what is left would set a tolerance of increments by what they
    // were, and say so on the screen once they were nothing.
    options->iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] =
      SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_LIGHT;
    options->dparam[SICONOS_DPARAM_TOL] =
      std::max(0.01 * tolerance, std::numeric_limits<double>::epsilon());
    // Of one contact at a time; an adaptive one ends in words on the screen.
    options->iparam[SICONOS_FRICTION_3D_IPARAM_INTERNAL_ERROR_STRATEGY] =
      SICONOS_FRICTION_3D_INTERNAL_ERROR_STRATEGY_GIVEN_VALUE;

    CoulombSolution solution;
    solution.r      = guess;
    Vector velocity = Vector::Zero(3 * n);
    fc3d_driver(contacts, solution.r.data(), velocity.data(), options);
    solution.iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
    solver_options_delete(options);
    // The numbers are ours: only the shells around them are Siconos's.
    matrix->matrix0 = nullptr;
    contacts->q     = nullptr;
    contacts->mu    = nullptr;
    frictionContactProblem_free(contacts);
    finish(problem, tolerance, solution);
    return solution;
  }

  CoulombSolution
  solve_coulomb(const CoulombProblem &problem,
                const Vector         &guess,
                const double          tolerance)
  {
    const bool      others = gives_way(problem);
    const bool      many   = others && problem.n_contacts() > many_contacts;
    CoulombSolution first  = many
                               ? solve_by_gauss_seidel(problem, guess, tolerance)
                               : solve_by_newton(problem, guess, tolerance);
    if (first.converged || !others)
      return first;
    // From where the other one got, if that is anywhere.
    const Vector    start = std::isfinite(first.residual) &&
                             first.residual < coulomb_residual(problem, guess)
                              ? first.r
                              : guess;
    CoulombSolution second =
      many ? solve_by_newton(problem, start, tolerance)
           : solve_by_gauss_seidel(problem, start, tolerance);
    second.iterations += first.iterations;
    return second.residual <= first.residual ? second : first;
  }
} // namespace slender

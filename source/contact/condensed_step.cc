// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/contact/condensed_step.h>
#include <slender/contact/stopwatch.h>

#include <limits>

namespace slender
{
  CondensedStep::CondensedStep(const Layout   &the_layout,
                               const Exchange &the_exchange,
                               SystemTangent  &the_tangent,
                               const double    energy_unit,
                               double         &seconds_in_contacts)
    : layout(the_layout)
    , exchange(the_exchange)
    , tangent(the_tangent)
    , unit(energy_unit)
    , seconds(seconds_in_contacts)
  {}

  CoulombProblem
  CondensedStep::problem(const std::vector<Touch> &touches,
                         Eigen::MatrixXd          &responses)
  {
    MPI_Comm   communicator = layout.communicator;
    const auto here         = static_cast<Index>(touches.size());
    Index      all          = here;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_SUM, communicator);
    first = 0;
    MPI_Exscan(&here, &first, 1, MPI_INT, MPI_SUM, communicator);

    responses.setZero(layout.n_owned(), 3 * all);
    for (Index i = 0; i < here; ++i)
      {
        const Touch &touch = touches[i];
        for (std::size_t k = 0; k < touch.unknowns.size(); ++k)
          if (touch.unknowns[k] >= 0)
            responses.block<1, 3>(touch.unknowns[k], 3 * (first + i)) =
              touch.rows.col(static_cast<Index>(k)).transpose() / unit;
      }
    CoulombProblem result;
    result.W = Eigen::MatrixXd::Zero(3 * all, 3 * all);
    result.b = Vector::Zero(3 * all);
    result.friction.assign(all, 0.);
    if (all == 0)
      return result;
    if (!tangent.solve(responses))
      responses.setConstant(std::numeric_limits<double>::quiet_NaN());
    for (Index i = 0; i < here; ++i)
      {
        const Touch &touch = touches[i];
        for (std::size_t k = 0; k < touch.unknowns.size(); ++k)
          if (touch.unknowns[k] >= 0)
            result.W.middleRows<3>(3 * (first + i)) +=
              touch.rows.col(static_cast<Index>(k)) *
              responses.row(touch.unknowns[k]);
        result.b.segment<3>(3 * (first + i)) = touch.moved;
        result.friction[first + i]           = touch.friction;
      }
    const auto sum = [&](double *numbers, const Index n) {
      MPI_Allreduce(
        MPI_IN_PLACE, numbers, n, MPI_DOUBLE, MPI_SUM, communicator);
    };
    sum(result.W.data(), 9 * all * all);
    sum(result.b.data(), 3 * all);
    sum(result.friction.data(), all);
    return result;
  }

  CondensedStep::Result
  CondensedStep::solve(std::vector<Touch> &touches, const Vector &gradient)
  {
    Result          result;
    Eigen::MatrixXd free_step = -gradient.head(layout.n_owned());
    if (!tangent.solve(free_step))
      return result;
    result.solved                      = true;
    result.step                        = Vector::Zero(layout.n_local());
    result.step.head(layout.n_owned()) = free_step.col(0);
    result.step                        = exchange.with_ghosts(result.step);
    const Stopwatch stopwatch(seconds);
    Eigen::MatrixXd responses;
    CoulombProblem  problem = this->problem(touches, responses);
    Vector          start   = Vector::Zero(problem.b.size());
    Vector          ahead   = start;
    for (std::size_t i = 0; i < touches.size(); ++i)
      {
        const Index k = 3 * (first + static_cast<Index>(i));
        start.segment<3>(k) =
          touches[i].frame.transpose() * touches[i].contact.force;
        ahead.segment<3>(k) = touches[i].rate(result.step);
      }
    for (Vector *numbers : {&start, &ahead})
      MPI_Allreduce(MPI_IN_PLACE,
                    numbers->data(),
                    static_cast<int>(numbers->size()),
                    MPI_DOUBLE,
                    MPI_SUM,
                    layout.communicator);
    // The step so far is one under the forces of before.
    problem.b += ahead - problem.W * start;
    CoulombSolution solution;
    solution.converged = true;
    if (problem.n_contacts() > 0)
      {
        solution          = solve_coulomb(problem, start);
        result.iterations = solution.iterations;
        result.step.head(layout.n_owned()) += responses * (solution.r - start);
        result.step = exchange.with_ghosts(result.step);
      }
    for (std::size_t i = 0; i < touches.size(); ++i)
      {
        const Index k = first + static_cast<Index>(i);
        touches[i].contact.force =
          touches[i].frame * solution.r.segment<3>(3 * k);
        touches[i].contact.state = solution.states[k];
      }
    result.settled = solution.converged;
    return result;
  }
} // namespace slender

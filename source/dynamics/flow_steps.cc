// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/dynamics/flow_steps.h>
#include <slender/solvers/petsc.h>

#include <cmath>
#include <stdexcept>

namespace slender
{
  FlowSteps::FlowSteps(LinearFlow &the_flow, const int the_order)
    : flow(the_flow)
    , order(the_order)
    , tangent(flow, LinearSolver::automatic)
  {}

  Vector
  FlowSteps::solve(const Vector &b)
  {
    petsc::Owned<Vec, VecDestroy> right, x;
    *&right = petsc::create_vector(flow.layout());
    *&x     = petsc::create_vector(flow.layout());
    petsc::set_and_accumulate(right, b);
    if (!tangent.solve(right, x))
      throw std::runtime_error("the matrix of a step of diffusion is singular");
    return petsc::local_values(x);
  }

  Vector
  FlowSteps::step(const Vector &m, const double time, const double h)
  {
    const double c = order == 1 ? 1. : 1. - std::sqrt(0.5);
    if (c * h != weight || flow.matrices() != matrices)
      {
        weight   = c * h;
        matrices = flow.matrices();
        flow.set_weight(weight);
        tangent.hold_hessian(m);
      }
    const Vector k1 = solve(flow.driving(m, time + c * h));
    if (order == 1)
      return m + h * k1;
    const Vector k2 = solve(flow.driving(m + (1. - c) * h * k1, time + h));
    return m + h * ((1. - c) * k1 + c * k2);
  }
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_dynamics_flow_steps_h
#define slender_dynamics_flow_steps_h

#include <slender/solvers/system_tangent.h>
#include <slender/systems/linear_flow.h>

namespace slender
{
  /**
   * Time steps of a LinearFlow. With order 1 implicit Euler; with order 2 the
   * two stages of the method of Alexander, which damps fast decay as Euler
   * does and needs one matrix for both,
   *
   *   (M + c h K) k1 = f(t + c h) - K m
   *   (M + c h K) k2 = f(t + h) - K (m + (1 - c) h k1),   c = 1 - 1/sqrt(2)
   *   m := m + h ((1 - c) k1 + c k2).
   *
   * The sum of M m changes by that of f alone where K has constants in its
   * kernel. The factorisation is kept while step and matrices stay.
   */
  class FlowSteps
  {
  public:
    /// The flow has to outlive it.
    FlowSteps(LinearFlow &flow, int order);

    /// From m at a time to the state a step later.
    Vector
    step(const Vector &m, double time, double length);

    long
    n_factorisations() const
    {
      return tangent.n_factorisations();
    }

  private:
    /// The rate k with (M + w K) k = b, whose ghosts are to be added.
    Vector
    solve(const Vector &b);

    LinearFlow   &flow;
    int           order;
    SystemTangent tangent;
    double        weight   = -1.; ///< of the matrix that is held
    unsigned long matrices = 0;
  };
} // namespace slender

#endif

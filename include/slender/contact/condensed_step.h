// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_contact_condensed_step_h
#define slender_contact_condensed_step_h

#include <slender/contact/contact.h>
#include <slender/contact/coulomb.h>
#include <slender/solvers/ghosts.h>
#include <slender/solvers/system_tangent.h>

#include <vector>

namespace slender
{
  /**
   * A step of Newton's method with contacts, by the contacts' own problem:
   *
   *   K dq = -dE/dq + H^T r,   u = W r + b,   W = H K^-1 H^T .
   *
   * W is dense, and takes a solution with K for each of its columns; every rank
   * has all of it. For where springs do not do (AugmentedStep).
   */
  class CondensedStep
  {
  public:
    /// All have to outlive it; its time is added to the seconds.
    CondensedStep(const Layout   &layout,
                  const Exchange &exchange,
                  SystemTangent  &tangent,
                  double          energy_unit,
                  double         &seconds_in_contacts);

    struct Result
    {
      Vector step;
      bool   solved     = false; ///< K is regular
      bool   settled    = false; ///< the contacts' problem is solved
      int    iterations = 0;
    };

    /// With the tangent that is held, and the gradient without contacts but for
    /// the forces of before, those of the touches. Forces and states of the
    /// touches become new ones.
    Result
    solve(std::vector<Touch> &touches, const Vector &gradient);

  private:
    /// W, what stands at an obstacle as `b`, and K^-1 H^T.
    CoulombProblem
    problem(const std::vector<Touch> &touches, Eigen::MatrixXd &responses);

    const Layout   &layout;
    const Exchange &exchange;
    SystemTangent  &tangent;
    double          unit;
    double         &seconds;
    Index           first = 0; ///< of all contacts, on this rank
  };
} // namespace slender

#endif

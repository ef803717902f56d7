// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_statics_frontier_equations_h
#define slender_statics_frontier_equations_h

#include <slender/solvers/controls.h>
#include <slender/statics/frontier.h>

#include <memory>
#include <optional>

namespace slender
{
  /// How a point moves along a frontier, per length in the plane of the
  /// controls.
  struct FrontierRate
  {
    Vector          q;
    Eigen::Vector2d u = Eigen::Vector2d::Zero(); ///< of unit length
  };

  /// A point of a frontier, with the controls in units of their box.
  struct FrontierState
  {
    Vector          q;
    Eigen::Vector2d u = Eigen::Vector2d::Zero();
    /// Orthonormal: first the null vector of the Hessian, then another one that
    /// is soft, if the equations have use for it.
    Eigen::MatrixXd modes;
    /// What tells how far a state is along the modes of a pitchfork, and
    /// vanishes on what has its symmetry; empty at first.
    Eigen::MatrixXd antisymmetric;
    Index           n_held = 1; ///< of the modes break the symmetry
    FrontierRate    rate;       ///< its sense has no meaning

    double slack      = 0.;
    int    iterations = 0;
    double doubt      = 0.; ///< see FrontierPoint

    FrontierOutlook outlook;
  };

  /**
   * The equations of a point at which the Hessian J is singular, in the plane
   * of two controls.
   */
  class FrontierEquations
  {
  public:
    virtual ~FrontierEquations() = default;

    /// A state with the symmetry that a pitchfork breaks. It should be near:
    /// round-off that breaks the symmetry grows with the distance.
    virtual void
    set_symmetric_state(const Vector &q) = 0;

    /**
     * From a guess to a point of the frontier.
     *
     * @param across the controls move on a line orthogonal to this direction,
     *        or in all directions with held_amplitude()
     * @param previous full_state() of the last point, if the guess lies along
     *        its rate
     */
    virtual std::optional<FrontierState>
    solve(const FrontierState         &guess,
          const Eigen::Vector2d       &across,
          const std::optional<Vector> &previous) = 0;

    /// In place of a direction: the state does not move along the critical
    /// mode, which keeps the equations of folds regular at a cusp.
    static Eigen::Vector2d
    held_amplitude()
    {
      return Eigen::Vector2d::Zero();
    }

    /// Puts the mode of a point that is softest besides the critical one in the
    /// place of the one that its outlook has watched so far; of several the one
    /// that is unstable, if any is. The outlook counts those by their Rayleigh
    /// quotients. False if there is none.
    virtual bool
    watch_softest(FrontierState & /*at*/)
    {
      return false;
    }

    /// Likewise a mode that is given. False if that is the critical one.
    virtual bool
    watch(FrontierState & /*at*/, const Vector & /*mode*/)
    {
      return false;
    }
  };

  /// By the options' method. The controls are measured in units of the box.
  std::unique_ptr<FrontierEquations>
  make_frontier_equations(Controls              &controls,
                          const NewtonOptions   &newton,
                          const FrontierOptions &options);
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_statics_bordered_frontier_h
#define slender_statics_bordered_frontier_h

#include <slender/solvers/bordered_tangent.h>
#include <slender/statics/frontier_equations.h>

#include <array>

namespace slender
{
  /**
   * Points of a frontier by Newton's method, with one factorisation of the
   * Hessian J for most of them:
   *
   *   F(q, u) = 0,  s(q, u) = 0,  <u - u_guess, across> = 0
   *
   * s is an eigenvalue of the small matrix S = -V^T J V, where J V + W S = 0
   * and W^T V = 1: it vanishes where J is singular, and is smooth. W spans the
   * modes of the guess. There are two of them, so that nothing becomes singular
   * where two modes are critical at (nearly) the same load, as those of a round
   * column are; of the two eigenvalues the one that belongs to the critical
   * mode is meant, and with v = V c for its eigenvector c
   *
   *   ds = -v^T dJ v = -D^3 E(v, v, dq) - v^T dJ/du v du.
   *
   * A pitchfork is sought among states with the symmetry that it breaks: q does
   * not move along critical modes. The force along them that would be needed is
   * the slack; it vanishes if the symmetry is one. At a fold q moves along the
   * mode as F wants.
   *
   * A guess is first brought to equilibrium at its controls, but for a force
   * along the critical mode, with the mixed tangent. Stiff strains make other
   * states useless to linearise s at: an error of 1e-6 in a strain is a stress
   * of 1e3 in J. From there on one factorisation of J serves: steps are so
   * small that it need not be renewed.
   */
  class BorderedFrontier : public FrontierEquations
  {
  public:
    BorderedFrontier(Controls              &controls,
                     const NewtonOptions   &newton,
                     const FrontierOptions &options);

    void
    set_symmetric_state(const Vector &q) override;

    std::optional<FrontierState>
    solve(const FrontierState         &guess,
          const Eigen::Vector2d       &across,
          const std::optional<Vector> &previous) override;

    bool
    watch_softest(FrontierState &at) override;

    bool
    watch(FrontierState &at, const Vector &mode) override;

  private:
    /// The equations, linearised at a point: functions of four numbers
    /// (1, du_0, du_1, a), where a is how far q moves along the critical mode.
    struct Linearised
    {
      Eigen::MatrixXd    modes;   ///< W, turned so that its first is critical
      Eigen::MatrixXd    vectors; ///< V, likewise
      Eigen::MatrixXd    turn;    ///< from the borders to these modes
      Eigen::MatrixXd    dq;
      Eigen::RowVector4d force; ///< that is left along the critical mode
      Eigen::RowVector4d s;
      Vector             slope;       ///< of s by q
      Eigen::VectorXd    eigenvalues; ///< of S
      /// Negative ones of J across all modes, see linearise(); -1 if unknown.
      Index n_negative_across = -1;
      /// Eigenvalues that differ by less are one, see same_eigenvalue.
      double same = 0.;
    };

    /// Makes `base` that of the tangent at hand, with modes of S.
    bool
    take_borders(const Eigen::MatrixXd &modes, bool are_refined = true);

    /// Turns the base's modes into those of S: the critical one comes first. It
    /// is the one most like that of the last point.
    void
    turn_modes(const Eigen::MatrixXd &modes, const Eigen::MatrixXd &S);

    /// Where a frontier begins: a mode that is given may be a mixture.
    bool
    find_critical_mode(FrontierState &at);

    /// Makes `base` the equations at a settled point.
    bool
    linearise(const FrontierState &at);

    /// Solves with the base's J and makes what force is left along modes that
    /// are not held vanish, too. `forces` gets what is left along all modes.
    bool
    respond(Eigen::MatrixXd &columns, Eigen::MatrixXd &forces) const;

    /// Brings a guess to equilibrium at its controls, but for a force along the
    /// critical mode.
    bool
    approach(FrontierState &at, const std::optional<Vector> &previous);

    /// The same near the base and with its J. What is left to do, if it is
    /// negligible; none if the steps do not shrink.
    std::optional<Vector>
    settle(FrontierState &at);

    /// The first column of V at a settled point at or near the base.
    std::optional<Vector>
    refined_vector(const Vector &q) const;

    /// s at a point near the base, which is settled and its mode brought up to
    /// date; none, and nothing done, if it is not near enough.
    std::optional<double>
    eigenvalue_near(FrontierState &at);

    /// What one more step changes, in (du_0, du_1, a), if s is left over.
    Eigen::Vector3d
    newton_step(const FrontierState   &at,
                const Eigen::Vector2d &across,
                double                 distance,
                double                 s) const;

    /// D^3 E(v, v, .), not accumulated.
    Vector
    third_derivative(const Vector &q, const Vector &v) const;

    std::optional<FrontierRate>
    rate(const FrontierState &at);

    /// Completes a point that was found.
    bool
    finished(FrontierState &at);

    /// How many of the modes are critical by a symmetry: all but the one that
    /// is watched, or all.
    Index
    n_critical(const FrontierState &at) const;

    /// What the base tells of other modes.
    FrontierOutlook
    outlook() const;

    /// Finds the mode that is soft besides the critical one, if it is missing.
    bool
    complete_modes(FrontierState &guess);

    /// Of something with a value at the present controls, by both of them.
    template <class Value, class Function>
    std::array<Value, 2>
    by_controls(const Function &function) const;

    Controls         &controls;
    System           &system;
    FrontierOptions   options;
    bool              has_mixed_tangent;
    EquilibriumSolver equilibrium;
    Vector            symmetric_state;
    SystemTangent     tangent;
    BorderedTangent   bordered;
    Exchange          exchange;

    std::optional<Linearised> base;
    Eigen::MatrixXd           antisymmetric; ///< see FrontierState
    Index                     n_held = 1;    ///< see FrontierState
  };
} // namespace slender

#endif

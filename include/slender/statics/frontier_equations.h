// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_statics_frontier_equations_h
#define slender_statics_frontier_equations_h

#include <slender/solvers/controls.h>
#include <slender/solvers/system_group.h>
#include <slender/statics/frontier.h>

#include <LOCA_GlobalData.H>

#include <optional>

// For source files of the statics layer only: Trilinos's headers are heavy.
namespace slender
{
  /// A point of a frontier, with the controls in units of their box.
  struct FrontierState
  {
    Vector          q;
    Vector          phi; ///< the null vector of the Hessian
    Eigen::Vector2d u          = Eigen::Vector2d::Zero();
    double          slack      = 0.;
    int             iterations = 0;
  };

  /**
   * The equations of a point at which the Hessian J is singular, with one of
   * two controls fixed and the other, p, unknown (LOCA).
   *
   *   fold, Moore-Spence:       F = 0,              J phi = 0, <phi, l> = 1
   *   pitchfork, Moore-Spence:  F + sigma psi = 0,  J phi = 0, <phi, l> = 1,
   *                             <q - q0, psi> = 0
   *   minimally augmented:      J phi = 0 is replaced by the one equation
   *                             s(q, p) = 0 with J v + a s = 0, <b, v> = 1
   *
   * psi is the antisymmetric vector, l fixes the length of phi; both are taken
   * along from the last null vector, and so are a and b. q0 is a state with the
   * symmetry that the pitchfork breaks; it should be near: what round-off adds
   * to psi along the symmetric q - q0 breaks the symmetry of q, which in turn
   * mixes more of it into psi.
   */
  class FrontierEquations
  {
  public:
    /// The controls are measured in units of their box.
    FrontierEquations(Controls              &controls,
                      const NewtonOptions   &newton,
                      const FrontierOptions &options);
    ~FrontierEquations();

    /// A state with the symmetry that a pitchfork breaks.
    void
    set_symmetric_state(const Vector &q);

    /// From a guess to a point of the frontier at the guess's value of the
    /// fixed control.
    std::optional<FrontierState>
    solve(const FrontierState         &guess,
          std::size_t                  fixed,
          const std::optional<Vector> &previous_state);

    /// The derivative of a point with respect to the fixed control.
    std::optional<FrontierState>
    rate(const FrontierState &at, std::size_t fixed);

  private:
    using Group = NOX::Abstract::Group;

    Teuchos::RCP<Group>
    make_group(const FrontierState &at, std::size_t fixed);

    /// Reads q, phi, the unknown control and the slack off a vector of the
    /// extended space; only what the system has.
    FrontierState
    read(const NOX::Abstract::Vector &x, std::size_t fixed) const;

    /// Brings a guess to an equilibrium at its controls (but for a force along
    /// its mode), and its mode to the nearest eigenvector there: both are cheap
    /// and robust, and leave only small changes to the large system.
    bool
    approach(FrontierState &guess, const std::optional<Vector> &previous_state);

    /// Inverse iteration at a state.
    void
    improve_mode(FrontierState &state);

    Controls                            &controls;
    System                              &system;
    NewtonOptions                        newton;
    FrontierOptions                      options;
    EquilibriumSolver                    equilibrium;
    Vector                               symmetric_state;
    Teuchos::RCP<Teuchos::ParameterList> list;
    Teuchos::RCP<LOCA::GlobalData>       global_data;
    Teuchos::RCP<SystemTangent>          tangent;
  };
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_statics_loca_frontier_h
#define slender_statics_loca_frontier_h

#include <slender/solvers/system_group.h>
#include <slender/statics/frontier_equations.h>

#include <LOCA_GlobalData.H>

// For source files of the statics layer only: Trilinos's headers are heavy.
namespace slender
{
  /**
   * Points of a frontier by LOCA's groups, with one of the controls fixed and
   * the other, p, unknown: slower than BorderedFrontier, and independent of it.
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
  class LocaFrontier : public FrontierEquations
  {
  public:
    LocaFrontier(Controls              &controls,
                 const NewtonOptions   &newton,
                 const FrontierOptions &options);
    ~LocaFrontier() override;

    void
    set_symmetric_state(const Vector &q) override;

    /// The control that changes least in the direction `across` is the unknown.
    std::optional<FrontierState>
    solve(const FrontierState         &guess,
          const Eigen::Vector2d       &across,
          const std::optional<Vector> &previous) override;

  private:
    using Group = NOX::Abstract::Group;

    Teuchos::RCP<Group>
    make_group(const FrontierState &at, std::size_t fixed);

    /// Reads q, phi, the unknown control and the slack off a vector of the
    /// extended space; only what the system has.
    FrontierState
    read(const NOX::Abstract::Vector &x, std::size_t fixed) const;

    /// How a point moves along the frontier, by its derivative with respect to
    /// one of the controls; none where that does not exist.
    std::optional<FrontierRate>
    rate(const FrontierState &at, std::size_t fixed);

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

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_statics_branch_h
#define slender_statics_branch_h

#include <slender/solvers/controls.h>
#include <slender/statics/equilibrium.h>
#include <slender/statics/trails.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dealii
{
  class ParameterHandler;
}

namespace slender
{
  enum class ContinuationMethod
  {
    arc_length, ///< passes folds
    natural     ///< steps in the parameter, which end at a fold
  };

  /// How a branch is followed.
  struct BranchOptions
  {
    ContinuationMethod  method  = ContinuationMethod::arc_length;
    double              minimum = 0., maximum = 1.; ///< of the parameter
    double              first_step      = 0.02;
    double              largest_step    = 0.05;
    double              smallest_step   = 1e-6;
    int                 max_points      = 200;
    double              event_tolerance = 1e-10; ///< fraction of a step
    std::vector<double> requested;               ///< parameter values to be hit

    /// Step sizes and limits; the range and the requests belong to the study.
    void
    declare(dealii::ParameterHandler &prm);
  };

  enum class PointKind
  {
    start,
    regular,
    requested,   ///< at a parameter value that was asked for, or a zero of a
                 ///< function
    fold,        ///< the parameter turns back
    bifurcation, ///< another branch crosses
    end
  };

  const char *
  to_string(PointKind kind);

  /**
   * How the branch that crosses at a bifurcation begins (Koiter): with the
   * amplitude xi of the mode, in which it has unit length,
   *
   *   p = p_c + slope xi + curvature/2 xi^2 + ...
   *
   * A branch without slope is symmetric; if p grows along it, it carries more
   * than the critical load (supercritical), if p falls, imperfections matter.
   */
  struct PostBuckling
  {
    double slope, curvature;
  };

  /// An equilibrium on a branch.
  struct BranchPoint
  {
    PointKind kind       = PointKind::regular;
    double    parameter  = 0.;
    double    arc_length = 0.; ///< along the branch, dimensionless
    Index     n_negative = 0;  ///< unstable directions
    int       iterations = 0;
    Vector    q;

    /// Which of the functions vanishes there, from 0 on; else -1.
    int function = -1;

    /// Whether round-off leaves the sign of an eigenvalue open; n_negative then
    /// counts those that certainly are negative.
    bool is_undecided = false;

    /// The parameter at the point before, if stability has changed in between
    /// and where that is could not be found.
    std::optional<double> lost_since;

    // Of a fold or a bifurcation.
    Vector              null_vector;    ///< else empty
    std::vector<Vector> companions;     ///< null vectors besides that one
    Index               n_critical = 0; ///< eigenvalues that vanish here
    double eigenvalue  = 0.; ///< what is left of the one that vanishes
    double uncertainty = 0.; ///< of the parameter: another search's difference
    std::optional<PostBuckling> post_buckling;
  };

  /// Why a branch ended.
  enum class BranchEnd
  {
    left_range,
    enough_points,
    stopped,      ///< by the one who looks on
    interrupted,  ///< before a step; it can be resumed
    closed,       ///< it came back to where it began
    retraced,     ///< it went on along a branch that was followed before
    new_symmetry, ///< the motions that cost no energy are others than before
    step_failed   ///< the smallest step did not converge
  };

  /**
   * The way ahead, before a step, as a value: with the system's parameters and
   * history all that it takes to go on, now or in a later run. Whoever goes on
   * from it takes the same steps, digit by digit.
   */
  struct BranchCursor
  {
    BranchPoint last; ///< the point that was told last, where the step begins

    // The tangent of the branch there; the parameter in the unit of the step.
    Vector direction;
    double direction_of_parameter = 0.;
    double unit_parameter         = 0.;

    double length     = 0.; ///< of the next step
    int    n_steps    = 0;
    int    n_repeated = 0;  ///< times a step was repeated
    double deviation  = 0.; ///< of the last from its tangent
    /// Negative pivots that no negative Rayleigh quotient confirms.
    Index               n_doubtful            = 0;
    bool                starts_at_bifurcation = false;
    std::vector<double> lost; ///< see BranchFollower::lost_requests()
    int                 n_lost_zeros = 0; ///< likewise

    /// Motions that cost no energy, see neutral_motions().
    std::vector<Vector> neutral;

    // Where the branch began, to notice that it comes back.
    Vector start;
    double start_parameter = 0.;

    Trails trails; ///< of all branches so far
  };

  const char *
  to_string(BranchEnd end);

  /**
   * Follows equilibria as one control varies, through folds, by pseudo-arc
   * length continuation (LOCA): besides dE/dq = 0 a step solves
   *
   *   <q - q0, dq/ds>/n + (p - p0) dp/ds / range^2 = ds
   *
   * with the tangent (dq/ds, dp/ds) at (q0, p0). A step that fails is cut in
   * halves. The stability of every point follows from the inertia of its
   * Hessian; where it changes, the point at which an eigenvalue vanishes is
   * found by the secant method on the Rayleigh quotient of its mode, and told
   * to be a fold or a bifurcation by whether the load works on that mode.
   *
   * Unknowns are measured by how far the body has moved, at least by its
   * displacement_scale(): the buckled branch of a thin plate is a curve, not a
   * hairpin. Steps are repeated at half their length where the tangent has
   * turned far. A branch ends where it closes, or goes on along another.
   */
  class BranchFollower
  {
  public:
    /// What is told about each point, in order; false stops the branch.
    using Observer = std::function<bool(const BranchPoint &)>;

    /// Is shown the way ahead before each step; false interrupts.
    using Watcher = std::function<bool(const BranchCursor &)>;

    BranchFollower(Controls            &controls,
                   std::size_t          control,
                   const NewtonOptions &newton,
                   const BranchOptions &options);
    ~BranchFollower();

    /// From an equilibrium at the present values of the controls, with the
    /// parameter first growing (+1) or falling (-1).
    BranchEnd
    follow(const Vector &start, int direction, const Observer &observer);

    /// From a bifurcation point along its null vector, or against it (-1), on
    /// to the branch that crosses there.
    BranchEnd
    switch_branch(const BranchPoint &bifurcation,
                  int                side,
                  const Observer    &observer);

    /// Goes on from where a branch was interrupted; the system stands there.
    BranchEnd
    resume(const BranchCursor &cursor, const Observer &observer);

    void
    set_watcher(Watcher watcher);

    /// Functions of a state at which the system stands; each of their zeros is
    /// found and told as a point that was requested. Two zeros of one function
    /// within a step are not seen.
    using StateFunction = std::function<double(const Vector &q)>;

    void
    set_functions(std::vector<StateFunction> functions);

    /// How often the zero of a function was passed but could not be located.
    int
    n_lost_zeros() const;

    /// Bifurcations from which branches are still to be followed; `met` is told
    /// which of them a branch passes through, and what leaves there is then a
    /// part of that branch.
    using Meeting = std::function<void(std::size_t)>;

    void
    set_landmarks(std::vector<BranchPoint> bifurcations, Meeting met);

    /// The earlier branch on which the last one went on, see
    /// BranchEnd::retraced.
    int
    retraced_branch() const;

    /// Requested values that were passed but could not be hit, on all branches
    /// so far.
    const std::vector<double> &
    lost_requests() const;

  private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation;
  };
} // namespace slender

#endif

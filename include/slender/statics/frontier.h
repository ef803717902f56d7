// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_statics_frontier_h
#define slender_statics_frontier_h

#include <slender/solvers/controls.h>
#include <slender/statics/equilibrium.h>

#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

namespace dealii
{
  class ParameterHandler;
}

namespace slender
{
  /// What a frontier consists of.
  enum class FrontierKind
  {
    pitchfork, ///< where a symmetric state loses its symmetry
    fold       ///< where a branch turns back: snap-through
  };

  /// Which equations say that the Hessian is singular.
  enum class FrontierMethod
  {
    bordered,           ///< of a small matrix that the borders leave
    moore_spence,       ///< for the null vector (LOCA)
    minimally_augmented ///< one scalar equation (LOCA)
  };

  /// How a frontier is tracked.
  struct FrontierOptions
  {
    FrontierKind          kind    = FrontierKind::pitchfork;
    FrontierMethod        method  = FrontierMethod::bordered;
    std::array<double, 2> minimum = {{0., 0.}}, maximum = {{1., 1.}};
    double                first_step    = 0.002;
    double                largest_step  = 0.01;
    double                smallest_step = 1e-7;
    int                   max_points    = 2000;
    double                tolerance     = 1e-8; ///< of a Newton step

    /// Step sizes and limits; the box belongs to the study.
    void
    declare(dealii::ParameterHandler &prm);
  };

  /// Points of codimension two, where a frontier meets another one.
  enum class FrontierEvent
  {
    none,
    cusp,             ///< two folds become one; the frontier turns back
    double_pitchfork, ///< another mode breaks the symmetry as well
    hilltop           ///< a pitchfork on a fold
  };

  const char *
  to_string(FrontierEvent event);

  /// What tells how far away such points are.
  struct FrontierOutlook
  {
    static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

    /// Of the Hessian, of the softest mode besides the null vector.
    double second_eigenvalue = unknown;
    /// How far away, in units of the box, that mode is critical, if its
    /// eigenvalue changes as fast as the first one.
    double second_distance = unknown;
    /// D^3 E(v, v, v) of the null vector v: vanishes at a cusp of folds.
    double cubic                  = unknown;
    bool   second_breaks_symmetry = false; ///< no load works on that mode
    /// How many modes besides the critical one are unstable: a body has buckled
    /// already where there are any. Negative if unknown.
    Index n_unstable = -1;
  };

  /// A bifurcation point on a frontier.
  struct FrontierPoint
  {
    std::array<double, 2> controls;
    Vector                q;
    Vector                null_vector;
    double                slack = 0.; ///< zero if the symmetry holds
    /// How far away, in units of the box, another mode is critical, if that is
    /// so near that the two may have been taken for each other; else zero, also
    /// where two are critical together by a symmetry.
    double          doubt      = 0.;
    int             iterations = 0;
    FrontierOutlook outlook;
    FrontierEvent   event = FrontierEvent::none;
  };

  /// Why a frontier ended.
  enum class FrontierEnd
  {
    left_box,
    enough_points,
    stopped,
    interrupted, ///< before a step; it can be resumed
    step_failed,
    no_bifurcation, ///< none was found near the start
    no_symmetry,    ///< of a pitchfork: a force would have to keep it
    cusp            ///< of folds, beyond which no fold was found
  };

  /// The way ahead, before a step, as a value: see BranchCursor. Controls are
  /// in units of the box.
  struct FrontierCursor
  {
    struct Place
    {
      Vector                q;
      std::array<double, 2> u = {{0., 0.}};
    };

    /// A point that was passed, and how far back it is along the frontier.
    struct Milestone
    {
      std::array<double, 2> u;
      double                distance;
      double                cubic; ///< see FrontierOutlook
    };

    Place                  present;
    Place                  rate;  ///< of the present point, see FrontierRate
    std::vector<Vector>    modes; ///< likewise, see FrontierState
    std::vector<Vector>    antisymmetric; ///< likewise
    int                    n_held = 1;    ///< likewise
    FrontierOutlook        outlook;       ///< likewise
    std::vector<Milestone> trail;         ///< the last one first
    double                 step     = 0.; ///< length of the next
    int                    n_points = 0;
  };

  const char *
  to_string(FrontierEnd end);

  /**
   * Tracks a pitchfork bifurcation or a fold as two controls vary.
   *
   * Steps have a given length in the plane of the two controls, in units of the
   * box. The next point is predicted by a cubic through the last ones and
   * corrected across the direction in which the frontier goes there, see
   * FrontierEquations: the system stays regular where the frontier turns back,
   * at a nose. At a cusp of folds it does not; there the frontier goes on along
   * the other fold, see FrontierEvents.
   */
  class FrontierTracker
  {
  public:
    using Observer = std::function<bool(const FrontierPoint &)>;

    /// `controls` has exactly two coordinates.
    FrontierTracker(Controls              &controls,
                    const NewtonOptions   &newton,
                    const FrontierOptions &options);
    ~FrontierTracker();

    /**
     * From a point near a bifurcation, until the box is left.
     *
     * @param start an equilibrium at the present values of the controls and
     *        the mode that is about to become unstable
     * @param fixed which control keeps its value for the first point
     * @param direction in which that control moves first (+1 or -1)
     */
    FrontierEnd
    track(const Vector   &start,
          const Vector   &mode,
          std::size_t     fixed,
          int             direction,
          const Observer &observer);

    /// Is shown the way ahead before each step; false interrupts.
    using Watcher = std::function<bool(const FrontierCursor &)>;

    void
    set_watcher(Watcher watcher);

    /// Goes on from where a frontier was interrupted; the system's history is
    /// that of the moment.
    FrontierEnd
    resume(const FrontierCursor &cursor, const Observer &observer);

  private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation;
  };
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_frontier_run_h
#define slender_studies_frontier_run_h

#include <slender/statics/branch.h>
#include <slender/statics/frontier.h>
#include <slender/studies/study.h>
#include <slender/validation/master_curve.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace slender
{
  /**
   * Tracks a frontier from one point to one or both sides, records its points
   * as they come, and saves the way, so that it can be resumed. What the
   * studies with a frontier share.
   */
  class FrontierRun
  {
  public:
    /// A point that has been found; the system stands there.
    struct Point
    {
      const FrontierPoint            &point;
      const std::vector<Measurement> &measurements;
      int                             side;  ///< +1 first, then -1
      long                            label; ///< of its state; 0 for none
      bool                            is_last, has_failed; ///< of its side
    };

    /// Of the point at which it is started.
    static constexpr int n_sides = 2;

    /// Whether this rank's group takes part: the two sides of a frontier are
    /// tracked by two groups at the same time, each with a system of its own.
    /// The first one records.
    static bool
    has_work(const Groups &groups);

    /// Collective over the system's ranks, which are a group.
    FrontierRun(Workplace                      &workplace,
                System                         &system,
                const std::vector<std::string> &parameters,
                const NewtonOptions            &newton,
                const FrontierOptions          &options,
                int                             n_shapes);

    /// With coordinates of its own.
    FrontierRun(Workplace             &workplace,
                Controls               controls,
                const NewtonOptions   &newton,
                const FrontierOptions &options,
                int                    n_shapes);
    ~FrontierRun();

    /// Whether it goes on from a checkpoint: then there is no start to find.
    bool
    is_resumed() const;

    /// A bifurcation or fold at the present state of the system, to which these
    /// values of the controls belong. To one side only, if that is not zero;
    /// else up, then down in the second control.
    void
    start_from(const BranchPoint         &point,
               const std::vector<double> &controls,
               int                        only_side = 0);

    /// False if it was interrupted. A side that does not reach the edge of the
    /// box is reported as a failure. Only the first group learns of the points.
    bool
    track(const std::function<void(const Point &)> &record);

    /// All points in one piece, from the end of the second side through the
    /// start to the end of the first. On all ranks of the first group.
    PlaneCurve
    curve() const;

  private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation;
  };
} // namespace slender

#endif

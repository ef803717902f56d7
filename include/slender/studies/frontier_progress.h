// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_frontier_progress_h
#define slender_studies_frontier_progress_h

#include <slender/statics/frontier.h>
#include <slender/studies/saved_state.h>
#include <slender/validation/master_curve.h>

#include <optional>
#include <vector>

namespace slender
{
  /// What a run of a frontier has reached and where it goes on, as a value that
  /// a checkpoint holds.
  struct FrontierProgress
  {
    /// A point that waits until it is known whether its side ends there.
    struct Pending
    {
      FrontierPoint            point;
      std::vector<Measurement> measurements;
      State                    state;
      bool is_known = false; ///< the start, which the other side has recorded
    };

    State               start; ///< of the system
    std::vector<double> start_controls;
    Vector              mode;  ///< that becomes unstable there
    std::vector<int>    sides; ///< that are still to be tracked
    PlaneCurve          curves[2];
    long                n_points      = 0; ///< recorded
    long                n_doubts      = 0; ///< of these, see FrontierPoint
    long                n_late        = 0; ///< of these, buckled already
    double              largest_doubt = 0.;

    std::optional<FrontierCursor> cursor; ///< from which to go on
    std::optional<Pending>        pending;

    /// From another point on; what is recorded already stays counted.
    void
    begin(const State               &start,
          const std::vector<double> &controls,
          const Vector              &mode,
          const std::vector<int>    &sides);

    /// Of the side that is tracked now.
    PlaneCurve &
    curve_of_side()
    {
      return curves[sides.front() > 0 ? 0 : 1];
    }

    /// With the way ahead, or without: before a side is begun.
    Archive
    to_archive(const System &system, const FrontierCursor *at) const;

    /// The system is put where the run was.
    void
    restore(const ArchiveReader &reader, System &system);
  };
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_branch_journey_h
#define slender_studies_branch_journey_h

#include <slender/output/archive.h>
#include <slender/studies/branch_recorder.h>

#include <deque>
#include <string>

namespace slender
{
  /// A branch that is still to be followed.
  struct Leg
  {
    BranchPoint from;
    State       state;            ///< of the body there
    int         side     = 1;     ///< of the parameter or of the null vector
    bool        switches = false; ///< at a bifurcation
    int         depth    = 0;
  };

  /// What a checkpoint holds: the branch that is under way and those that
  /// wait.
  struct Journey
  {
    int                      branch = 1;
    Leg                      leg;    ///< under way
    std::deque<Leg>          legs;   ///< that wait
    BranchCursor             cursor; ///< on the one that is under way
    State                    state;  ///< of the body at its last point
    BranchRecorder::Position recorded;
    std::string              answer; ///< where it first became unstable
  };

  Archive
  to_archive(const Journey &journey, const System &system);

  /// Sets the system to where the journey is.
  Journey
  from_archive(const ArchiveReader &reader, System &system);
} // namespace slender

#endif

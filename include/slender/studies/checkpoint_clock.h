// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_checkpoint_clock_h
#define slender_studies_checkpoint_clock_h

#include <mpi.h>

#include <chrono>

namespace slender
{
  /// Says when a long computation is to save where it is: after so many
  /// minutes, or after so many steps, whichever comes first.
  class CheckpointClock
  {
  public:
    /// 0 steps: by time alone.
    CheckpointClock(double minutes, long steps);

    /// One more step is done: whether to save now. All ranks of the
    /// communicator get the answer of the first. Collective.
    bool
    is_due(MPI_Comm communicator);

  private:
    using Clock = std::chrono::steady_clock;

    double            minutes;
    long              steps;
    long              done = 0; ///< steps since the last time
    Clock::time_point last = Clock::now();
  };
} // namespace slender

#endif

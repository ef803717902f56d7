// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/studies/checkpoint_clock.h>

namespace slender
{
  CheckpointClock::CheckpointClock(const double every_minutes,
                                   const long   every_steps)
    : minutes(every_minutes)
    , steps(every_steps)
  {}

  bool
  CheckpointClock::is_due(MPI_Comm communicator)
  {
    ++done;
    const double waited =
      std::chrono::duration<double, std::ratio<60>>(Clock::now() - last)
        .count();
    int due = (steps > 0 && done >= steps) || waited >= minutes ? 1 : 0;
    MPI_Bcast(&due, 1, MPI_INT, 0, communicator);
    if (due != 0)
      {
        done = 0;
        last = Clock::now();
      }
    return due != 0;
  }
} // namespace slender

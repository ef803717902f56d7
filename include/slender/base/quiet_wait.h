// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_base_quiet_wait_h
#define slender_base_quiet_wait_h

#include <mpi.h>

namespace slender
{
  // MPI's own waiting keeps a processor busy, so that the ranks that still have
  // work are slowed down where there are more ranks than processors. These
  // sleep, for longer and longer, up to a few milliseconds.

  /// As MPI_Wait.
  void
  wait_quietly(MPI_Request &request);

  /// As MPI_Probe.
  MPI_Status
  probe_quietly(int source, int tag, MPI_Comm communicator);

  /// As MPI_Barrier.
  void
  meet_quietly(MPI_Comm communicator);

  /// Meets the others at the end of a scope, however that is left.
  class QuietMeeting
  {
  public:
    explicit QuietMeeting(MPI_Comm the_communicator)
      : communicator(the_communicator)
    {}

    ~QuietMeeting()
    {
      meet_quietly(communicator);
    }

    QuietMeeting(const QuietMeeting &) = delete;
    QuietMeeting &
    operator=(const QuietMeeting &) = delete;

  private:
    MPI_Comm communicator;
  };
} // namespace slender

#endif

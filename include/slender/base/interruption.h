// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_base_interruption_h
#define slender_base_interruption_h

#include <mpi.h>

namespace slender
{
  /// Standard streams that were closed lead nowhere from now on, rather than
  /// into the next file that is opened. The first thing that a program does.
  void
  open_closed_streams();

  /**
   * From now on SIGTERM and SIGINT only ask the run to end, which it does at
   * its next interruption_requested(); a second SIGINT kills it at once. A
   * closed pipe, or a limit on the size of files, no longer ends the process:
   * writing fails instead. To be called after MPI and PETSc were started, which
   * have handlers of their own.
   */
  void
  handle_interruptions();

  /// Whether any rank of the communicator was asked to end. Collective: all
  /// ranks get the same answer, so that all leave their loop at the same step.
  bool
  interruption_requested(MPI_Comm communicator);

  /// Asks the run to end, as a signal would: for a rank that cannot go on while
  /// others wait for it.
  void
  request_interruption();

  /// The signal that asked this rank to end, for messages; 0 if there was none.
  int
  interrupting_signal();

  /// Forgets a request: for tests, and for programs that go on after one.
  void
  forget_interruption();
} // namespace slender

#endif

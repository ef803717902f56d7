// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_base_agreement_h
#define slender_base_agreement_h

#include <mpi.h>

#include <functional>
#include <string>

namespace slender
{
  /// The first text that is not empty, in the order of the ranks, on all of
  /// them. Collective.
  std::string
  first_text(MPI_Comm communicator, const std::string &text);

  /**
   * Does a piece of work that may fail on some ranks alone, such as opening a
   * file, so that no rank goes on without the others: if it throws InputError
   * or DiskError (or any std::exception) on some rank, then that of the lowest
   * such rank is thrown on all. Collective; if `work` is so itself, it has to
   * come back on all ranks when it fails on one.
   */
  void
  do_on_all_or_none(MPI_Comm communicator, const std::function<void()> &work);
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/quiet_wait.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace slender
{
  namespace
  {
    /// Until something is there.
    template <class IsThere>
    void
    sleep_until(const IsThere &is_there)
    {
      using std::chrono::microseconds;
      constexpr microseconds longest(5000);
      for (microseconds nap(20); !is_there(); nap = std::min(2 * nap, longest))
        std::this_thread::sleep_for(nap);
    }
  } // namespace

  void
  wait_quietly(MPI_Request &request)
  {
    sleep_until([&] {
      int is_there = 0;
      MPI_Test(&request, &is_there, MPI_STATUS_IGNORE);
      return is_there != 0;
    });
  }

  MPI_Status
  probe_quietly(const int source, const int tag, MPI_Comm communicator)
  {
    MPI_Status status;
    sleep_until([&] {
      int is_there = 0;
      MPI_Iprobe(source, tag, communicator, &is_there, &status);
      return is_there != 0;
    });
    return status;
  }

  void
  meet_quietly(MPI_Comm communicator)
  {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(communicator, &request);
    wait_quietly(request);
  }
} // namespace slender

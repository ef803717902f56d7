// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/interruption.h>

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <initializer_list>
#include <unistd.h>

namespace slender
{
  namespace
  {
    // All that a signal handler may touch.
    volatile std::sig_atomic_t signal_received = 0;
    volatile std::sig_atomic_t was_interrupted = 0; ///< by a SIGINT

    bool was_asked = false; ///< by ourselves

    extern "C" void
    note_signal(const int signal)
    {
      if (signal == SIGINT && was_interrupted != 0)
        {
          // The user means it. The signal is blocked until we return.
          std::signal(SIGINT, SIG_DFL);
          ::raise(SIGINT);
          return;
        }
      if (signal == SIGINT)
        was_interrupted = 1;
      signal_received = signal;
    }



    void
    on_signal(const int signal, void (*handler)(int))
    {
      struct sigaction action = {};
      action.sa_handler       = handler;
      // Whoever waits for a file must not notice.
      action.sa_flags = SA_RESTART;
      sigemptyset(&action.sa_mask);
      ::sigaction(signal, &action, nullptr);
    }
  } // namespace



  void
  open_closed_streams()
  {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      if (::fcntl(stream, F_GETFD) == -1 && errno == EBADF)
        // The lowest free number is taken: that of the stream. It stays open
        // on purpose; if there is no /dev/null, nothing is lost.
        (void)!::open("/dev/null",
                      stream == STDIN_FILENO ? O_RDONLY : O_WRONLY);
  }



  void
  handle_interruptions()
  {
    on_signal(SIGTERM, note_signal);
    on_signal(SIGINT, note_signal);
    on_signal(SIGPIPE, SIG_IGN);
    on_signal(SIGXFSZ, SIG_IGN);
  }



  bool
  interruption_requested(MPI_Comm communicator)
  {
    const int mine = signal_received != 0 || was_asked ? 1 : 0;
    int       any  = 0;
    MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, communicator);
    return any != 0;
  }



  void
  request_interruption()
  {
    was_asked = true;
  }



  int
  interrupting_signal()
  {
    return signal_received;
  }



  void
  forget_interruption()
  {
    signal_received = 0;
    was_interrupted = 0;
    was_asked       = false;
  }
} // namespace slender

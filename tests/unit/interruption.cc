// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/interruption.h>

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <fcntl.h>
#include <functional>
#include <sys/wait.h>
#include <unistd.h>

namespace
{
  using namespace slender;

  /// How another process ends that does `work`, as waitpid() tells it.
  int
  end_of(const std::function<int()> &work)
  {
    const pid_t child = ::fork();
    BOOST_REQUIRE(child >= 0);
    if (child == 0)
      ::_exit(work());
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
  }
} // namespace



// Each in a process of its own: signals are not to reach the tests.
BOOST_AUTO_TEST_SUITE(interruption)

BOOST_AUTO_TEST_CASE(a_signal_only_asks)
{
  for (const int signal : {SIGTERM, SIGINT})
    {
      const int status = end_of([signal] {
        handle_interruptions();
        if (interruption_requested(MPI_COMM_SELF) || interrupting_signal() != 0)
          return 1;
        ::raise(signal);
        if (!interruption_requested(MPI_COMM_SELF))
          return 2;
        if (interrupting_signal() != signal)
          return 3;
        forget_interruption();
        return interruption_requested(MPI_COMM_SELF) ? 4 : 0;
      });
      BOOST_TEST(WIFEXITED(status));
      BOOST_TEST(WEXITSTATUS(status) == 0);
    }
}

BOOST_AUTO_TEST_CASE(a_second_interrupt_kills_at_once)
{
  const int status = end_of([] {
    handle_interruptions();
    ::raise(SIGTERM);
    ::raise(SIGTERM);
    ::raise(SIGINT);
    ::raise(SIGINT);
    return 0;
  });
  BOOST_TEST(WIFSIGNALED(status));
  BOOST_TEST(WTERMSIG(status) == SIGINT);
}

BOOST_AUTO_TEST_CASE(a_closed_pipe_does_not_end_the_process)
{
  const int status = end_of([] {
    handle_interruptions();
    int ends[2];
    if (::pipe(ends) != 0)
      return 1;
    ::close(ends[0]);
    return ::write(ends[1], "x", 1) == -1 ? 0 : 2;
  });
  BOOST_TEST(WIFEXITED(status));
  BOOST_TEST(WEXITSTATUS(status) == 0);
}

BOOST_AUTO_TEST_CASE(files_do_not_take_the_place_of_closed_streams)
{
  const int status = end_of([] {
    ::close(STDOUT_FILENO);
    ::close(STDERR_FILENO);
    open_closed_streams();
    const int file = ::open("/dev/zero", O_RDONLY);
    return file > STDERR_FILENO && ::write(STDOUT_FILENO, "x", 1) == 1 ? 0 : 1;
  });
  BOOST_TEST(WIFEXITED(status));
  BOOST_TEST(WEXITSTATUS(status) == 0);
}

BOOST_AUTO_TEST_SUITE_END()

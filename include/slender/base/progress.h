// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_base_progress_h
#define slender_base_progress_h

#include <chrono>
#include <cstddef>
#include <iosfwd>
#include <string>

namespace slender
{
  /**
   * Tells how far a long piece of work has come, on one rank: a line that is
   * rewritten in place on a terminal, plain lines at every tenth of the work
   * (every few seconds, if nobody knows how much it is) otherwise. Says nothing
   * about work that is done within a second, and nothing at all where `out` is
   * null (ranks other than the first).
   */
  class Progress
  {
  public:
    Progress(std::ostream *out,
             bool          is_terminal,
             std::string   what,
             std::size_t   total);
    ~Progress();

    Progress(const Progress &) = delete;
    Progress &
    operator=(const Progress &) = delete;

    /// One more piece is done; `remark` is shown next to the count.
    void
    advance(const std::string &remark = "");

  private:
    using Clock = std::chrono::steady_clock;

    void
    show(const std::string &remark);

    std::ostream     *out;
    bool              is_terminal;
    std::string       what;
    std::size_t       total;
    std::size_t       done         = 0;
    std::size_t       shown_tenths = 0;
    bool              line_is_open = false;
    Clock::time_point start;
    Clock::time_point last_shown;
  };
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/progress.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <utility>

namespace slender
{
  namespace
  {
    using Seconds = std::chrono::duration<double>;

    constexpr Seconds     silence(1.);
    constexpr Seconds     pause_between_updates(0.1);
    constexpr Seconds     pause_between_lines(5.); ///< of unknown extent
    constexpr std::size_t columns_of_terminal = 79;

    std::string
    two_digits(const long number)
    {
      return (number < 10 ? "0" : "") + std::to_string(number);
    }

    /// "12 s", "3 min 05 s" or "2 h 07 min".
    std::string
    in_words(const Seconds duration)
    {
      const long seconds = std::lround(duration.count());
      if (seconds < 60)
        return std::to_string(seconds) + " s";
      const long minutes = seconds / 60;
      if (minutes < 60)
        return std::to_string(minutes) + " min " + two_digits(seconds % 60) +
               " s";
      return std::to_string(minutes / 60) + " h " + two_digits(minutes % 60) +
             " min";
    }

    std::size_t
    tenths_of(const std::size_t done, const std::size_t total)
    {
      return total == 0 ? 0 : std::min<std::size_t>(10 * done / total, 10);
    }

    std::string
    report(const std::string &what,
           const std::size_t  done,
           const std::size_t  total,
           const Seconds      elapsed,
           const std::string &remark)
    {
      std::string text = what + ": ";
      if (total > 0)
        text += std::to_string(std::min<std::size_t>(100 * done / total, 100)) +
                " % (" + std::to_string(done) + " of " + std::to_string(total) +
                ")";
      else
        text += std::to_string(done) + " done";
      text += ", " + in_words(elapsed);

      if (done < total)
        {
          const double left = static_cast<double>(total - done);
          text += ", about " +
                  in_words(elapsed * (left / static_cast<double>(done))) +
                  " left";
        }
      if (!remark.empty())
        text += ", " + remark;
      std::replace(text.begin(), text.end(), '\n', ' ');
      return text;
    }

    /// A line that wraps around could not be rewritten in place. Characters
    /// are counted, not the bytes of their UTF-8 form.
    std::string
    cut_to_terminal(const std::string &text)
    {
      std::size_t n_characters = 0;
      for (std::size_t i = 0; i < text.size(); ++i)
        if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80 &&
            ++n_characters > columns_of_terminal)
          return text.substr(0, i);
      return text;
    }
  } // namespace



  Progress::Progress(std::ostream     *stream,
                     const bool        stream_is_terminal,
                     std::string       description,
                     const std::size_t n_pieces)
    : out(stream)
    , is_terminal(stream_is_terminal)
    , what(std::move(description))
    , total(n_pieces)
    , start(Clock::now())
    , last_shown(start)
  {}



  Progress::~Progress()
  {
    if (!line_is_open)
      return;
    try
      {
        *out << std::endl;
      }
    catch (...)
      {
        // A stream that fails must not end a run whose work is done.
      }
  }



  void
  Progress::advance(const std::string &remark)
  {
    ++done;
    if (out == nullptr)
      return;

    const std::size_t tenths   = tenths_of(done, total);
    const bool        is_tenth = tenths > std::exchange(shown_tenths, tenths);
    const auto        now      = Clock::now();
    if (now - start < silence)
      return;

    const bool is_due  = now - last_shown >= pause_between_updates;
    const bool is_long = total == 0 && now - last_shown >= pause_between_lines;
    if (is_terminal ? (is_due || done == total) : (is_tenth || is_long))
      show(remark);
  }



  void
  Progress::show(const std::string &remark)
  {
    last_shown = Clock::now();
    const std::string text =
      report(what, done, total, last_shown - start, remark);
    if (is_terminal)
      *out << '\r' << cut_to_terminal(text) << "\033[K" << std::flush;
    else
      *out << text << std::endl;
    line_is_open = is_terminal;
  }
} // namespace slender

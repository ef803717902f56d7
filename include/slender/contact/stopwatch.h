// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_contact_stopwatch_h
#define slender_contact_stopwatch_h

#include <chrono>

namespace slender
{
  /// Adds the seconds of its life to a sum.
  class Stopwatch
  {
  public:
    explicit Stopwatch(double &the_sum)
      : sum(the_sum)
      , start(std::chrono::steady_clock::now())
    {}

    ~Stopwatch()
    {
      sum +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
    }

    Stopwatch(const Stopwatch &) = delete;
    Stopwatch &
    operator=(const Stopwatch &) = delete;

  private:
    double                               &sum;
    std::chrono::steady_clock::time_point start;
  };
} // namespace slender

#endif

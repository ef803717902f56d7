// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_benchmarks_timing_h
#define slender_benchmarks_timing_h

#include <slender/systems/hessian_sink.h>

#include <algorithm>
#include <ctime>
#include <limits>

namespace slender::benchmarks
{
  /// Time of the processor, which other programs on the machine do not see.
  inline double
  now()
  {
    std::timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * time.tv_nsec;
  }

  /// Seconds for one call: the fastest of several rounds of many calls, which
  /// is the one that was disturbed least.
  template <class Function>
  double
  seconds_per_call(const Function &function)
  {
    constexpr int    n_rounds = 7;
    constexpr double round    = 0.03;

    const double start = now();
    int          calls = 0;
    for (; calls == 0 || now() < start + round; ++calls)
      function();
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < n_rounds; ++i)
      {
        const double begin = now();
        for (int j = 0; j < calls; ++j)
          function();
        best = std::min(best, (now() - begin) / calls);
      }
    return best;
  }

  /// Results that nobody reads would not be computed.
  inline volatile double sink_of_results = 0.;

  /// A sink that does nothing: what a model itself costs.
  class NullSink : public HessianSink
  {
  public:
    void
    add(const Index *, Index, const double *block) override
    {
      sink_of_results = block[0];
    }
  };
} // namespace slender::benchmarks

#endif

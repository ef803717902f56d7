// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/output/recorder.h>
#include <slender/output/spread.h>

#include <algorithm>

namespace slender
{
  void
  Recorder::row(const std::string &table, const Table::Row &cells)
  {
    add_row(table, cells);
    n_not_finite +=
      std::count_if(cells.begin(), cells.end(), Table::is_not_finite);
  }



  std::int64_t
  Recorder::not_finite() const
  {
    return n_not_finite;
  }



  void
  Recorder::shape(const std::string &series,
                  const std::int64_t number,
                  const double       time,
                  const Drawing     &piece,
                  MPI_Comm           body)
  {
    list(write_shape(series, number, time, piece, body));
  }



  bool
  Recorder::wants(const std::int64_t number, const std::int64_t count)
  {
    return count > 0 && number % spread_stride(number, count) == 0;
  }



  void
  Recorder::shape_of_many(const std::string &series,
                          const std::int64_t number,
                          const double       time,
                          const Drawing     &piece,
                          MPI_Comm           body,
                          const std::int64_t count)
  {
    thin(series, spread_stride(number, count));
    shape(series, number, time, piece, body);
  }



  void
  Recorder::count(const std::string &counter, const double amount)
  {
    counters[counter] += amount;
  }



  double
  Recorder::counted(const std::string &counter) const
  {
    const auto found = counters.find(counter);
    return found == counters.end() ? 0. : found->second;
  }
} // namespace slender

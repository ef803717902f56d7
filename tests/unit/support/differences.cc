// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/differences.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>

namespace slender::test
{
  std::vector<double>
  halved_steps(const double largest)
  {
    return {largest, largest / 2, largest / 4, largest / 8};
  }

  std::vector<double>
  orders(const std::vector<double> &errors)
  {
    std::vector<double> result;
    for (std::size_t i = 1; i < errors.size(); ++i)
      result.push_back(std::log2(errors[i - 1] / errors[i]));
    return result;
  }

  void
  check_second_order(const std::function<double(double)> &error,
                     const double                         largest_step,
                     const double                         scale)
  {
    std::vector<double> errors;
    for (const double step : halved_steps(largest_step))
      errors.push_back(error(step));

    // Round-off of a difference: some 1e-16 over the smallest step, with room
    // for the sum over many terms.
    const double              round_off = 1e-14 * scale / largest_step;
    const std::vector<double> found     = orders(errors);
    for (std::size_t i = 0; i < found.size(); ++i)
      BOOST_TEST((std::abs(found[i] - 2.) < 0.1 || errors[i + 1] < round_off),
                 "order " << found[i] << " instead of 2, errors " << errors[0]
                          << " " << errors[1] << " " << errors[2] << " "
                          << errors[3] << " of values of size " << scale);
  }
} // namespace slender::test

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_tests_support_differences_h
#define slender_tests_support_differences_h

#include <functional>
#include <vector>

namespace slender::test
{
  /// The steps 1, 1/2, 1/4, 1/8 times the largest one.
  std::vector<double>
  halved_steps(double largest);

  /// Orders of convergence between successive errors, each at half the step
  /// (or half the mesh width) of the one before.
  std::vector<double>
  orders(const std::vector<double> &errors);

  /**
   * Checks that an error goes to zero like step^2 over four steps, which a
   * wrong derivative cannot: its error stays where it is.
   *
   * An error at round-off is right as well, for every step of a function that
   * has no third derivative in this direction, or for the last ones; `scale` is
   * the size of the numbers whose difference it is.
   */
  void
  check_second_order(const std::function<double(double step)> &error,
                     double                                    largest_step,
                     double                                    scale);

  /**
   * The derivative at zero of a function of one number, by a central
   * difference of sixth order: to about 1e-12 of the function's size for
   * functions that vary over lengths of order one.
   */
  template <class Function>
  auto
  precise_derivative(const Function &f, const double step = 1e-3)
  {
    const auto difference = [&](const double h) {
      return ((f(h) - f(-h)) / (2. * h)).eval();
    };
    return ((15. * difference(step) - 6. * difference(2. * step) +
             difference(3. * step)) /
            10.)
      .eval();
  }
} // namespace slender::test

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_base_formula_h
#define slender_base_formula_h

#include <slender/base/types.h>

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace slender
{
  /**
   * A formula in a parameter file, such as "1 + 0.1*sin(2*pi*x)" or
   * "end y - 0.3", of quantities with names. The syntax is that of muParser:
   * + - * / ^, comparisons, && ||, "condition ? a : b" or
   * "if(condition, a, b)", sin, cos, tan, asin, acos, atan, atan2, sinh, cosh,
   * tanh, exp, ln and log (both the natural logarithm), log10, sqrt, abs, sign,
   * floor, ceil, pow, min, max, erf, and the number pi. Names may have spaces;
   * longer ones are found first.
   *
   * Copies share what was parsed.
   */
  class Formula
  {
  public:
    /// Throws InputError, with the reason, for what is no formula.
    Formula(const std::string              &text,
            const std::vector<std::string> &names,
            const std::string              &parameter_path = "");

    /// The quantities in the order of their names; NaN where it is not defined.
    double
    value(const std::vector<double> &quantities) const;

    double
    operator()(std::initializer_list<double> quantities) const;

    const std::string &
    text() const;

    /// Whether it depends on no quantity.
    bool
    is_constant() const;

  private:
    struct Parsed;
    std::shared_ptr<Parsed> parsed;
  };

  /// In the time t; it has to be finite at zero.
  std::function<double(double)>
  formula_of_time(const std::string &text,
                  const std::string &parameter_path = "");

  /// In x, y and z.
  std::function<double(const Vector3 &)>
  formula_of_place(const std::string &text,
                   const std::string &parameter_path = "");

  /// In x, y, z and t.
  std::function<double(const Vector3 &, double)>
  formula_of_place_and_time(const std::string &text,
                            const std::string &parameter_path = "");

  /// Three in x, y and z, parted by semicolons.
  std::function<Vector3(const Vector3 &)>
  vector_formula_of_place(const std::string &text,
                          const std::string &parameter_path = "");

  /// Several, parted by semicolons. None of them may be constant: where such a
  /// one is zero cannot be sought.
  std::vector<Formula>
  formulas_to_be_zero(const std::string              &text,
                      const std::vector<std::string> &names,
                      const std::string              &parameter_path);
} // namespace slender

#endif

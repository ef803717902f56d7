// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_base_expression_h
#define slender_base_expression_h

#include <slender/base/types.h>

#include <memory>
#include <string>

namespace slender
{
  /**
   * A formula in a parameter file, such as "1 + 0.1*sin(2*pi*x)": a function of
   * the place x, y, z and, if that is allowed, of the time t. The syntax is
   * that of muParser: + - * / ^, comparisons, && ||, "condition ? a : b", sin,
   * cos, tan, asin, acos, atan, atan2, sinh, cosh, tanh, exp, ln, log10, sqrt,
   * abs, sign, min, max, and the number pi. Copies share what was parsed.
   */
  class Expression
  {
  public:
    /// Throws InputError, with the reason, for a text that is no such formula.
    explicit Expression(const std::string &text, bool may_use_time = false);

    double
    operator()(const Vector3 &x, double time = 0.) const;

  private:
    struct Implementation;
    std::shared_ptr<Implementation> implementation;
  };
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_formula_h
#define slender_studies_formula_h

#include <slender/base/types.h>

#include <functional>
#include <string>

/// Formulas that users write, such as '0.1*sin(2*pi*t)'. Where one cannot be
/// parsed an InputError says why and names the setting at `path`.
namespace slender::formula
{
  /// In the time t; it has to be finite when a motion begins, at zero.
  std::function<double(double)>
  of_time(const std::string &text, const std::string &path);

  /// Three in x, y and z, parted by semicolons.
  std::function<Vector3(const Vector3 &)>
  of_place(const std::string &text, const std::string &path);
} // namespace slender::formula

#endif

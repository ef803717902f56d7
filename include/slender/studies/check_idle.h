// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_check_idle_h
#define slender_studies_check_idle_h

#include <slender/base/errors.h>
#include <slender/statics/frontier.h>

#include <string>

namespace slender
{
  /// Throws InputError if a setting has another value than by default, but
  /// says something only elsewhere: `where` 'Section' is 'circular', say.
  template <class Value>
  void
  check_idle(const bool         matters,
             const Value       &value,
             const Value       &usual,
             const std::string &path,
             const std::string &where)
  {
    if (!matters && value != usual)
      throw InputError("'" + path.substr(path.rfind('/') + 1) +
                         "' says something only where " + where,
                       path);
  }

  /// The same of all settings of how a frontier is tracked.
  inline void
  check_idle(const bool             matters,
             const FrontierOptions &options,
             const FrontierOptions &usual,
             const std::string     &where)
  {
    const auto check =
      [&](const auto &value, const auto &default_value, const char *name) {
        check_idle(matters,
                   value,
                   default_value,
                   std::string("Frontier tracking/") + name,
                   where);
      };
    check(options.first_step, usual.first_step, "First step");
    check(options.largest_step, usual.largest_step, "Largest step");
    check(options.smallest_step, usual.smallest_step, "Smallest step");
    check(options.max_points, usual.max_points, "Maximum points");
    check(options.tolerance, usual.tolerance, "Tolerance");
    check(options.method, usual.method, "Method");
  }
} // namespace slender

#endif

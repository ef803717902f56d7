// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_app_version_h
#define slender_app_version_h

#include <string>

namespace slender
{
  std::string
  program_version();

  /// Program and libraries, a line each.
  std::string
  all_versions();
} // namespace slender

#endif

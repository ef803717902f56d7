// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_base_memory_h
#define slender_base_memory_h

#include <string>

namespace slender
{
  /// Bytes that this machine, or the limits of the job (control groups,
  /// ulimit), still leave to this process; infinite where nothing tells.
  double
  available_memory();

  /// Throws InputError, with both figures, if something takes more bytes than
  /// there are. Called before anything of that size is allocated; the estimate
  /// is what it takes at least.
  void
  check_memory(double             least_bytes,
               const std::string &what,
               const std::string &parameter_path = "");
} // namespace slender

#endif

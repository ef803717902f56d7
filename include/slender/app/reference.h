// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_app_reference_h
#define slender_app_reference_h

#include <iosfwd>

namespace slender
{
  /**
   * All models, studies and parameters, as they are declared, in JSON: what
   * the pages of reference, the manual page and the completion of command
   * lines are made from.
   */
  void
  print_reference(std::ostream &out);
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_systems_sole_support_h
#define slender_systems_sole_support_h

#include <slender/systems/system.h>

#include <string>
#include <vector>

namespace slender
{
  /**
   * A body whose shape is integrated from its support: nothing there is out of
   * balance that could be measured, and the force of the support is what the
   * loads leave. The body knows its own loads alone; the forces of obstacles
   * and of inertia are added by those who know them.
   */
  class SoleSupport
  {
  public:
    virtual ~SoleSupport() = default;

    /// What the components of that force are called among the measurements,
    /// without x, y or z.
    virtual std::string
    support_force() const = 0;
  };

  /// Takes forces on a body besides its loads into account in what is measured
  /// of it: its sole support bears them, too. Any other body has measured them.
  void
  let_support_bear(const System             &body,
                   const Vector3            &forces,
                   std::vector<Measurement> &measured);
} // namespace slender

#endif

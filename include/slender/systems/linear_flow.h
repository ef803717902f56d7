// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_systems_linear_flow_h
#define slender_systems_linear_flow_h

#include <slender/systems/system.h>

namespace slender
{
  /**
   * What spreads rather than moves: M dm/dt = f(t) - K m with symmetric
   * matrices, such as moisture in a shell. As a system it is the matrix
   * M + w K of an implicit step: energy() is m . (M + w K) m / 2.
   */
  class LinearFlow : public System
  {
  public:
    /// The weight w, a time.
    virtual void
    set_weight(double weight) = 0;

    /// A number that changes with M and K.
    virtual unsigned long
    matrices() const = 0;

    /// f(t) - K m, this rank's part like gradient().
    virtual Vector
    driving(const Vector &m, double time) const = 0;
  };
} // namespace slender

#endif

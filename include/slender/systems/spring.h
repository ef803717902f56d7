// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_systems_spring_h
#define slender_systems_spring_h

#include <slender/systems/pair_term.h>

namespace slender
{
  /**
   * A spring between two material points,
   *
   *   phi = 1/2 k (|x_2 - x_1| - l)^2.
   *
   * Its parameters are "stiffness" k and "length" l. One of no stiffness is not
   * there at all: when k leaves zero, the structure's pattern changes.
   */
  class Spring : public PairTerm
  {
  public:
    Spring(Hold one, Hold other, double stiffness, double length);

    unsigned long
    pattern() const override
    {
      return changes;
    }

  protected:
    double
    value(std::size_t pair, const PairNumbers &numbers) const override;
    PairNumbers
    slope(std::size_t pair, const PairNumbers &numbers) const override;
    PairMatrix
    bend(std::size_t pair, const PairNumbers &numbers) const override;

    bool
    is_active() const override
    {
      return stiffness != 0.;
    }

    void
    parameters_changed() override;

  private:
    double        stiffness, length;
    bool          was_active;
    unsigned long changes = 0;
  };
} // namespace slender

#endif

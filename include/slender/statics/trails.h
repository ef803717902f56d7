// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_statics_trails_h
#define slender_statics_trails_h

#include <optional>
#include <vector>

namespace slender
{
  /**
   * Where branches have been, as a few numbers for each point, so that a branch
   * can be recognised by whoever comes to it again.
   */
  class Trails
  {
  public:
    /// Branches are numbered from one in the order in which they begin.
    void
    begin_branch();

    /// The parameter over its range, and a few projections of the state.
    void
    add(std::vector<double> point);

    /// Which branch the last points of the present one lie on, an earlier one
    /// or itself; none as a rule.
    std::optional<int>
    retraced() const;

    int
    present_branch() const
    {
      return static_cast<int>(branches.size());
    }

    /// As numbers, and back.
    std::vector<double>
    numbers() const;

    void
    set_numbers(const std::vector<double> &numbers);

  private:
    std::vector<std::vector<std::vector<double>>> branches;
  };
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_statics_branch_requests_h
#define slender_statics_branch_requests_h

#include <slender/statics/event_search.h>

#include <optional>
#include <vector>

// For source files of the statics layer only: Trilinos's headers are heavy.
namespace slender
{
  BranchPoint
  make_point(const ContinuationStep::Location &location, double arc_length);

  /// Points along a step of a branch that a user asked for: where the parameter
  /// has a value, and where a function vanishes.
  class BranchRequests
  {
  public:
    BranchRequests(const BranchOptions &options,
                   ContinuationStep    &step,
                   EventSearch         &events);

    /// The arc length at the base point of the step.
    void
    set_base(const double arc_length)
    {
      base_arc_length = arc_length;
    }

    /// The equilibrium at a parameter value between two points of the branch.
    std::optional<BranchPoint>
    at_parameter(const BranchPoint &from, const BranchPoint &to, double value);

    /// The parameter values that were asked for, between two points.
    std::vector<BranchPoint>
    find_values(const BranchPoint &from, const BranchPoint &to);

    /// Zeros of functions between the base point and the one ahead.
    std::vector<BranchPoint>
    find_zeros(const BranchPoint &from, const BranchPoint &to);

    std::vector<BranchFollower::StateFunction> functions;
    std::vector<double>                        lost; ///< values not reached
    int                                        n_lost_zeros = 0;

  private:
    using Location = ContinuationStep::Location;

    /// The zero of a function, whose values at the two points are known.
    std::optional<BranchPoint>
    find_zero(const BranchFollower::StateFunction &function,
              const BranchPoint                   &from,
              const BranchPoint                   &to,
              double                               value_from,
              double                               value_to);

    double
    evaluate(const BranchFollower::StateFunction &function, const Location &at);

    BranchOptions     options;
    ContinuationStep &step;
    EventSearch      &events;
    double            base_arc_length = 0.;
  };
} // namespace slender

#endif

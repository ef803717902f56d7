// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/branch.h>

#include <deal.II/base/parameter_handler.h>

namespace slender
{
  void
  BranchOptions::declare(dealii::ParameterHandler &prm)
  {
    using namespace dealii::Patterns;
    prm.enter_subsection("Continuation");
    prm.add_parameter("First step",
                      first_step,
                      "First step along the branch [1: the whole range of the "
                      "parameter, or a root mean square change of the unknowns "
                      "by one, is a step of length one].",
                      Double(1e-12, 1e3));
    prm.add_parameter("Largest step",
                      largest_step,
                      "Largest step along the branch [1, as the first step].",
                      Double(1e-12, 1e3));
    prm.add_parameter("Smallest step",
                      smallest_step,
                      "A step that fails is halved until it is below this [1, "
                      "as the first step]; then the branch ends.",
                      Double(1e-15, 1.));
    prm.add_parameter("Maximum points",
                      max_points,
                      "The branch ends after this many steps [1].",
                      Integer(1, 10000000));
    prm.declare_entry("Method",
                      "arc length",
                      Selection("arc length|natural"),
                      "'arc length' passes folds; 'natural' steps in the "
                      "parameter and ends where the branch turns back.");
    prm.add_action("Method", [this](const std::string &name) {
      method = name == "natural" ? ContinuationMethod::natural
                                 : ContinuationMethod::arc_length;
    });
    prm.leave_subsection();
  }

  const char *
  to_string(const PointKind kind)
  {
    switch (kind)
      {
        case PointKind::start:
          return "start";
        case PointKind::requested:
          return "requested";
        case PointKind::fold:
          return "fold";
        case PointKind::bifurcation:
          return "bifurcation";
        case PointKind::end:
          return "end";
        case PointKind::regular:
          break;
      }
    return "regular";
  }

  const char *
  to_string(const BranchEnd end)
  {
    switch (end)
      {
        case BranchEnd::left_range:
          return "the end of the range was reached";
        case BranchEnd::enough_points:
          return "the maximum number of points was reached";
        case BranchEnd::stopped:
          return "it was stopped";
        case BranchEnd::interrupted:
          return "it was interrupted";
        case BranchEnd::closed:
          return "it closed: it came back to where it began";
        case BranchEnd::retraced:
          return "it went on along a branch that was followed before";
        case BranchEnd::new_symmetry:
          return "the motions that cost no energy became others, which no "
                 "event explains";
        case BranchEnd::step_failed:
          break;
      }
    return "the smallest step did not converge";
  }
} // namespace slender

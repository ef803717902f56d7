// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/frontier.h>

#include <deal.II/base/parameter_handler.h>

namespace slender
{
  void
  FrontierOptions::declare(dealii::ParameterHandler &prm)
  {
    using namespace dealii::Patterns;
    prm.enter_subsection("Frontier tracking");
    prm.add_parameter("First step",
                      first_step,
                      "First step along the frontier [1: the sides of the box "
                      "have length one].",
                      Double(1e-12, 1.));
    prm.add_parameter("Largest step",
                      largest_step,
                      "Largest step along the frontier [1, as the first step].",
                      Double(1e-12, 1.));
    prm.add_parameter("Smallest step",
                      smallest_step,
                      "A step that fails is halved until it is below this [1, "
                      "as the first step]; then the frontier ends.",
                      Double(1e-15, 1.));
    prm.add_parameter("Maximum points",
                      max_points,
                      "The frontier ends after this many points [1].",
                      Integer(1, 10000000));
    prm.add_parameter("Tolerance",
                      tolerance,
                      "A point is accepted when the root mean square of the "
                      "last Newton step is below this [dimensionless].",
                      Double(1e-14, 1e-2));
    prm.declare_entry(
      "Method",
      "bordered",
      Selection("bordered|Moore-Spence|minimally augmented"),
      "Equations for the singular Hessian: of what its soft "
      "modes leave of it ('bordered'), or LOCA's, which are "
      "slower, as a cross-check: of its null vector "
      "('Moore-Spence') or one scalar ('minimally augmented').");
    prm.add_action("Method", [this](const std::string &name) {
      method = name == "bordered"       ? FrontierMethod::bordered
               : name == "Moore-Spence" ? FrontierMethod::moore_spence
                                        : FrontierMethod::minimally_augmented;
    });
    prm.leave_subsection();
  }

  const char *
  to_string(const FrontierEnd end)
  {
    switch (end)
      {
        case FrontierEnd::left_box:
          return "the edge of the box was reached";
        case FrontierEnd::enough_points:
          return "the maximum number of points was reached";
        case FrontierEnd::stopped:
          return "it was stopped";
        case FrontierEnd::interrupted:
          return "it was interrupted";
        case FrontierEnd::step_failed:
          return "the smallest step did not converge";
        case FrontierEnd::no_symmetry:
          return "the state does not have a symmetry that a pitchfork breaks";
        case FrontierEnd::cusp:
          return "it came to a cusp, beyond which no fold was found";
        case FrontierEnd::no_bifurcation:
          break;
      }
    return "there is no bifurcation near the start";
  }

  const char *
  to_string(const FrontierEvent event)
  {
    switch (event)
      {
        case FrontierEvent::cusp:
          return "cusp";
        case FrontierEvent::double_pitchfork:
          return "double pitchfork";
        case FrontierEvent::hilltop:
          return "hilltop";
        case FrontierEvent::none:
          break;
      }
    return "none";
  }
} // namespace slender

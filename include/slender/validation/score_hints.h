// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_validation_score_hints_h
#define slender_validation_score_hints_h

#include <slender/validation/master_curve.h>
#include <slender/validation/protocol.h>

#include <optional>
#include <string>
#include <vector>

namespace slender
{
  /**
   * Sentences about what an error looks like, where it looks like a mistake
   * that is often made: a factor of the stiffness, units, a mesh that is too
   * coarse where the body bends, a solver that did not converge. None where
   * the curve agrees to a per cent.
   *
   * @param curve in the coordinates of the plane, see SimulatorRun
   */
  std::vector<std::string>
  hints_for(Protocol              protocol,
            const PlaneCurve     &curve,
            std::optional<double> poisson_ratio);
} // namespace slender

#endif

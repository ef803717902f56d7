// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_validation_score_h
#define slender_validation_score_h

#include <slender/validation/master_curve.h>
#include <slender/validation/protocol.h>
#include <slender/validation/simulator_file.h>

#include <optional>
#include <string>
#include <vector>

namespace slender
{
  /// How one run of somebody's simulator agrees with a master curve.
  struct RunScore
  {
    std::string              name;
    std::vector<PlaneCurve>  pieces; ///< its curve, or its frontier
    PlaneCurve               samples;
    Comparison               comparison;
    bool                     is_relative = true; ///< the error of a sample
    bool                     is_judged = true; ///< it covers enough of the plot
    bool                     agrees    = false;
    std::vector<std::string> misclassified; ///< samples, in words
    std::vector<std::string> remarks;
    std::vector<std::string> hints; ///< what the error looks like
  };

  /// The verdict on a simulator, from its runs in the order of refinement.
  struct Score
  {
    Protocol              protocol;
    std::vector<RunScore> runs;
    RefinementRule        rule{{}};

    /// "OK", "KO", or "none" where too little of the plot is covered.
    std::string verdict;

    /// The finest run.
    const RunScore &
    finest() const
    {
      return runs.back();
    }
  };

  /// Throws InputError, with the name of a run, for samples that make no
  /// curve.
  Score
  score(Protocol protocol, const std::vector<SimulatorRun> &runs);
} // namespace slender

#endif

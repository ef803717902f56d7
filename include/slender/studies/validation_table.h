// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_validation_table_h
#define slender_studies_validation_table_h

#include <slender/base/table.h>
#include <slender/studies/validation_cases.h>
#include <slender/validation/master_curve.h>

#include <string>
#include <vector>

namespace slender
{
  /// What became of one case: a model, at a resolution, with a body.
  struct CaseResult
  {
    const Entrant             *entrant    = nullptr;
    const Entrant::Resolution *resolution = nullptr;
    const Entrant::Body       *body       = nullptr;

    double      distance = Table::unknown;
    double      error    = Table::unknown; ///< the largest relative one
    long        failed   = 0;              ///< samples
    double      seconds  = 0.;             ///< of a processor
    PlaneCurve  curve;                     ///< in the plane of the protocol
    std::string failure; ///< why there is no result at all; empty if there is

    /// Within 5 % of the plot, by all samples: a curve with holes is none.
    bool
    agrees() const;
  };

  /// A line of Table 1.
  struct TableLine
  {
    Protocol    protocol;
    std::string model;
    std::string verdict;
    double      distance;
    std::string resolution; ///< that passes and keeps passing; else the finest
    double      seconds;
    std::string paper;
    std::string remark;

    /// Neither says the same as the paper nor has nothing to compare with.
    bool
    differs() const;
  };

  /// Rule (9) over the cases of one entrant, in the order of resolutions.
  TableLine
  judge_entrant(const std::vector<CaseResult> &cases);

  /// The table for people to read.
  std::string
  as_markdown(const std::vector<TableLine> &lines);

  /// The master curve in the plane of a protocol's figure.
  PlaneCurve
  master_of(Protocol protocol);
} // namespace slender

#endif

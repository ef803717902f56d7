// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_output_summary_h
#define slender_output_summary_h

#include <iosfwd>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace slender
{
  enum class Verdict
  {
    none, ///< nothing to compare with
    OK,   ///< within the paper's 5 % of the plot
    KO
  };

  const char *
  to_string(Verdict verdict);

  /// The few numbers of a run that a script wants to read.
  struct Summary
  {
    std::string study;
    std::string model;
    /// What the run found, in one sentence.
    std::string           answer;
    Verdict               verdict = Verdict::none;
    std::optional<double> distance;           ///< fraction of the plot
    std::optional<double> max_relative_error; ///< over the whole sweep
    long                  samples           = 0;
    long                  failed            = 0;
    long                  newton_iterations = 0;
    double                seconds           = 0.;
    int                   ranks             = 1;
    std::string           version;

    /// Figures of one study alone, in the order in which they are written.
    std::vector<std::pair<std::string, double>> extra;
  };

  /// One JSON object; what is not known is null.
  void
  write_json(std::ostream &out, const Summary &summary);
} // namespace slender

#endif

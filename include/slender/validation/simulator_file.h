// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_validation_simulator_file_h
#define slender_validation_simulator_file_h

#include <slender/base/table.h>
#include <slender/validation/master_curve.h>
#include <slender/validation/protocol.h>

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace slender
{
  /**
   * One run of somebody's simulator, as samples in the plane of a protocol:
   * (Gamma, H/W), (x, y), (w/L, Gamma*) or (epsilon, mu).
   */
  struct SimulatorRun
  {
    std::string name;
    std::string source; ///< the file it comes from
    PlaneCurve  samples;

    /// Of a plane that was sampled: whether a sample is 3D, or slips. Empty
    /// where the samples are points of the frontier themselves.
    std::vector<bool> states;

    std::optional<double> poisson_ratio; ///< that of Lateral Buckling

    std::vector<std::string> remarks; ///< columns that were not understood
  };

  /// Reads a .csv file. Throws InputError with one line: what is wrong, and
  /// what is expected.
  Table
  read_samples(const std::string &file);

  /// The runs in a table of samples: one for each name in its column `run`, in
  /// the order in which they come; one if there is no such column.
  std::vector<SimulatorRun>
  simulator_runs(Protocol           protocol,
                 const Table       &table,
                 const std::string &source);

  /// An example of such a table: the recipe's samples, and what the master
  /// curve has there.
  void
  write_template(Protocol protocol, std::ostream &out);
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_output_solutions_h
#define slender_output_solutions_h

#include <slender/base/types.h>

#include <filesystem>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace slender
{
  /// An equilibrium that a later run can start from.
  struct Solution
  {
    long        label = 0;
    std::string kind; ///< of special point, as in the results

    /// All parameters of the model.
    std::vector<std::pair<std::string, double>> parameters;

    // All unknowns, whichever rank they were on.
    Vector state;
    Vector null_vector; ///< empty unless the Hessian is singular there
    Vector history;     ///< see Model::history()
  };

  /// The labelled points of a run.
  struct Solutions
  {
    std::string           model;
    int                   ranks_per_body = 1;
    std::vector<Solution> all;

    static constexpr const char *file_name = "solutions.json";
  };

  void
  write_json(std::ostream &out, const Solutions &solutions);

  /// The solutions in the output directory of a run. Throws InputError if there
  /// are none.
  Solutions
  read_solutions(const std::filesystem::path &run_directory);
} // namespace slender

#endif

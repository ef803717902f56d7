// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_output_state_files_h
#define slender_output_state_files_h

#include <cstdint>
#include <filesystem>
#include <vector>

namespace slender
{
  /// Where a run keeps the state of a label, in its directory.
  std::filesystem::path
  state_file(std::int64_t label);

  /// The labels of which a run's directory has states, ascending; none if there
  /// is no such directory.
  std::vector<std::int64_t>
  state_labels(const std::filesystem::path &run_directory);
} // namespace slender

#endif

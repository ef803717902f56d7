// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_output_exchange_h
#define slender_output_exchange_h

#include <filesystem>

namespace slender
{
  /// How a directory took the place of another.
  enum class Exchanged
  {
    nothing_there, ///< there was none
    names,         ///< the earlier one now has the name of the new one
    aside          ///< the earlier one has the name that it was moved to
  };

  /**
   * Puts directory `fresh` in the place of `final_path`, which need not exist.
   * In one step where the file system can exchange two names; else in two,
   * with the earlier directory moved to `aside` in between. If that fails,
   * everything is as it was and std::filesystem::filesystem_error is thrown.
   *
   * @param in_one_step false to try the two steps in a test
   */
  Exchanged
  exchange_directories(const std::filesystem::path &fresh,
                       const std::filesystem::path &final_path,
                       const std::filesystem::path &aside,
                       bool                         in_one_step = true);
} // namespace slender

#endif

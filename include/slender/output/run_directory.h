// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_output_run_directory_h
#define slender_output_run_directory_h

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>

namespace slender
{
  class DirectoryClaim;

  /**
   * The directory that a run leaves behind, complete or not at all.
   *
   * While the run goes on, everything is written to a sibling directory
   * "NAME.unfinished"; finish() puts it in the place of an earlier run's
   * directory as a whole. A run that is killed leaves the earlier results as
   * they were; every file in the unfinished directory was itself written to a
   * temporary name and renamed, so that none is ever half there.
   *
   * Only one rank may own a RunDirectory.
   */
  class RunDirectory
  {
  public:
    /// Throws InputError (and creates nothing) if `directory` holds anything
    /// that is not the result of an earlier run, cannot be written, or is
    /// being written by another run. An unfinished directory of an earlier,
    /// killed run is removed. Missing parents are created.
    explicit RunDirectory(const std::filesystem::path &directory);

    /// Removes what was written unless finish() was called.
    ~RunDirectory();

    RunDirectory(const RunDirectory &) = delete;
    RunDirectory &
    operator=(const RunDirectory &) = delete;

    /// Writes one file, atomically; `relative_path` may name a folder, which
    /// is created ("fields/shape_0001.vtu"). Throws std::logic_error for a
    /// name that the next run would not take for one of ours, and
    /// std::runtime_error if the file cannot be written to its end.
    void
    write(const std::filesystem::path               &relative_path,
          const std::function<void(std::ostream &)> &writer);

    /// Makes the run's files visible under the directory's own name. If that
    /// turns out to be impossible it throws std::runtime_error; the earlier
    /// results then stay in place, and the new ones in "NAME.unfinished".
    void
    finish();

    const std::filesystem::path &
    path() const;

  private:
    std::filesystem::path           final_path;
    std::filesystem::path           unfinished_path;
    std::unique_ptr<DirectoryClaim> claim; ///< null once finished
  };
} // namespace slender

#endif

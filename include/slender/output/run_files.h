// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_output_run_files_h
#define slender_output_run_files_h

#include <slender/output/open_file.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <set>
#include <string>

namespace slender
{
  /**
   * The files that one rank writes into the directory of a run that goes on.
   * Every one is listed in the rank's manifest before it is created.
   *
   * Names are relative to the directory and may name folders, which are
   * created ("fields/shapes_0001.vtu"). A name that begins with a dot, leads
   * out of the directory or holds control characters is a std::logic_error;
   * whatever cannot be written is a DiskError.
   */
  class RunFiles
  {
  public:
    /// `directory` exists; `rank` is that in MPI_COMM_WORLD, or any number
    /// that no other process uses for this directory.
    RunFiles(const std::filesystem::path &directory, int rank);

    RunFiles(const RunFiles &) = delete;
    RunFiles &
    operator=(const RunFiles &) = delete;

    /// The directory in which files are while the run goes on.
    const std::filesystem::path &
    directory() const;

    /// Lists a file that somebody else is about to write, creates its folder,
    /// and returns its path.
    std::filesystem::path
    announce(const std::filesystem::path &name);

    /// Writes a whole file: it appears under its name when it is complete.
    void
    write(const std::filesystem::path               &name,
          const std::function<void(std::ostream &)> &writer);

    /// Removes a file if it is there. It stays listed.
    void
    remove(const std::filesystem::path &name);

    /// Waits until all that write() wrote since the last time is on the disk.
    void
    sync();

  private:
    void
    open_manifest();

    /// Adds a line to the manifest.
    void
    list(const std::string &line);

    std::filesystem::path     place;
    int                       rank;
    std::unique_ptr<OpenFile> manifest; ///< once there is something to list
    std::int64_t              manifest_end = 0;
    std::set<std::string>     unsynced;
  };
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_output_manifest_h
#define slender_output_manifest_h

#include <filesystem>
#include <optional>
#include <set>
#include <string>

namespace slender
{
  /**
   * The list of the files that a run wrote into its directory, kept there as
   * ".manifest": only what is listed may ever be deleted by a later run. A
   * name is listed before its file is created, so that a run that is killed at
   * any moment leaves no file that is not.
   *
   * Ranks other than the first list what they write in ".manifest.RANK", so
   * that no two processes write to one file.
   */
  struct Manifest
  {
    /// What the directory is. The word is the first line of the file.
    enum class State
    {
      unfinished, ///< a run works on it, or was killed
      finished,   ///< results of a run
      replaced    ///< results that another run has taken the place of
    };

    static constexpr const char *file_name = ".manifest";

    /// The first line of a manifest.
    static const char *
    header(State state);

    State                 state = State::unfinished;
    std::set<std::string> files; ///< relative to the directory

    /// Whether a run may write a file of that name: relative to the directory
    /// and inside it, without hidden parts and control characters.
    static bool
    may_list(const std::filesystem::path &name);

    /// Of all ranks together; nothing if the directory has no manifest.
    /// Throws InputError if it has one that no run can have written.
    static std::optional<Manifest>
    read(const std::filesystem::path &directory);

    /// Puts this in the place of all manifests of the directory, atomically.
    void
    write(const std::filesystem::path &directory) const;

    /// The first file in the directory, in the order of names, that no run has
    /// written: neither listed, nor a manifest, a lock or a temporary file of
    /// what is listed, nor the page of scripts/report.
    std::optional<std::string>
    foreign_file(const std::filesystem::path &directory) const;

    /// Removes what is listed, its temporary files, folders that are empty
    /// then, the page of scripts/report, and the manifest last; but not the
    /// lock and not the directory. Whatever else there is stays.
    void
    remove_files(const std::filesystem::path &directory) const;

    /// The temporary name under which a file is written.
    static std::filesystem::path
    temporary_name(const std::filesystem::path &file);
  };
} // namespace slender

#endif

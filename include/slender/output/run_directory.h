// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_output_run_directory_h
#define slender_output_run_directory_h

#include <slender/output/run_files.h>

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
   * "NAME.unfinished", with a list of what the run wrote (Manifest); finish()
   * puts it in the place of an earlier run's directory as a whole. A run that
   * is killed leaves the earlier results as they were, and its own so far in
   * the unfinished directory, from which it can be resumed.
   *
   * Nothing is ever deleted but what a manifest lists: a directory with any
   * other file in it, at whatever depth, is refused.
   *
   * Only one rank may own a RunDirectory; others write with RunFiles of their
   * own.
   */
  class RunDirectory
  {
  public:
    enum class Begin
    {
      anew,  ///< an unfinished run is discarded
      resume ///< an unfinished run is continued; there has to be one
    };

    /**
     * Throws InputError (and changes nothing) if `directory`, or a sibling
     * whose name is needed, holds anything that is not from an earlier run,
     * cannot be written, or is being written by another run; and if there is
     * nothing to resume. A finished run in a directory that happens to have
     * the name of such a sibling is refused, too. Missing parents are created.
     */
    explicit RunDirectory(const std::filesystem::path &directory,
                          Begin                        begin = Begin::anew);

    /// Removes what was written unless keep() or finish() was called.
    ~RunDirectory();

    RunDirectory(const RunDirectory &) = delete;
    RunDirectory &
    operator=(const RunDirectory &) = delete;

    /// Whether a run that was killed has been discarded.
    bool
    discarded_unfinished_run() const;

    bool
    is_resumed() const;

    /// The files of the owning rank. A logic error after finish().
    RunFiles &
    files();

    /// Writes a whole file, see RunFiles::write().
    void
    write(const std::filesystem::path               &name,
          const std::function<void(std::ostream &)> &writer);

    /// From now on the unfinished directory stays when this object goes
    /// without finish(), so that the run can be resumed. A resumed run is kept
    /// from its beginning.
    void
    keep();

    bool
    is_kept() const;

    /// Makes the run's files visible under the directory's own name, after all
    /// of them have reached the disk. If that turns out to be impossible it
    /// throws std::runtime_error; the earlier results then stay in place, and
    /// the new ones in "NAME.unfinished", where no later run deletes them.
    void
    finish();

    /// Where the results will be.
    const std::filesystem::path &
    path() const;

    /// Where they are until then.
    const std::filesystem::path &
    unfinished_path() const;

  private:
    std::filesystem::path           final_path;
    std::filesystem::path           unfinished;
    std::unique_ptr<DirectoryClaim> claim; ///< null once finished
    std::unique_ptr<RunFiles>       own_files;
    bool                            discarded = false;
    bool                            resumed   = false;
  };
} // namespace slender

#endif

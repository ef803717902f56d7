// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_output_directory_claim_h
#define slender_output_directory_claim_h

#include <filesystem>
#include <memory>
#include <vector>

namespace slender
{
  /**
   * A directory that one process at a time may own: created if need be, with
   * the parents that it needs, and locked. What is in it is the owner's
   * business. In the end the lock is given back; it and the directory are
   * removed, if nothing else is in there, unless the directory was kept, and so
   * are the parents that were created for it and are still empty.
   */
  class DirectoryClaim
  {
  public:
    /// What the lock is called; it belongs to the directory's content.
    static constexpr const char *lock_name = ".lock";

    /// Null if another process has claimed the directory. Throws
    /// std::filesystem::filesystem_error if the directory cannot be created or
    /// written.
    static std::unique_ptr<DirectoryClaim>
    take(const std::filesystem::path &directory);

    /// Whether another process has claimed the directory at this moment. Leaves
    /// no trace.
    static bool
    is_taken(const std::filesystem::path &directory);

    ~DirectoryClaim();

    DirectoryClaim(const DirectoryClaim &) = delete;
    DirectoryClaim &
    operator=(const DirectoryClaim &) = delete;

    /// The directory stays, under whatever name, when the claim ends.
    void
    keep();

    bool
    is_kept() const
    {
      return kept;
    }

  private:
    class Lock;

    /// Directories that did not exist before; those that are still empty in
    /// the end are removed.
    class NewDirectories
    {
    public:
      NewDirectories() = default;
      ~NewDirectories();

      NewDirectories(const NewDirectories &) = delete;
      NewDirectories &
      operator=(const NewDirectories &) = delete;

      void
      create(const std::filesystem::path &directory);

    private:
      std::vector<std::filesystem::path> created;
    };

    explicit DirectoryClaim(const std::filesystem::path &claimed_directory);

    /// Creates the directory unless it exists and locks it; null if another
    /// process holds the lock.
    static std::unique_ptr<Lock>
    lock_directory(const std::filesystem::path &directory);

    void
    discard();

    NewDirectories        parents;
    std::filesystem::path directory;
    std::unique_ptr<Lock> lock;
    bool                  kept = false;
  };
} // namespace slender

#endif

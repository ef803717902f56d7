// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/output/directory_claim.h>

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace slender
{
  namespace fs = std::filesystem;

  DirectoryClaim::NewDirectories::~NewDirectories()
  {
    std::error_code ignored;
    for (auto path = created.rbegin(); path != created.rend(); ++path)
      fs::remove(*path, ignored);
  }



  void
  DirectoryClaim::NewDirectories::create(const fs::path &path)
  {
    if (path.empty() || fs::is_directory(path))
      return;
    if (fs::exists(path))
      throw fs::filesystem_error("cannot create",
                                 path,
                                 std::make_error_code(
                                   std::errc::not_a_directory));
    create(path.parent_path());
    if (fs::create_directory(path))
      created.push_back(path);
  }



  /// A lock that the operating system takes back when the process ends, in
  /// whatever way it does.
  class DirectoryClaim::Lock
  {
  public:
    explicit Lock(const fs::path &lock_file)
      : file(lock_file)
      , descriptor(
          ::open(lock_file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666))
    {
      if (descriptor < 0)
        throw fs::filesystem_error("cannot open",
                                   lock_file,
                                   {errno, std::generic_category()});
    }

    ~Lock()
    {
      ::close(descriptor);
    }

    Lock(const Lock &) = delete;
    Lock &
    operator=(const Lock &) = delete;

    /// False if another run holds it. A file system that cannot lock must not
    /// keep us from running on it.
    bool
    acquire() const
    {
      return ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 ||
             errno != EWOULDBLOCK;
    }

    /// Another run may have removed the file after we opened it; what we hold
    /// then protects nothing.
    bool
    is_in_place() const
    {
      struct stat opened  = {};
      struct stat present = {};
      return ::fstat(descriptor, &opened) == 0 &&
             ::stat(file.c_str(), &present) == 0 &&
             opened.st_dev == present.st_dev && opened.st_ino == present.st_ino;
    }

  private:
    fs::path file;
    int      descriptor;
  };



  std::unique_ptr<DirectoryClaim::Lock>
  DirectoryClaim::lock_directory(const fs::path &directory)
  {
    // Runs that end at this moment take the directory or the file away while
    // we open them, but not time and again.
    for (unsigned int attempt = 1;; ++attempt)
      try
        {
          fs::create_directory(directory);
          auto lock = std::make_unique<Lock>(directory / lock_name);
          if (!lock->acquire())
            return nullptr;
          if (lock->is_in_place())
            return lock;
        }
      catch (const fs::filesystem_error &)
        {
          if (attempt == 100)
            {
              std::error_code ignored;
              fs::remove(directory, ignored);
              throw;
            }
        }
  }



  DirectoryClaim::DirectoryClaim(const fs::path &claimed_directory)
    : directory(claimed_directory)
  {
    parents.create(directory.parent_path());
    lock = lock_directory(directory);
  }



  DirectoryClaim::~DirectoryClaim()
  {
    if (lock && !kept)
      discard();
  }



  std::unique_ptr<DirectoryClaim>
  DirectoryClaim::take(const fs::path &directory)
  {
    std::unique_ptr<DirectoryClaim> claim(new DirectoryClaim(directory));
    if (!claim->lock)
      claim.reset();
    return claim;
  }



  bool
  DirectoryClaim::is_taken(const fs::path &directory)
  {
    const int descriptor =
      ::open((directory / lock_name).c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
      return false;
    const bool taken =
      ::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(descriptor);
    return taken;
  }



  void
  DirectoryClaim::keep()
  {
    kept = true;
  }



  /// What anybody puts in the directory meanwhile stays: the last removal
  /// fails if there is anything.
  void
  DirectoryClaim::discard()
  {
    std::error_code ignored;
    fs::remove(directory / lock_name, ignored);
    lock.reset();
    fs::remove(directory, ignored);
  }
} // namespace slender

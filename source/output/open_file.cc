// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/output/open_file.h>

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace slender
{
  void
  throw_disk_error(const std::filesystem::path &file, const int error_number)
  {
    throw DiskError("cannot write '" + file.string() +
                    "': " + std::generic_category().message(error_number));
  }



  void
  sync_to_disk(const std::filesystem::path &file_or_directory)
  {
    const int descriptor =
      ::open(file_or_directory.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
      throw_disk_error(file_or_directory, errno);
    const int result       = ::fsync(descriptor);
    const int error_number = errno;
    ::close(descriptor);
    // Some file systems cannot sync directories.
    if (result != 0 && error_number != EINVAL)
      throw_disk_error(file_or_directory, error_number);
  }



  void
  reserve_on_disk(const std::filesystem::path &file, const std::int64_t size)
  {
    const int descriptor =
      ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0)
      throw_disk_error(file, errno);
    const int error_number = ::posix_fallocate(descriptor, 0, size);
    ::close(descriptor);
    // Where room cannot be reserved, its lack is found when it is needed.
    if (error_number != 0 && error_number != EINVAL &&
        error_number != EOPNOTSUPP)
      throw_disk_error(file, error_number);
  }



  OpenFile::OpenFile(const std::filesystem::path &file, const Mode mode)
    : path(file)
    , descriptor(::open(file.c_str(),
                        O_RDWR | O_CREAT | O_CLOEXEC |
                          (mode == Mode::create ? O_TRUNC : 0),
                        0666))
  {
    if (descriptor < 0)
      throw_disk_error(path, errno);
  }



  OpenFile::~OpenFile()
  {
    ::close(descriptor);
  }



  std::int64_t
  OpenFile::size() const
  {
    struct stat status = {};
    if (::fstat(descriptor, &status) != 0)
      throw_disk_error(path, errno);
    return status.st_size;
  }



  void
  OpenFile::write(const std::string &text, const std::int64_t position)
  {
    std::size_t written = 0;
    while (written < text.size())
      {
        const ssize_t n = ::pwrite(descriptor,
                                   text.data() + written,
                                   text.size() - written,
                                   position + static_cast<off_t>(written));
        if (n > 0)
          written += static_cast<std::size_t>(n);
        else if (n == 0 || errno != EINTR)
          throw_disk_error(path, n == 0 ? ENOSPC : errno);
      }
  }



  void
  OpenFile::truncate(const std::int64_t size)
  {
    if (::ftruncate(descriptor, size) != 0)
      throw_disk_error(path, errno);
  }



  void
  OpenFile::sync()
  {
    if (::fsync(descriptor) != 0 && errno != EINVAL)
      throw_disk_error(path, errno);
  }
} // namespace slender

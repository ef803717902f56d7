// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_output_open_file_h
#define slender_output_open_file_h

#include <cstdint>
#include <filesystem>
#include <string>

namespace slender
{
  /// A file that is open for writing. All that fails is a DiskError with the
  /// name of the file and the reason of the operating system.
  class OpenFile
  {
  public:
    enum class Mode
    {
      create, ///< empty, whatever there was
      extend  ///< with what there is, or empty
    };

    OpenFile(const std::filesystem::path &file, Mode mode);
    ~OpenFile();

    OpenFile(const OpenFile &) = delete;
    OpenFile &
    operator=(const OpenFile &) = delete;

    std::int64_t
    size() const;

    /// In one call of the operating system, if it lets us.
    void
    write(const std::string &text, std::int64_t position);

    void
    truncate(std::int64_t size);

    /// Waits until all is on the disk.
    void
    sync();

  private:
    std::filesystem::path path;
    int                   descriptor;
  };

  /// A DiskError about a file, for the reason that is in errno.
  [[noreturn]] void
  throw_disk_error(const std::filesystem::path &file, int error_number);

  /// Makes sure that there is room for the first `size` bytes of a file, which
  /// is created if need be and not changed otherwise, but may become longer.
  void
  reserve_on_disk(const std::filesystem::path &file, std::int64_t size);

  /// Waits until what was written to a file, or the list of the files in a
  /// directory, is on the disk.
  void
  sync_to_disk(const std::filesystem::path &file_or_directory);
} // namespace slender

#endif

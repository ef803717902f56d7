// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_output_hdf5_file_h
#define slender_output_hdf5_file_h

#include <slender/base/types.h>

#include <mpi.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace slender
{
  /**
   * The little of HDF5 that archives need: texts, and arrays of doubles in
   * contiguous storage. Whatever cannot be written is a DiskError; whatever is
   * read is checked first against what the file can hold, and an InputError if
   * it is not what it should be. HDF5 itself never prints anything.
   *
   * Items are named by their group and any text but the empty one.
   */
  class Hdf5File
  {
  public:
    /// A new file, on this rank alone.
    static Hdf5File
    create(const std::filesystem::path &file);

    /// A file whose arrays all ranks of the communicator fill together.
    static Hdf5File
    open_shared(const std::filesystem::path &file, MPI_Comm communicator);

    /// To read, on this rank alone; others may do the same.
    static Hdf5File
    open(const std::filesystem::path &file);

    Hdf5File(Hdf5File &&other) noexcept;
    ~Hdf5File();

    Hdf5File(const Hdf5File &) = delete;
    Hdf5File &
    operator=(const Hdf5File &) = delete;
    Hdf5File &
    operator=(Hdf5File &&) = delete;

    /// Throws DiskError if not all could be written, which the destructor
    /// cannot.
    void
    close();

    void
    create_group(const std::string &group);

    void
    write_text(const std::string &group,
               const std::string &name,
               const std::string &text);

    void
    write_texts(const std::string              &group,
                const std::string              &name,
                const std::vector<std::string> &texts);

    void
    write_numbers(const std::string         &group,
                  const std::string         &name,
                  const std::vector<double> &numbers);

    /// An array whose content is still to be written.
    void
    reserve_numbers(const std::string &group,
                    const std::string &name,
                    std::int64_t       size);

    /// Writes this rank's part of an array, collectively if the file is
    /// shared.
    void
    write_block(const std::string &group,
                const std::string &name,
                std::int64_t       begin,
                const Vector      &values);

    /// Names of all that is in a group.
    std::vector<std::string>
    names_in(const std::string &group) const;

    std::string
    read_text(const std::string &group, const std::string &name) const;

    std::vector<std::string>
    read_texts(const std::string &group, const std::string &name) const;

    /// The length of an array.
    std::int64_t
    size_of(const std::string &group, const std::string &name) const;

    Vector
    read_block(const std::string &group,
               const std::string &name,
               std::int64_t       begin,
               std::int64_t       end) const;

  private:
    Hdf5File(const std::filesystem::path &file, std::int64_t handle);

    [[noreturn]] void
    refuse(const std::string &reason) const;

    std::filesystem::path path;
    std::int64_t          handle;        ///< HDF5's; negative if closed
    std::int64_t          n_bytes   = 0; ///< of a file that is read
    bool                  is_shared = false;
  };
} // namespace slender

#endif

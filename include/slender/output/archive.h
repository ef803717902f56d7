// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_output_archive_h
#define slender_output_archive_h

#include <slender/base/places.h>

#include <mpi.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace slender
{
  class Hdf5File;

  /**
   * What is saved of a state: words, numbers, and arrays that are distributed
   * over the ranks, each under a name. Any text may be a name ("rod 1/gravity")
   * but the empty one.
   *
   * The file is HDF5: groups "words", "numbers", "names" (of the numbers) and
   * "arrays". It does not depend on the number of ranks.
   */
  struct Archive
  {
    struct Numbers
    {
      std::vector<double>      values;
      std::vector<std::string> names; ///< one per value, or none at all
    };

    /// This rank's share of an array.
    struct Array
    {
      Places places;
      Vector values; ///< what `places.numbers` refers to
    };

    // Words and numbers are those of the first rank; arrays have the same names
    // on all ranks.
    std::map<std::string, std::string> words;
    std::map<std::string, Numbers>     numbers;
    std::map<std::string, Array>       arrays;
  };

  /**
   * Writes an archive; collective. The file appears under its name when it is
   * complete and on the disk, so that whatever happens on the way, an earlier
   * file of that name remains.
   *
   * Each rank moves its numbers to those that hold the places around them and
   * writes one contiguous piece: no rank ever holds the whole.
   *
   * Throws DiskError on all ranks if it cannot be written, and
   * std::logic_error on all ranks for an archive that contradicts itself:
   * places out of range, lengths that differ.
   */
  void
  write_archive(const std::filesystem::path &file,
                MPI_Comm                     communicator,
                const Archive               &archive);

  /**
   * Reads an archive on any number of ranks.
   *
   * Every name, type and length is checked before it is believed: a file that
   * was cut, damaged or made by another program is refused with an InputError
   * of one line, on all ranks alike.
   */
  class ArchiveReader
  {
  public:
    /// Collective.
    ArchiveReader(const std::filesystem::path &file, MPI_Comm communicator);
    ~ArchiveReader();

    ArchiveReader(const ArchiveReader &) = delete;
    ArchiveReader &
    operator=(const ArchiveReader &) = delete;

    const std::map<std::string, std::string> &
    words() const;

    const std::map<std::string, Archive::Numbers> &
    numbers() const;

    /// Names and sizes of the arrays.
    const std::map<std::string, std::int64_t> &
    arrays() const;

    /// Throws InputError if there is no such word.
    const std::string &
    word(const std::string &name) const;

    /// Throws InputError if there are no such numbers.
    const Archive::Numbers &
    numbers(const std::string &name) const;

    /// Numbers of which there have to be `count`; InputError if not.
    const std::vector<double> &
    numbers(const std::string &name, std::size_t count) const;

    /// A single number that must be finite and whole.
    std::int64_t
    count(const std::string &name) const;

    /**
     * This rank's share of an array: a vector of `n_local` numbers, zero where
     * no place is named; where several are, the last one counts. Collective.
     * Throws InputError on all ranks if there is no such array or if it has
     * another size than `places.size`.
     */
    Vector
    array(const std::string &name, const Places &places, Index n_local) const;

  private:
    void
    read_all_but_arrays();

    [[noreturn]] void
    refuse(const std::string &reason) const;

    std::filesystem::path                   path;
    MPI_Comm                                communicator;
    std::unique_ptr<Hdf5File>               file;
    std::map<std::string, std::string>      all_words;
    std::map<std::string, Archive::Numbers> all_numbers;
    std::map<std::string, std::int64_t>     array_sizes;
  };
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/agreement.h>
#include <slender/base/errors.h>
#include <slender/output/archive.h>
#include <slender/output/block_array.h>
#include <slender/output/hdf5_file.h>
#include <slender/output/manifest.h>
#include <slender/output/open_file.h>

#include <deal.II/base/mpi.h>

#include <boost/serialization/map.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

// How what the first rank has read reaches the others.
namespace boost::serialization
{
  template <class BoostArchive>
  void
  serialize(BoostArchive              &archive,
            slender::Archive::Numbers &numbers,
            unsigned int)
  {
    archive &numbers.values &numbers.names;
  }
} // namespace boost::serialization

namespace slender
{
  namespace fs = std::filesystem;

  namespace
  {
    constexpr const char *format_item = "format";
    constexpr const char *format_text = "slender_fem archive 1";

    constexpr const char *words_group   = "words";
    constexpr const char *numbers_group = "numbers";
    constexpr const char *names_group   = "names";
    constexpr const char *arrays_group  = "arrays";



    // ------------------------------------------------------------ checks ---

    /// Throws std::logic_error for places that contradict themselves.
    void
    check_places(const std::string &name,
                 const Places      &places,
                 const Eigen::Index n_local)
    {
      const auto refuse = [&name](const std::string &reason) {
        throw std::logic_error("array '" + name + "' " + reason);
      };
      if (places.size < 0 || places.places.size() != places.numbers.size())
        refuse("has " + std::to_string(places.places.size()) + " places for " +
               std::to_string(places.numbers.size()) + " numbers");
      for (const std::int64_t place : places.places)
        if (place < 0 || place >= places.size)
          refuse("has a place " + std::to_string(place) + " of " +
                 std::to_string(places.size));
      for (const Index number : places.numbers)
        if (number < 0 || number >= n_local)
          refuse("refers to value " + std::to_string(number) + " of " +
                 std::to_string(n_local));
    }



    void
    check_name(const std::string &name)
    {
      if (name.empty())
        throw std::logic_error("what is saved needs a name");
    }



    /// Names and sizes of the arrays, which all ranks have to agree on.
    std::string
    outline(const Archive &archive)
    {
      std::string text = "arrays";
      for (const auto &[name, array] : archive.arrays)
        text += '\n' + name + ' ' + std::to_string(array.places.size);
      return text;
    }



    void
    check(const Archive &archive, MPI_Comm communicator)
    {
      const std::string first = first_text(communicator, outline(archive));
      do_on_all_or_none(communicator, [&] {
        if (outline(archive) != first)
          throw std::logic_error("the ranks have different arrays to save");
        for (const auto &[name, array] : archive.arrays)
          check_name(name),
            check_places(name, array.places, array.values.size());
        for (const auto &item : archive.words)
          check_name(item.first);
        for (const auto &[name, numbers] : archive.numbers)
          {
            check_name(name);
            if (!numbers.names.empty() &&
                numbers.names.size() != numbers.values.size())
              throw std::logic_error("the numbers '" + name +
                                     "' have names of another number");
          }
      });
    }



    // ----------------------------------------------------------- writing ---

    /// The size of the file at most.
    std::int64_t
    bytes_needed(const Archive &archive)
    {
      // HDF5 adds some hundred bytes for each item, and lists of them.
      constexpr std::int64_t per_item = 1024;
      std::int64_t           bytes    = 16 * per_item;
      for (const auto &[name, word] : archive.words)
        bytes +=
          per_item + static_cast<std::int64_t>(name.size() + word.size());
      for (const auto &[name, numbers] : archive.numbers)
        {
          std::size_t longest = 1;
          for (const std::string &one : numbers.names)
            longest = std::max(longest, one.size());
          bytes += 2 * per_item +
                   static_cast<std::int64_t>(2 * name.size() +
                                             8 * numbers.values.size() +
                                             longest * numbers.names.size());
        }
      for (const auto &[name, array] : archive.arrays)
        bytes += per_item + static_cast<std::int64_t>(name.size()) +
                 8 * array.places.size;
      return bytes;
    }



    /// On one rank: everything but the content of the arrays, for which room
    /// is made.
    void
    create_file(const fs::path &path, const Archive &archive)
    {
      // HDF5 does not survive a disk that is full when it closes a file, and
      // MPI has much to say about it: we look before.
      reserve_on_disk(path, bytes_needed(archive));
      Hdf5File file = Hdf5File::create(path);
      file.write_text("", format_item, format_text);
      for (const char *group :
           {words_group, numbers_group, names_group, arrays_group})
        file.create_group(group);
      for (const auto &[name, word] : archive.words)
        file.write_text(words_group, name, word);
      for (const auto &[name, numbers] : archive.numbers)
        {
          file.write_numbers(numbers_group, name, numbers.values);
          if (!numbers.names.empty())
            file.write_texts(names_group, name, numbers.names);
        }
      for (const auto &[name, array] : archive.arrays)
        file.reserve_numbers(arrays_group, name, array.places.size);
      file.close();
      reserve_on_disk(path, static_cast<std::int64_t>(fs::file_size(path)));
    }



    /// On all ranks. One that cannot write goes on with the others, which
    /// would wait for it.
    void
    write_arrays(const fs::path &path,
                 MPI_Comm        communicator,
                 const Archive  &archive)
    {
      std::unique_ptr<Hdf5File> file;
      do_on_all_or_none(communicator, [&] {
        file =
          std::make_unique<Hdf5File>(Hdf5File::open_shared(path, communicator));
      });
      for (const auto &[name, array] : archive.arrays)
        {
          if (array.places.size == 0)
            continue;
          const Vector block =
            to_blocks(communicator, array.places, array.values);
          const Block place = block_of(array.places.size, communicator);
          do_on_all_or_none(communicator, [&, &item = name] {
            file->write_block(arrays_group, item, place.begin, block);
          });
        }
      do_on_all_or_none(communicator, [&] { file->close(); });
    }
  } // namespace



  void
  write_archive(const fs::path &file,
                MPI_Comm        communicator,
                const Archive  &archive)
  {
    check(archive, communicator);
    const bool is_first =
      dealii::Utilities::MPI::this_mpi_process(communicator) == 0;
    const fs::path temporary = Manifest::temporary_name(file);
    try
      {
        do_on_all_or_none(communicator, [&] {
          if (is_first)
            create_file(temporary, archive);
        });
        if (!archive.arrays.empty())
          write_arrays(temporary, communicator, archive);
        // What a rank has written must be on the disk before any other rank
        // gives the file its name.
        do_on_all_or_none(communicator, [&] { sync_to_disk(temporary); });
        do_on_all_or_none(communicator, [&] {
          if (is_first)
            {
              fs::rename(temporary, file);
              sync_to_disk(fs::absolute(file).parent_path());
            }
        });
      }
    catch (...)
      {
        std::error_code ignored;
        if (is_first)
          fs::remove(temporary, ignored);
        throw;
      }
  }



  // ------------------------------------------------------------- reading ---

  ArchiveReader::ArchiveReader(const fs::path &archive, MPI_Comm ranks)
    : path(archive)
    , communicator(ranks)
  {
    // Every rank keeps the file open, which may get another content meanwhile
    // under the same name.
    do_on_all_or_none(communicator, [&] {
      file = std::make_unique<Hdf5File>(Hdf5File::open(path));
      if (file->read_text("", format_item) != format_text)
        refuse("it has another format");
    });
    do_on_all_or_none(communicator, [&] {
      if (dealii::Utilities::MPI::this_mpi_process(communicator) == 0)
        read_all_but_arrays();
    });
    all_words   = dealii::Utilities::MPI::broadcast(communicator, all_words);
    all_numbers = dealii::Utilities::MPI::broadcast(communicator, all_numbers);
    array_sizes = dealii::Utilities::MPI::broadcast(communicator, array_sizes);
  }



  ArchiveReader::~ArchiveReader() = default;



  void
  ArchiveReader::read_all_but_arrays()
  {
    for (const std::string &name : file->names_in(words_group))
      all_words[name] = file->read_text(words_group, name);
    for (const std::string &name : file->names_in(numbers_group))
      {
        const Vector values = file->read_block(
          numbers_group, name, 0, file->size_of(numbers_group, name));
        all_numbers[name].values.assign(values.begin(), values.end());
      }
    for (const std::string &name : file->names_in(names_group))
      {
        const auto numbers = all_numbers.find(name);
        if (numbers == all_numbers.end())
          refuse("there are names for numbers '" + name + "' but no numbers");
        numbers->second.names = file->read_texts(names_group, name);
        if (numbers->second.names.size() != numbers->second.values.size())
          refuse("the numbers '" + name + "' have names of another number");
      }
    for (const std::string &name : file->names_in(arrays_group))
      array_sizes[name] = file->size_of(arrays_group, name);
  }



  void
  ArchiveReader::refuse(const std::string &reason) const
  {
    throw InputError("'" + path.string() + "' is not a saved state: " + reason);
  }



  const std::map<std::string, std::string> &
  ArchiveReader::words() const
  {
    return all_words;
  }



  const std::map<std::string, Archive::Numbers> &
  ArchiveReader::numbers() const
  {
    return all_numbers;
  }



  const std::map<std::string, std::int64_t> &
  ArchiveReader::arrays() const
  {
    return array_sizes;
  }



  const std::string &
  ArchiveReader::word(const std::string &name) const
  {
    const auto found = all_words.find(name);
    if (found == all_words.end())
      refuse("it has no word '" + name + "'");
    return found->second;
  }



  const Archive::Numbers &
  ArchiveReader::numbers(const std::string &name) const
  {
    const auto found = all_numbers.find(name);
    if (found == all_numbers.end())
      refuse("it has no numbers '" + name + "'");
    return found->second;
  }



  const std::vector<double> &
  ArchiveReader::numbers(const std::string &name,
                         const std::size_t  n_expected) const
  {
    const std::vector<double> &values = numbers(name).values;
    if (values.size() != n_expected)
      refuse("'" + name + "' has " + std::to_string(values.size()) +
             " numbers instead of " + std::to_string(n_expected));
    return values;
  }



  std::int64_t
  ArchiveReader::count(const std::string &name) const
  {
    const double     value = numbers(name, 1).front();
    constexpr double limit = 9007199254740992.; // where doubles leave out
    if (!(std::abs(value) <= limit) || value != std::floor(value))
      refuse("'" + name + "' is not a whole number");
    return static_cast<std::int64_t>(value);
  }



  Vector
  ArchiveReader::array(const std::string &name,
                       const Places      &places,
                       const Index        n_local) const
  {
    const auto found = array_sizes.find(name);
    if (found == array_sizes.end())
      refuse("it has no array '" + name + "'");
    Vector block;
    do_on_all_or_none(communicator, [&] {
      if (found->second != places.size)
        refuse("its array '" + name + "' has " + std::to_string(found->second) +
               " numbers instead of " + std::to_string(places.size));
      check_places(name, places, n_local);
      const Block mine = block_of(places.size, communicator);
      block = file->read_block(arrays_group, name, mine.begin, mine.end);
    });
    return from_blocks(communicator, places, block, n_local);
  }
} // namespace slender

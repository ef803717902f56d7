// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/messages.h"
#include "support/playground.h"

#include <slender/output/archive.h>
#include <slender/output/hdf5_file.h>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdio>
#include <hdf5.h>
#include <limits>
#include <random>
#include <sys/stat.h>

namespace
{
  using namespace slender;
  using namespace slender::test;

  const double infinity = std::numeric_limits<double>::infinity();

  /// Places 0, 1, ... of numbers 0, 1, ...
  Places
  all_places(const Index size)
  {
    Places places;
    places.size = size;
    for (Index i = 0; i < size; ++i)
      {
        places.places.push_back(i);
        places.numbers.push_back(i);
      }
    return places;
  }

  Archive
  small_archive()
  {
    Archive archive;
    archive.words["model"]     = "kirchhoff rod";
    archive.numbers["load"]    = {{1.5}, {}};
    archive.numbers["moduli"]  = {{1., 2., 3.}, {"E", "rod 1/EI", ""}};
    archive.arrays["unknowns"] = {all_places(20),
                                  Vector::LinSpaced(20, 0., 1.)};
    return archive;
  }

  struct ArchivePlayground : Playground
  {
    ArchivePlayground()
      : file(root / "state.h5")
    {}

    void
    write(const Archive &archive) const
    {
      write_archive(file, MPI_COMM_SELF, archive);
    }

    std::string
    refusal() const
    {
      return message_of([this] { read_everything(); });
    }

    /// All that is in the file, as a program would.
    void
    read_everything() const
    {
      const ArchiveReader reader(file, MPI_COMM_SELF);
      reader.word("model");
      reader.numbers("load", 1);
      reader.numbers("moduli", 3);
      reader.array("unknowns", all_places(20), 20);
    }

    fs::path file;
  };

  /// What is said on the standard error while this exists.
  class CapturedErrors
  {
  public:
    explicit CapturedErrors(const fs::path &captured)
      : file(captured)
      , before(::dup(STDERR_FILENO))
    {
      std::fflush(stderr);
      BOOST_REQUIRE(std::freopen(file.c_str(), "w", stderr) != nullptr);
    }

    ~CapturedErrors()
    {
      std::fflush(stderr);
      ::dup2(before, STDERR_FILENO);
      ::close(before);
    }

    CapturedErrors(const CapturedErrors &) = delete;
    CapturedErrors &
    operator=(const CapturedErrors &) = delete;

    std::string
    text() const
    {
      std::fflush(stderr);
      return get(file);
    }

  private:
    fs::path file;
    int      before;
  };
} // namespace



BOOST_FIXTURE_TEST_SUITE(archive, ArchivePlayground)

BOOST_AUTO_TEST_CASE(what_is_written_is_read_back)
{
  Archive archive;
  for (const std::string name : {"plain",
                                 "rod 1/gravity",
                                 "100 %",
                                 "a%2Fb",
                                 ".",
                                 "..",
                                 "größer",
                                 "two\nlines"})
    {
      archive.words[name]   = "word of " + name;
      archive.numbers[name] = {{1., -0., infinity, 5e-324, 1. / 3.}, {}};
      archive.arrays[name]  = {all_places(3), Vector::Constant(3, 7.)};
    }
  archive.words["empty"]        = "";
  archive.words["long"]         = std::string(100000, 'x') + "\nend";
  archive.numbers["none"]       = {{}, {}};
  archive.numbers["with names"] = {{1., 2.}, {"a/b", "a longer name"}};
  archive.arrays["nothing"]     = {all_places(0), Vector(0)};
  write(archive);

  const ArchiveReader reader(file, MPI_COMM_SELF);
  BOOST_TEST((reader.words() == archive.words));
  BOOST_TEST(reader.numbers().size() == archive.numbers.size());
  for (const auto &[name, numbers] : archive.numbers)
    {
      BOOST_TEST((reader.numbers(name).values == numbers.values), name);
      BOOST_TEST((reader.numbers(name).names == numbers.names), name);
    }
  BOOST_TEST(std::signbit(reader.numbers("plain").values[1]));
  BOOST_TEST(reader.arrays().size() == archive.arrays.size());
  for (const auto &[name, array] : archive.arrays)
    BOOST_TEST((reader.array(name, array.places, array.values.size()) ==
                array.values),
               name);
}

BOOST_AUTO_TEST_CASE(an_unknown_number_keeps_every_bit)
{
  Archive archive;
  archive.numbers["x"] = {{std::nan("0x5e")}, {}};
  write(archive);
  const ArchiveReader reader(file, MPI_COMM_SELF);
  const double        expected = std::nan("0x5e");
  BOOST_TEST(std::memcmp(&expected, reader.numbers("x").values.data(), 8) == 0);
}

BOOST_AUTO_TEST_CASE(numbers_stand_at_their_places)
{
  // The value 10 stands at both ends; one local number is not saved.
  Archive archive;
  Vector  values(4);
  values << 10., 20., 99., 30.;
  archive.arrays["x"] = {{4, {3, 1, 2, 0}, {0, 1, 3, 0}}, values};
  write(archive);

  const ArchiveReader reader(file, MPI_COMM_SELF);
  Vector              expected(4);
  expected << 10., 20., 30., 10.;
  BOOST_TEST((reader.array("x", all_places(4), 4) == expected));
  values(2) = 0.;
  BOOST_TEST((reader.array("x", archive.arrays["x"].places, 4) == values));
}

BOOST_AUTO_TEST_CASE(an_archive_that_contradicts_itself_is_not_written)
{
  write(small_archive());
  const std::string before = get(file);
  const auto check = [&](const Places &places, const std::string &words) {
    Archive archive;
    archive.arrays["x"] = {places, Vector::Zero(2)};
    BOOST_CHECK_EXCEPTION(write(archive),
                          std::logic_error,
                          [&words](const auto &error) {
                            return holds(error.what(), words);
                          });
  };
  check({2, {0, 1}, {0}}, "2 places for 1 numbers");
  check({2, {0, 2}, {0, 1}}, "place 2 of 2");
  check({2, {0, -1}, {0, 1}}, "place -1 of 2");
  check({2, {0, 1}, {0, 2}}, "value 2 of 2");
  check({2, {0, 1}, {0, -1}}, "value -1 of 2");
  Archive archive;
  archive.numbers["x"] = {{1., 2.}, {"one"}};
  BOOST_CHECK_THROW(write(archive), std::logic_error);
  archive.numbers = {{"", {{1.}, {}}}};
  BOOST_CHECK_THROW(write(archive), std::logic_error);
  BOOST_TEST(get(file) == before);
}

BOOST_AUTO_TEST_CASE(what_is_missing_or_of_another_size_is_refused)
{
  write(small_archive());
  const ArchiveReader reader(file, MPI_COMM_SELF);
  const auto          check = [](const auto &read, const std::string &words) {
    check_message(message_of(read), words);
  };
  check([&] { reader.word("study"); }, "no word 'study'");
  check([&] { reader.numbers("gravity"); }, "no numbers 'gravity'");
  check([&] { reader.numbers("load", 2); }, "1 numbers instead of 2");
  check([&] { reader.count("load"); }, "not a whole number");
  check([&] { reader.array("history", all_places(2), 2); }, "no array");
  check([&] { reader.array("unknowns", all_places(21), 21); },
        "has 20 numbers instead of 21");
}

BOOST_AUTO_TEST_CASE(a_file_that_was_cut_is_refused)
{
  write(small_archive());
  const std::string    whole = get(file);
  const CapturedErrors errors(root / "errors");
  for (std::size_t size = 0; size < whole.size(); size += 64)
    {
      put(file, whole.substr(0, size));
      const std::string message = refusal();
      BOOST_TEST(holds(message, "state.h5' is not a saved state"),
                 "cut at " << size << ": " << message);
      BOOST_TEST(!holds(message, "\n"));
    }
  BOOST_TEST(errors.text() == "");
}

BOOST_AUTO_TEST_CASE(a_damaged_file_is_refused_or_read_within_its_bounds)
{
  write(small_archive());
  const std::string    whole = get(file);
  const CapturedErrors errors(root / "errors");
  std::size_t          n_refused = 0;
  const unsigned char  changes[] = {0x01, 0x80, 0xFF};
  for (std::size_t i = 0; i < whole.size(); ++i)
    {
      std::string damaged = whole;
      damaged[i] = static_cast<char>(static_cast<unsigned char>(damaged[i]) ^
                                     changes[i % 3]);
      put(file, damaged);
      // Numbers may have changed; all else is covered by checksums.
      const std::string message = refusal();
      n_refused += message != "no error" ? 1 : 0;
      BOOST_TEST(!holds(message, "\n"));
    }
  // The rest is numbers, and room between the items.
  BOOST_TEST(n_refused > whole.size() / 4);
  BOOST_TEST(errors.text() == "");
}

BOOST_AUTO_TEST_CASE(files_of_another_kind_are_refused)
{
  const CapturedErrors errors(root / "errors");
  check_message(refusal(), "there is no file");
  put(file, "");
  check_message(refusal(), "damaged, or from another program");
  put(file, "some text\n");
  check_message(refusal(), "damaged, or from another program");
  fs::remove(file);
  fs::create_directory(file);
  check_message(refusal(), "is not a file");
  fs::remove(file);
  BOOST_REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
  check_message(refusal(), "is not a file");
  file = "/dev/zero";
  check_message(refusal(), "is not a file");

  file = root / "other.h5";
  {
    Hdf5File other = Hdf5File::create(file);
    other.create_group("words");
    other.close();
  }
  check_message(refusal(), "'format' is missing");
  BOOST_TEST(errors.text() == "");
}

BOOST_AUTO_TEST_CASE(items_that_we_would_not_write_are_refused)
{
  // Each is added to a good archive under the name "x" of a group.
  using Add       = std::function<hid_t(hid_t)>;
  const auto with = [this](const std::string &group, const Add &add) {
    write(small_archive());
    const hid_t opened = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t place  = H5Gopen2(opened, group.c_str(), H5P_DEFAULT);
    const hid_t added  = add(place);
    BOOST_REQUIRE(added >= 0);
    if (added > 0)
      H5Dclose(added);
    H5Gclose(place);
    H5Fclose(opened);
    return message_of([this] { ArchiveReader(file, MPI_COMM_SELF); });
  };
  const auto dataset = [](const hid_t                 type,
                          const std::vector<hsize_t> &size,
                          const hid_t storage = H5P_DEFAULT) -> Add {
    return [=](const hid_t place) {
      const hid_t space =
        H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr);
      return H5Dcreate2(
        place, "x", type, space, H5P_DEFAULT, storage, H5P_DEFAULT);
    };
  };
  check_message(with("arrays", dataset(H5T_IEEE_F32LE, {4})),
                "'x' is missing, damaged or not an array");
  check_message(with("arrays", dataset(H5T_STD_I64LE, {4})),
                "'x' is missing, damaged or not an array");
  check_message(with("arrays", dataset(H5T_IEEE_F64LE, {2, 2})),
                "'x' is missing, damaged or not an array");
  // Nothing was stored for it, whatever length it says.
  check_message(with("numbers", dataset(H5T_IEEE_F64LE, {1ull << 50})),
                "'x' is missing, damaged or not an array");

  const hid_t text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, H5T_VARIABLE);
  check_message(with("words", dataset(text, {1})),
                "'x' is missing, damaged or not a text");

  const hid_t   chunked = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t chunk   = 2;
  H5Pset_chunk(chunked, 1, &chunk);
  check_message(with("arrays", dataset(H5T_IEEE_F64LE, {4}, chunked)),
                "'x' is missing, damaged or not an array");

  // Numbers that are in another file.
  const hid_t external = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(external, "/etc/passwd", 0, 32);
  check_message(with("numbers", dataset(H5T_IEEE_F64LE, {4}, external)),
                "'x' is missing, damaged or not an array");
  check_message(with("words",
                     [](const hid_t place) -> hid_t {
                       return H5Lcreate_external("/etc/passwd",
                                                 "/",
                                                 place,
                                                 "x",
                                                 H5P_DEFAULT,
                                                 H5P_DEFAULT);
                     }),
                "group 'words' is missing or damaged");
  check_message(with("names", dataset(text, {1})), "no numbers");
  H5Tclose(text);
  H5Pclose(chunked);
  H5Pclose(external);
}

BOOST_AUTO_TEST_CASE(an_archive_for_which_there_is_no_room_leaves_the_earlier)
{
  write(small_archive());
  const std::string before  = get(file);
  Archive           archive = small_archive();
  archive.arrays["large"]   = {all_places(100000), Vector::Zero(100000)};
  {
    const FileSizeLimit  limit(20000);
    const CapturedErrors errors(root / "errors");
    BOOST_CHECK_EXCEPTION(write(archive), DiskError, [](const auto &error) {
      return holds(error.what(), "state.h5.part': File too large") &&
             !holds(error.what(), "\n");
    });
    BOOST_TEST(errors.text() == "");
  }
  BOOST_TEST(get(file) == before);
  BOOST_TEST(!fs::exists(root / ".state.h5.part"));
}

BOOST_AUTO_TEST_CASE(a_writer_that_is_killed_leaves_a_whole_archive)
{
  write(small_archive());
  std::mt19937                       random(3);
  std::uniform_int_distribution<int> microseconds(0, 20000);
  for (unsigned int round = 0; round < 20; ++round)
    {
      Victim victim([this](const auto &tell) {
        tell();
        for (unsigned int i = 0;; ++i)
          {
            Archive archive         = small_archive();
            archive.numbers["load"] = {{1. * i}, {}};
            write(archive);
          }
      });
      ::usleep(microseconds(random));
      victim.kill();
      BOOST_TEST(refusal() == "no error");
    }
}

BOOST_AUTO_TEST_SUITE_END()

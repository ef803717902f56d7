// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/playground.h"

#include <slender/base/agreement.h>
#include <slender/base/errors.h>
#include <slender/base/interruption.h>
#include <slender/output/archive.h>
#include <slender/output/file_recorder.h>
#include <slender/output/shape_file.h>

#include <deal.II/base/mpi.h>

#include <boost/test/unit_test.hpp>

#include <csignal>

// What several ranks write together. These tests hold on any number of ranks,
// one included. Checks are made on what all ranks know, so that no rank stops
// alone.
namespace
{
  using namespace slender;
  using namespace slender::test;
  namespace mpi = dealii::Utilities::MPI;

  int
  rank_of(MPI_Comm communicator = MPI_COMM_WORLD)
  {
    return static_cast<int>(mpi::this_mpi_process(communicator));
  }

  int
  n_ranks_of(MPI_Comm communicator = MPI_COMM_WORLD)
  {
    return static_cast<int>(mpi::n_mpi_processes(communicator));
  }

  /// One directory for all ranks, that of the first.
  struct SharedPlayground : Playground
  {
    SharedPlayground()
      : place(mpi::broadcast(MPI_COMM_WORLD, root.string()))
    {}

    ~SharedPlayground()
    {
      MPI_Barrier(MPI_COMM_WORLD);
    }

    fs::path place;
  };

  /// The first n ranks; null on the others.
  class FirstRanks
  {
  public:
    explicit FirstRanks(const int n)
    {
      MPI_Comm_split(MPI_COMM_WORLD,
                     rank_of() < n ? 0 : MPI_UNDEFINED,
                     rank_of(),
                     &communicator);
    }

    ~FirstRanks()
    {
      if (communicator != MPI_COMM_NULL)
        MPI_Comm_free(&communicator);
    }

    FirstRanks(const FirstRanks &) = delete;
    FirstRanks &
    operator=(const FirstRanks &) = delete;

    MPI_Comm communicator = MPI_COMM_NULL;
  };

  double
  value_at(const std::int64_t place)
  {
    return 1. / (1. + static_cast<double>(place));
  }

  /// How a body might be cut: the places of the whole are dealt in pieces of
  /// `length`; every rank also holds a copy of the first place of the next
  /// piece, and its numbers are in the reverse order.
  Places
  dealt_places(MPI_Comm           communicator,
               const std::int64_t size,
               const std::int64_t length)
  {
    Places result;
    result.size = size;
    for (std::int64_t begin = rank_of(communicator) * length; begin < size;
         begin += n_ranks_of(communicator) * length)
      for (std::int64_t i = begin; i < std::min(size, begin + length + 1); ++i)
        result.places.push_back(i);
    for (std::size_t k = 0; k < result.places.size(); ++k)
      result.numbers.push_back(
        static_cast<Index>(result.places.size() - 1 - k));
    return result;
  }

  Vector
  values_at(const Places &places)
  {
    Vector values(static_cast<Index>(places.numbers.size()));
    for (std::size_t k = 0; k < places.places.size(); ++k)
      values(places.numbers[k]) = value_at(places.places[k]);
    return values;
  }

  bool
  on_all(const bool holds_here)
  {
    return mpi::min(holds_here ? 1 : 0, MPI_COMM_WORLD) == 1;
  }

  template <typename Error, typename Work>
  bool
  throws(const Work &work)
  {
    try
      {
        work();
      }
    catch (const Error &error)
      {
        return std::string(error.what()).find('\n') == std::string::npos;
      }
    return false;
  }

  /// A piece of a curve for each rank; none on the last of several.
  Drawing
  piece_of_curve()
  {
    Drawing drawing;
    if (n_ranks_of() > 1 && rank_of() == n_ranks_of() - 1)
      return drawing;
    const double x = rank_of();
    drawing.points = {{x, 0., 0.}, {x + 1., 0., 0.}};
    drawing.cells  = {{Drawing::Shape::poly_line, {0, 1}}};
    drawing.point_fields.push_back({"<s>", Eigen::MatrixXd::Ones(1, 2)});
    drawing.cell_fields.push_back({"rank", Eigen::MatrixXd::Ones(1, 1)});
    return drawing;
  }
} // namespace



BOOST_FIXTURE_TEST_SUITE(parallel_output, SharedPlayground)

BOOST_AUTO_TEST_CASE(a_state_does_not_depend_on_the_number_of_ranks)
{
  const std::int64_t size = 1000;
  std::string        first_file;
  for (int n_writers = 1; n_writers <= n_ranks_of(); ++n_writers)
    for (const std::int64_t length : {1000, 334, 7, 1})
      {
        const fs::path   file = place / "state.h5";
        const FirstRanks writers(n_writers);
        if (writers.communicator != MPI_COMM_NULL)
          {
            const Places places =
              dealt_places(writers.communicator, size, length);
            Archive archive;
            archive.words["writer"] =
              rank_of() == 0 ? "first" : "words of others do not count";
            archive.numbers["x"]     = {{1. * rank_of()}, {}};
            archive.arrays["q"]      = {places, values_at(places)};
            archive.arrays["nobody"] = {Places(), Vector(0)};
            write_archive(file, writers.communicator, archive);
          }
        MPI_Barrier(MPI_COMM_WORLD);
        const std::string bytes = get(file);
        if (first_file.empty())
          first_file = bytes;
        BOOST_TEST(on_all(bytes == first_file));

        for (int n_readers = 1; n_readers <= n_ranks_of(); ++n_readers)
          {
            const FirstRanks readers(n_readers);
            bool             is_right = true;
            if (readers.communicator != MPI_COMM_NULL)
              {
                const ArchiveReader reader(file, readers.communicator);
                const Places        places =
                  dealt_places(readers.communicator, size, 13);
                const Vector expected = values_at(places);
                is_right =
                  reader.array("q", places, expected.size()) == expected &&
                  reader.word("writer") == "first" &&
                  reader.numbers("x", 1).front() == 0.;
              }
            BOOST_TEST(on_all(is_right));
          }
        MPI_Barrier(MPI_COMM_WORLD);
      }
}

BOOST_AUTO_TEST_CASE(what_fails_on_one_rank_fails_on_all)
{
  const int last = n_ranks_of() - 1;
  BOOST_TEST(on_all(throws<DiskError>([&] {
    do_on_all_or_none(MPI_COMM_WORLD, [&] {
      if (rank_of() == last)
        throw DiskError("full");
    });
  })));
  BOOST_TEST(on_all(throws<InputError>([&] {
    do_on_all_or_none(MPI_COMM_WORLD, [&] {
      if (rank_of() == last)
        throw InputError("wrong");
    });
  })));
  BOOST_TEST(
    first_text(MPI_COMM_WORLD, rank_of() == last ? "from the last" : "") ==
    "from the last");

  // One rank has a place that is none.
  Archive archive;
  archive.arrays["q"] = {{4, {rank_of() == last ? 4 : 0}, {0}},
                         Vector::Zero(1)};
  BOOST_TEST(on_all(throws<std::logic_error>(
    [&] { write_archive(place / "no.h5", MPI_COMM_WORLD, archive); })));
  MPI_Barrier(MPI_COMM_WORLD);
  BOOST_TEST(on_all(!fs::exists(place / "no.h5")));
  BOOST_TEST(on_all(throws<InputError>(
    [&] { ArchiveReader(place / "no.h5", MPI_COMM_WORLD); })));
}

BOOST_AUTO_TEST_CASE(a_state_for_which_there_is_no_room_leaves_the_earlier)
{
  // The disk is the first rank's; all of a test's ranks are on one machine.
  std::unique_ptr<SmallDisk> disk;
  if (rank_of() == 0)
    disk = std::make_unique<SmallDisk>(place / "disk", 100000);
  if (!mpi::broadcast(MPI_COMM_WORLD, disk && disk->is_there()))
    return;
  const fs::path file  = place / "disk" / "state.h5";
  const auto     write = [&file](const std::int64_t size) {
    Archive archive;
    archive.arrays["q"].places = dealt_places(MPI_COMM_WORLD, size, 100);
    archive.arrays["q"].values = values_at(archive.arrays["q"].places);
    write_archive(file, MPI_COMM_WORLD, archive);
  };
  write(1000);
  const std::string before = get(file);
  for (const std::int64_t size : {100000, 12500, 10000})
    BOOST_TEST(on_all(throws<DiskError>([&] { write(size); })), size);
  MPI_Barrier(MPI_COMM_WORLD);
  BOOST_TEST(on_all(get(file) == before));
  BOOST_TEST(on_all(!fs::exists(place / "disk" / ".state.h5.part")));
  write(3000);
  MPI_Barrier(MPI_COMM_WORLD);
}

BOOST_AUTO_TEST_CASE(ranks_write_a_shape_together)
{
  RunFiles          files(place, rank_of());
  const std::string name = write_shape(
    files, "fields/shape_0003", piece_of_curve(), {"load", 1.}, MPI_COMM_WORLD);
  const fs::path fields = place / "fields";
  if (n_ranks_of() == 1)
    BOOST_TEST(name == "shape_0003.vtp");
  else
    {
      BOOST_TEST(on_all(name == "shape_0003.pvtp"));
      const std::string index = get(fields / name);
      for (int r = 0; r < n_ranks_of(); ++r)
        {
          const std::string piece = "shape_0003_" + std::to_string(r) + ".vtp";
          BOOST_TEST(on_all(fs::exists(fields / piece)));
          // One in which there is nothing is not named.
          BOOST_TEST(on_all(holds(index, "\"" + piece + "\"") ==
                            (r < n_ranks_of() - 1)));
        }
      BOOST_TEST(on_all(holds(index, "Name=\"&lt;s&gt;\"")));
    }
  // Another shape with that number, on one rank.
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank_of() == 0)
    {
      write_shape(files,
                  "fields/shape_0003",
                  piece_of_curve(),
                  {"load", 1.},
                  MPI_COMM_SELF);
      BOOST_TEST(content(fields).size() == 1u);
    }
  MPI_Barrier(MPI_COMM_WORLD);
}

BOOST_AUTO_TEST_CASE(groups_record_into_one_run)
{
  const fs::path                results = place / "output";
  std::unique_ptr<RunDirectory> directory;
  if (rank_of() == 0)
    directory = std::make_unique<RunDirectory>(results);
  {
    FileRecorder recorder(MPI_COMM_WORLD, directory.get());
    recorder.begin_table("results", {"rank"});
    recorder.begin_series("shapes", "rank [1]");
    recorder.row("results", {1L});
    recorder.log("a line");

    // Every rank is a group of its own and has a shape and a state.
    Drawing drawing;
    drawing.points = {{0., 0., 0.}, {1., 0., 0.}};
    drawing.cells  = {{Drawing::Shape::poly_line, {0, 1}}};
    const Recorder::Shape shape =
      recorder.write_shape("shapes", rank_of(), 0.5, drawing, MPI_COMM_SELF);
    Archive archive;
    archive.numbers["rank"] = {{1. * rank_of()}, {}};
    recorder.state(rank_of(), archive, MPI_COMM_SELF);
    // The first rank learns of them, in whatever order.
    for (const std::string &file :
         mpi::gather(MPI_COMM_WORLD, shape.entry.file))
      recorder.list({"shapes", {0, 0.5, file}});

    // All ranks share the state of this one.
    const Places places = dealt_places(MPI_COMM_WORLD, 100, 10);
    archive.arrays["q"] = {places, values_at(places)};
    recorder.checkpoint(archive, MPI_COMM_WORLD);
  }
  directory.reset();
  MPI_Barrier(MPI_COMM_WORLD);
  BOOST_TEST(on_all(fs::exists(place / "output.unfinished")));

  if (rank_of() == 0)
    directory =
      std::make_unique<RunDirectory>(results, RunDirectory::Begin::resume);
  FileRecorder recorder(MPI_COMM_WORLD, directory.get());
  {
    const auto   checkpoint = recorder.last_checkpoint(MPI_COMM_WORLD);
    const Places places     = dealt_places(MPI_COMM_WORLD, 100, 17);
    const Vector expected   = values_at(places);
    BOOST_TEST(
      on_all(checkpoint &&
             checkpoint->array("q", places, expected.size()) == expected));
  }
  recorder.begin_table("results", {"rank"});
  recorder.begin_series("shapes", "rank [1]");
  recorder.row("results", {2L});
  recorder.close();
  if (rank_of() == 0)
    {
      directory->finish();
      BOOST_TEST(get(results / "results.csv") == "rank\n1\n2\n");
      BOOST_TEST(SeriesFile::read(results / "fields" / "shapes.pvd").size() ==
                 static_cast<std::size_t>(n_ranks_of()));
      for (int r = 0; r < n_ranks_of(); ++r)
        BOOST_TEST(fs::exists(results / "states" /
                              ("label_" + std::to_string(r) + ".h5")));
      // All of it is known to be the run's: another may take its place.
      const RunDirectory next(results);
    }
  MPI_Barrier(MPI_COMM_WORLD);
}

BOOST_AUTO_TEST_CASE(ranks_agree_that_a_run_is_to_end)
{
  const auto before = std::signal(SIGTERM, SIG_DFL);
  handle_interruptions();
  BOOST_TEST(on_all(!interruption_requested(MPI_COMM_WORLD)));
  if (rank_of() == n_ranks_of() - 1)
    std::raise(SIGTERM);
  BOOST_TEST(on_all(interruption_requested(MPI_COMM_WORLD)));
  forget_interruption();
  std::signal(SIGTERM, before);
  std::signal(SIGINT, SIG_DFL);
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/messages.h"
#include "support/playground.h"

#include <slender/output/file_recorder.h>
#include <slender/output/journal.h>
#include <slender/output/memory_recorder.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>

namespace
{
  using namespace slender;
  using namespace slender::test;
  using Begin = RunDirectory::Begin;

  Drawing
  curve(const double x)
  {
    Drawing drawing;
    drawing.points = {{0., 0., 0.}, {x, 0., 0.}};
    drawing.cells  = {{Drawing::Shape::poly_line, {0, 1}}};
    return drawing;
  }

  Archive
  state(const double x)
  {
    Archive archive;
    archive.numbers["x"] = {{x}, {}};
    archive.arrays["q"]  = {{2, {0, 1}, {0, 1}}, Vector::Constant(2, x)};
    return archive;
  }

  /// A study in small: x doubles its sine in every step. All that it needs to
  /// go on is in its checkpoints.
  void
  run_study(Recorder &recorder, const long n_steps, const long last_step)
  {
    long   step = 0;
    double x    = 1.;
    if (const auto checkpoint = recorder.last_checkpoint(MPI_COMM_SELF))
      {
        step = checkpoint->count("step");
        x    = checkpoint->array("q", {2, {0, 1}, {0, 1}}, 2)(1);
      }
    recorder.begin_table("results", {"step", "x"});
    recorder.begin_table("frontier", {"x"});
    recorder.begin_series("shapes", "x [1]");
    recorder.begin_series("many", "x [1]");
    for (; step < std::min(n_steps, last_step); ++step)
      {
        x = 2. * std::sin(x);
        recorder.row("results", {step, x});
        if (step % 3 == 0)
          recorder.row("frontier", {x});
        if (step % 5 == 0)
          recorder.remark("results", "five steps");
        if (step % 4 == 0)
          recorder.shape("shapes", step / 4, x, curve(x), MPI_COMM_SELF);
        if (Recorder::wants(step, 3))
          recorder.shape_of_many("many", step, x, curve(x), MPI_COMM_SELF, 3);
        recorder.count("iterations", x);
        if (step % 7 == 6)
          {
            recorder.state(step, state(x), MPI_COMM_SELF);
            Archive archive         = state(x);
            archive.numbers["step"] = {{step + 1.}, {}};
            recorder.checkpoint(archive, MPI_COMM_SELF);
          }
      }
  }

  /// With a directory, for as long as a session lasts.
  struct Session
  {
    Session(const fs::path &output, const Begin begin)
      : directory(output, begin)
      , recorder(MPI_COMM_SELF, &directory)
    {}

    void
    finish()
    {
      recorder.close();
      directory.finish();
    }

    RunDirectory directory;
    FileRecorder recorder;
  };
} // namespace



BOOST_FIXTURE_TEST_SUITE(recorder, Playground)

BOOST_AUTO_TEST_CASE(what_a_study_records_is_there_at_once)
{
  Session        session(output, Begin::anew);
  Recorder      &recorder = session.recorder;
  const fs::path place    = session.directory.unfinished_path();

  recorder.log("first line");
  BOOST_TEST(get(place / "log.txt") == "first line\n");
  recorder.begin_table("results", {"x"});
  BOOST_TEST(!session.directory.is_kept());
  recorder.row("results", {1.});
  BOOST_TEST(get(place / "results.csv") == "x\n1\n");
  BOOST_TEST(session.directory.is_kept());
  recorder.begin_series("shapes", "load");
  recorder.shape("shapes", 4, 0.5, curve(1.), MPI_COMM_SELF);
  BOOST_TEST(fs::exists(place / "fields" / "shapes_0004.vtp"));
  BOOST_TEST(SeriesFile::read(place / "fields" / "shapes.pvd").size() == 1u);
  recorder.state(12, state(3.), MPI_COMM_SELF);
  const ArchiveReader reader(place / "states" / "label_12.h5", MPI_COMM_SELF);
  BOOST_TEST(reader.numbers("x", 1).front() == 3.);
  BOOST_TEST((recorder.last_checkpoint(MPI_COMM_SELF) == nullptr));

  BOOST_CHECK_THROW(recorder.row("other", {1.}), std::logic_error);
  BOOST_CHECK_THROW(recorder.row("results", {1., 2.}), std::logic_error);
  BOOST_CHECK_THROW(recorder.shape("other", 0, 0., curve(1.), MPI_COMM_SELF),
                    std::logic_error);
  session.finish();
  BOOST_TEST(fs::exists(output / "states" / "label_12.h5"));
  BOOST_TEST(!fs::exists(output / "checkpoint.h5"));
}

BOOST_AUTO_TEST_CASE(numbers_that_are_not_finite_are_counted)
{
  MemoryRecorder recorder;
  recorder.begin_table("results", {"x", "y"});
  recorder.row("results", {1., Table::unknown});
  BOOST_TEST(recorder.not_finite() == 0);
  recorder.row("results", {std::numeric_limits<double>::infinity(), 0.});
  recorder.row("results", {std::nan(""), -std::nan("")});
  BOOST_TEST(recorder.not_finite() == 3);
}

BOOST_AUTO_TEST_CASE(memory_holds_what_the_files_hold)
{
  MemoryRecorder memory;
  run_study(memory, 50, 50);
  Session session(output, Begin::anew);
  run_study(session.recorder, 50, 50);
  BOOST_TEST(session.recorder.counted("iterations") ==
             memory.counted("iterations"));
  session.finish();

  for (const std::string name : {"results", "frontier"})
    {
      std::ifstream in(output / (name + ".csv"));
      const Table   table = Table::read_csv(in, name);
      BOOST_TEST((table.rows() == memory.tables[name].rows()));
      BOOST_TEST((table.remarks() == memory.tables[name].remarks()));
    }
  for (const std::string name : {"shapes", "many"})
    {
      const auto entries =
        SeriesFile::read(output / "fields" / (name + ".pvd"));
      BOOST_REQUIRE(entries.size() == memory.series[name].entries.size());
      for (std::size_t i = 0; i < entries.size(); ++i)
        {
          BOOST_TEST(entries[i].number ==
                     memory.series[name].entries[i].number);
          BOOST_TEST(entries[i].time == memory.series[name].entries[i].time);
        }
    }
  BOOST_TEST(memory.series["many"].entries.size() == 4u);
  BOOST_TEST(memory.series["many"].drawings.size() == 4u);
  BOOST_TEST(memory.states.size() == 7u);
  BOOST_TEST(memory.checkpoints.size() == 7u);
}

BOOST_AUTO_TEST_CASE(a_study_that_stops_anywhere_is_resumed_exactly)
{
  {
    Session session(output, Begin::anew);
    run_study(session.recorder, 60, 60);
    session.finish();
  }
  const auto expected = content(output);
  for (const long last : {0, 1, 5, 7, 8, 20, 28, 29, 34, 56, 59, 60})
    {
      {
        Session session(output, Begin::anew);
        run_study(session.recorder, 60, last);
        session.directory.keep();
      }
      {
        // It is interrupted once more.
        Session session(output, Begin::resume);
        run_study(session.recorder, 60, last + 9);
      }
      BOOST_TEST(difference(expected, content(output)) == "");
      Session session(output, Begin::resume);
      run_study(session.recorder, 60, 60);
      BOOST_TEST(session.recorder.counted("iterations") != 0.);
      session.finish();
      BOOST_TEST(difference(expected, content(output)) == "",
                 "stopped at " << last);
    }
}

BOOST_AUTO_TEST_CASE(a_study_that_is_killed_is_resumed_exactly)
{
  {
    Session session(output, Begin::anew);
    run_study(session.recorder, 60, 60);
    session.finish();
  }
  const auto                         expected = content(output);
  std::mt19937                       random(5);
  std::uniform_int_distribution<int> microseconds(0, 60000);
  for (unsigned int round = 0; round < 20; ++round)
    {
      {
        Victim victim([this](const auto &tell) {
          Session session(output, Begin::anew);
          session.directory.keep();
          tell();
          run_study(session.recorder, 60, 60);
          for (;;)
            ::pause();
        });
        ::usleep(microseconds(random));
        victim.kill();
      }
      BOOST_TEST(difference(expected, content(output)) == "");
      Session session(output, Begin::resume);
      run_study(session.recorder, 60, 60);
      session.finish();
      BOOST_TEST(difference(expected, content(output)) == "");
    }
}

BOOST_AUTO_TEST_CASE(a_damaged_checkpoint_is_refused)
{
  {
    Session session(output, Begin::anew);
    run_study(session.recorder, 60, 20);
  }
  const fs::path    file  = root / "output.unfinished" / "checkpoint.h5";
  const std::string whole = get(file);
  put(file, whole.substr(0, whole.size() / 2));
  check_message(message_of([this] { Session(output, Begin::resume); }),
                "checkpoint.h5' is not a saved state");
  // Nothing is lost by that.
  put(file, whole);
  Session session(output, Begin::resume);
  BOOST_TEST(session.recorder.last_checkpoint(MPI_COMM_SELF)->count("step") ==
             14);
}

BOOST_AUTO_TEST_CASE(a_checkpoint_of_another_study_is_refused)
{
  {
    Session session(output, Begin::anew);
    run_study(session.recorder, 60, 20);
  }
  Session session(output, Begin::resume);
  check_message(message_of([&] {
                  session.recorder.begin_table("results", {"step", "y"});
                }),
                "has other columns");
}

BOOST_AUTO_TEST_CASE(a_full_disk_keeps_what_is_complete)
{
  const SmallDisk disk(root / "disk", 200000);
  if (!disk.is_there())
    return;
  const fs::path place = root / "disk" / "output";
  std::string    message;
  long           n_rows = 0;
  {
    Session session(place, Begin::anew);
    session.recorder.begin_table("results", {"step", "x"});
    session.recorder.begin_series("shapes", "x");
    try
      {
        for (;; ++n_rows)
          {
            session.recorder.row("results", {n_rows, 0.5});
            session.recorder.shape(
              "shapes", n_rows, 0., curve(1.), MPI_COMM_SELF);
            Archive archive         = state(1.);
            archive.numbers["step"] = {{n_rows + 1.}, {}};
            session.recorder.checkpoint(archive, MPI_COMM_SELF);
          }
      }
    catch (const DiskError &error)
      {
        message = error.what();
      }
  }
  check_message(message, "No space left on device");
  BOOST_TEST(n_rows > 10);

  // There is room again.
  const std::string remount = "size=10000000";
  BOOST_REQUIRE(::mount("none",
                        (root / "disk").c_str(),
                        "tmpfs",
                        MS_REMOUNT,
                        remount.c_str()) == 0);
  Session    session(place, Begin::resume);
  const auto checkpoint = session.recorder.last_checkpoint(MPI_COMM_SELF);
  BOOST_REQUIRE(static_cast<bool>(checkpoint));
  BOOST_TEST(checkpoint->count("step") == n_rows);
  session.recorder.begin_table("results", {"step", "x"});
  session.recorder.begin_series("shapes", "x");
  session.finish();
  std::ifstream in(place / "results.csv");
  BOOST_TEST(Table::read_csv(in, "results").rows().size() ==
             static_cast<std::size_t>(n_rows));
  BOOST_TEST(SeriesFile::read(place / "fields" / "shapes.pvd").size() ==
             static_cast<std::size_t>(n_rows));
}

BOOST_AUTO_TEST_SUITE_END()



BOOST_FIXTURE_TEST_SUITE(journal, Playground)

BOOST_AUTO_TEST_CASE(finished_chains_are_read_back_bit_by_bit)
{
  RunFiles files(root, 0);
  Journal  journal(files);
  BOOST_TEST(journal.finished().empty());
  BOOST_TEST(!journal.read(0).has_value());

  const std::vector<Journal::Record> records = {
    {{1. / 3., -0., std::numeric_limits<double>::infinity()}, {"a\nb", ""}},
    {{}, {}},
    {{5e-324}, {std::string("\0x", 2)}}};
  journal.write(7, records);
  journal.write(12, {});
  BOOST_TEST((journal.finished() == std::vector<std::size_t>{7, 12}));
  const auto found = journal.read(7).value();
  BOOST_REQUIRE(found.size() == records.size());
  for (std::size_t i = 0; i < records.size(); ++i)
    {
      BOOST_TEST((found[i].numbers == records[i].numbers));
      BOOST_TEST((found[i].words == records[i].words));
    }
  BOOST_TEST(std::signbit(found[0].numbers[1]));
  BOOST_TEST(journal.read(12)->empty());
  BOOST_TEST(!journal.read(8).has_value());

  journal.remove();
  BOOST_TEST(journal.finished().empty());
  BOOST_TEST(!fs::exists(root / "journal"));
}

BOOST_AUTO_TEST_CASE(a_damaged_chain_is_refused)
{
  RunFiles files(root, 0);
  Journal  journal(files);
  journal.write(3, {{{1., 2.}, {"word"}}});
  const fs::path    file  = root / "journal" / "chain_3";
  const std::string whole = get(file);
  for (std::size_t i = 0; i < whole.size(); ++i)
    {
      put(file, whole.substr(0, i));
      check_message(message_of([&] { journal.read(3); }), "is damaged");
      std::string changed = whole;
      changed[i]          = static_cast<char>(changed[i] ^ 0x41);
      put(file, changed);
      check_message(message_of([&] { journal.read(3); }), "is damaged");
    }
  put(file, whole + "x");
  check_message(message_of([&] { journal.read(3); }), "is damaged");
}

BOOST_AUTO_TEST_SUITE_END()

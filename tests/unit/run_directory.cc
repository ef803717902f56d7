// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/messages.h"
#include "support/playground.h"

#include <slender/base/errors.h>
#include <slender/output/exchange.h>
#include <slender/output/manifest.h>
#include <slender/output/run_directory.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <map>
#include <ostream>
#include <random>
#include <string>
#include <thread>
#include <unistd.h>

namespace
{
  using namespace slender;
  using namespace slender::test;

  void
  put_earlier_run(const fs::path &directory)
  {
    put(directory / "summary.json", "earlier summary");
    put(directory / "used.prm", "earlier parameters");
    put(directory / "results.csv", "earlier results");
    put(directory / "fields" / "shape_0001.vtu", "earlier shape");
    Manifest manifest;
    manifest.state = Manifest::State::finished;
    for (const auto &item : content(directory))
      if (item.second != "folder")
        manifest.files.insert(item.first);
    manifest.write(directory);
  }



  void
  set_state(const fs::path &directory, const Manifest::State state)
  {
    Manifest manifest = Manifest::read(directory).value();
    manifest.state    = state;
    manifest.write(directory);
  }



  std::function<void(std::ostream &)>
  text(const std::string &words)
  {
    return [words](std::ostream &out) { out << words; };
  }



  void
  write_run(RunDirectory &run, const std::string &word)
  {
    run.write("summary.json", text(word + " summary"));
    run.write("used.prm", text(word + " parameters"));
    run.write("results.csv", text(word + " results"));
  }



  std::map<std::string, std::string>
  content_of_run(const std::string &word)
  {
    return {{"summary.json", word + " summary"},
            {"used.prm", word + " parameters"},
            {"results.csv", word + " results"}};
  }



  /// The message of the InputError with which a directory is refused.
  std::string
  refusal(const fs::path &directory)
  {
    try
      {
        const RunDirectory run(directory);
      }
    catch (const InputError &error)
      {
        return error.what();
      }
    return "not refused";
  }



  /// Refused in one line that holds `words`, with nothing in the playground
  /// changed.
  void
  check_refused(const Playground  &playground,
                const fs::path    &directory,
                const std::string &words)
  {
    const auto        before  = content(playground.root);
    const std::string message = refusal(directory);
    BOOST_TEST(holds(message, words), message);
    BOOST_TEST(!holds(message, "\n"));
    BOOST_TEST((content(playground.root) == before));
  }



  /// Back to the working directory of before at the end of a test.
  struct WorkingDirectory
  {
    explicit WorkingDirectory(const fs::path &directory)
      : before(fs::current_path())
    {
      fs::current_path(directory);
    }

    ~WorkingDirectory()
    {
      fs::current_path(before);
    }

    WorkingDirectory(const WorkingDirectory &) = delete;
    WorkingDirectory &
    operator=(const WorkingDirectory &) = delete;

    fs::path before;
  };



  void
  wait_at_random(std::mt19937 &random)
  {
    std::uniform_int_distribution<int> microseconds(0, 20000);
    std::this_thread::sleep_for(
      std::chrono::microseconds(microseconds(random)));
  }



  const std::string last_line = "the last line\n";

  /// Comes to the disk piece by piece, so that a file that is written in place
  /// is incomplete nearly all the time.
  void
  write_slowly(std::ostream &out)
  {
    for (unsigned int line = 0; line < 100; ++line)
      out << "line " << line << '\n' << std::flush;
    out << last_line;
  }



  bool
  is_complete(const std::string &slowly_written)
  {
    return std::count(slowly_written.begin(), slowly_written.end(), '\n') ==
             101 &&
           slowly_written.rfind(last_line) ==
             slowly_written.size() - last_line.size();
  }
} // namespace



BOOST_FIXTURE_TEST_SUITE(run_directory, Playground)

BOOST_AUTO_TEST_CASE(a_run_appears_as_a_whole_when_it_is_finished)
{
  RunDirectory run(output);
  write_run(run, "new");
  run.write("fields/shape_0001.vtu", text("shape"));
  BOOST_TEST(!fs::exists(output));

  run.finish();
  auto expected                     = content_of_run("new");
  expected["fields"]                = "folder";
  expected["fields/shape_0001.vtu"] = "shape";
  BOOST_TEST(difference(expected, content(output)) == "");
  BOOST_TEST(!fs::exists(root / "output.unfinished"));
  BOOST_TEST(run.path() == output);
}

BOOST_AUTO_TEST_CASE(a_run_takes_the_place_of_an_earlier_one)
{
  put_earlier_run(output);
  const auto   earlier = content(output);
  RunDirectory run(output);
  write_run(run, "new");
  BOOST_TEST((content(output) == earlier));

  run.finish();
  BOOST_TEST((content(output) == content_of_run("new")));
  BOOST_TEST(!fs::exists(root / "output.replaced"));
}

BOOST_AUTO_TEST_CASE(an_empty_directory_is_filled)
{
  fs::create_directory(output);
  RunDirectory run(output);
  write_run(run, "new");
  run.finish();
  BOOST_TEST((content(output) == content_of_run("new")));
}

BOOST_AUTO_TEST_CASE(a_run_that_is_given_up_leaves_no_trace)
{
  put_earlier_run(output);
  const auto before = content(root);
  {
    RunDirectory run(output);
    write_run(run, "new");
    run.write("fields/shape_0001.vtu", text("shape"));
  }
  BOOST_TEST((content(root) == before));
}

BOOST_AUTO_TEST_CASE(a_file_can_be_written_again)
{
  RunDirectory run(output);
  run.write("log.txt", text("one"));
  run.write("log.txt", text("one, two"));
  run.finish();
  BOOST_TEST(get(output / "log.txt") == "one, two");
}

BOOST_AUTO_TEST_CASE(missing_parents_are_created)
{
  RunDirectory run(root / "a" / "b" / "output");
  write_run(run, "new");
  run.finish();
  BOOST_TEST((content(root / "a" / "b" / "output") == content_of_run("new")));
}

BOOST_AUTO_TEST_CASE(parents_of_a_run_that_is_given_up_are_removed)
{
  fs::create_directory(root / "a");
  {
    RunDirectory run(root / "a" / "b" / "c" / "output");
    BOOST_TEST(fs::exists(root / "a" / "b" / "c"));
  }
  BOOST_TEST(fs::exists(root / "a"));
  BOOST_TEST(!fs::exists(root / "a" / "b"));
}

BOOST_AUTO_TEST_CASE(parents_that_others_use_meanwhile_stay)
{
  {
    RunDirectory run(root / "a" / "b" / "output");
    put(root / "a" / "notes.txt", "mine");
  }
  BOOST_TEST(get(root / "a" / "notes.txt") == "mine");
  BOOST_TEST(!fs::exists(root / "a" / "b"));
}

BOOST_AUTO_TEST_CASE(a_directory_with_foreign_files_is_refused)
{
  put_earlier_run(output);
  put(output / "notes.txt", "mine");
  check_refused(*this,
                output,
                "output directory '" + output.string() +
                  "' holds 'notes.txt', which is not from an earlier run; "
                  "choose another directory with --output or empty it");
}

BOOST_AUTO_TEST_CASE(familiar_names_alone_do_not_make_a_run)
{
  for (const std::string name : {"summary.json", "used.prm"})
    {
      put(output / "results.csv", "from another program");
      put(output / name, "from another program");
      check_refused(*this, output, "holds 'results.csv'");
      fs::remove_all(output);
    }
}

BOOST_AUTO_TEST_CASE(a_folder_with_the_name_of_a_file_is_foreign)
{
  put_earlier_run(output);
  put(output / "log.txt" / "notes.txt", "mine");
  check_refused(*this, output, "holds 'log.txt'");
}

BOOST_AUTO_TEST_CASE(foreign_files_that_come_during_the_run_are_spared)
{
  put_earlier_run(output);
  {
    RunDirectory run(output);
    write_run(run, "new");
    put(output / "notes.txt", "mine");
    BOOST_CHECK_EXCEPTION(run.finish(),
                          std::runtime_error,
                          [](const auto &error) {
                            return holds(error.what(), "'notes.txt'") &&
                                   holds(error.what(), "output.unfinished'");
                          });
  }
  BOOST_TEST(get(output / "notes.txt") == "mine");
  BOOST_TEST(get(output / "results.csv") == "earlier results");
  // A refused run must not clean up what the message above spoke of.
  BOOST_TEST(holds(refusal(output), "'notes.txt'"));
  BOOST_TEST(get(root / "output.unfinished" / "results.csv") == "new results");
  // Nor may one that could go ahead.
  fs::remove(output / "notes.txt");
  check_refused(*this, output, "holds the results of a finished run");
}

BOOST_AUTO_TEST_CASE(directories_that_only_look_like_leftovers_are_spared)
{
  for (const std::string suffix : {".unfinished", ".replaced"})
    {
      const fs::path other = output.string() + suffix;
      put(other / "notes.txt", "mine");
      check_refused(*this, output, "'" + other.string() + "'");
      fs::remove_all(other);
      put(other, "a file");
      check_refused(*this, output, "'" + other.string() + "'");
      fs::remove_all(other);
    }
}

BOOST_AUTO_TEST_CASE(a_file_is_not_a_directory)
{
  put(output, "mine");
  check_refused(*this, output, "is a file");
  check_refused(*this, output / "", "is a file");
}

BOOST_AUTO_TEST_CASE(a_file_cannot_be_a_parent)
{
  put(root / "file", "mine");
  check_refused(*this,
                root / "file" / "a" / "output",
                '\'' + (root / "file").string() + "': Not a directory");
}

BOOST_AUTO_TEST_CASE(a_parent_without_write_permission_is_refused)
{
  if (::geteuid() == 0)
    {
      BOOST_TEST_MESSAGE("skipped: permissions do not stop root");
      return;
    }
  const fs::path parent = root / "parent";
  fs::create_directory(parent);
  fs::permissions(parent, fs::perms::owner_read | fs::perms::owner_exec);
  check_refused(*this, parent / "output", "Permission denied");
  check_refused(*this, parent / "a" / "output", "Permission denied");
  fs::permissions(parent, fs::perms::owner_all);
}

BOOST_AUTO_TEST_CASE(an_empty_name_is_refused)
{
  check_refused(*this, "", "empty name");
}

BOOST_AUTO_TEST_CASE(the_working_directory_is_never_replaced)
{
  const fs::path here = root / "a" / "b";
  fs::create_directories(here);
  const WorkingDirectory working_directory(here);
  for (const fs::path &directory : {fs::path("."),
                                    fs::path(".."),
                                    fs::path("./"),
                                    fs::path("/"),
                                    here,
                                    here.parent_path(),
                                    fs::path("../b"),
                                    fs::path("../../a/.")})
    check_refused(*this, directory, "working directory");
}

BOOST_AUTO_TEST_CASE(a_mount_point_is_refused_at_once)
{
  if (!fs::exists("/proc/self"))
    {
      BOOST_TEST_MESSAGE("skipped: /proc is not mounted");
      return;
    }
  check_refused(*this, "/proc", "mount point");
}

BOOST_AUTO_TEST_CASE(relative_paths_and_slashes_at_the_end_are_understood)
{
  const WorkingDirectory working_directory(root);
  for (const std::string name : {"output", "output/", "./output//", "output/."})
    {
      RunDirectory run(name);
      write_run(run, name);
      run.finish();
      BOOST_TEST(run.path().filename() == "output");
      BOOST_TEST((content(output) == content_of_run(name)), name);
    }
}

BOOST_AUTO_TEST_CASE(a_link_is_followed)
{
  const fs::path target = root / "disk" / "target";
  put_earlier_run(target);
  fs::create_directory_symlink(target, output);
  RunDirectory run(output / "");
  write_run(run, "new");
  run.finish();
  BOOST_TEST(fs::is_symlink(output));
  BOOST_TEST((content(target) == content_of_run("new")));
}

BOOST_AUTO_TEST_CASE(a_link_to_nothing_is_refused)
{
  fs::create_directory_symlink(root / "nothing", output);
  const std::string message = refusal(output);
  BOOST_TEST(holds(message, "link to something that does not exist"), message);
  BOOST_TEST(fs::is_symlink(output));
}

BOOST_AUTO_TEST_CASE(only_files_that_the_next_run_may_remove_can_be_written)
{
  RunDirectory run(output);
  for (const std::string name : {"",
                                 "fields/",
                                 "../output/results.csv",
                                 "fields/../results.csv",
                                 ".lock",
                                 ".manifest",
                                 "fields/.hidden",
                                 "two\nlines"})
    BOOST_CHECK_THROW(run.write(name, text("words")), std::logic_error);
  BOOST_CHECK_THROW(run.write(root / "results.csv", text("words")),
                    std::logic_error);
}

BOOST_AUTO_TEST_CASE(nothing_is_written_after_the_end)
{
  RunDirectory run(output);
  write_run(run, "new");
  run.finish();
  BOOST_CHECK_THROW(run.write("log.txt", text("late")), std::logic_error);
  BOOST_CHECK_THROW(run.finish(), std::logic_error);
  BOOST_TEST((content(output) == content_of_run("new")));
}

BOOST_AUTO_TEST_CASE(a_writer_that_fails_leaves_the_file_as_it_was)
{
  RunDirectory run(output);
  run.write("log.txt", text("complete"));
  BOOST_CHECK_THROW(run.write("log.txt",
                              [](std::ostream &out) {
                                out << "half";
                                throw std::domain_error("failed");
                              }),
                    std::domain_error);
  run.finish();
  const std::map<std::string, std::string> expected = {{"log.txt", "complete"}};
  BOOST_TEST(difference(expected, content(output)) == "");
}

BOOST_AUTO_TEST_CASE(a_full_disk_is_noticed)
{
  RunDirectory run(output);
  run.write("results.csv", text("complete"));
  {
    const FileSizeLimit limit(4096);
    BOOST_CHECK_EXCEPTION(run.write("results.csv",
                                    text(std::string(100000, 'x'))),
                          DiskError,
                          [](const auto &error) {
                            return holds(error.what(),
                                         "output.unfinished/results.csv': "
                                         "File too large") &&
                                   !holds(error.what(), "\n");
                          });
  }
  run.finish();
  const std::map<std::string, std::string> expected = {
    {"results.csv", "complete"}};
  BOOST_TEST(difference(expected, content(output)) == "");
}

BOOST_AUTO_TEST_CASE(two_runs_cannot_share_a_directory)
{
  put_earlier_run(output);
  RunDirectory first(output);
  write_run(first, "first");
  check_refused(*this, output, "is being written by another run");
  // A file that its list does not have yet is no reason to blame its owner.
  put(root / "output.unfinished" / "fields" / ".shape_0001.vtp.part",
      "half a shape");
  check_refused(*this, output, "is being written by another run");
  fs::remove_all(root / "output.unfinished" / "fields");
  first.finish();
  BOOST_TEST((content(output) == content_of_run("first")));

  RunDirectory second(output);
  write_run(second, "second");
  second.finish();
  BOOST_TEST((content(output) == content_of_run("second")));
}

BOOST_AUTO_TEST_CASE(a_run_of_another_process_keeps_its_directory)
{
  Victim other([this](const auto &tell) {
    RunDirectory run(output);
    run.write("log.txt", text("other"));
    tell();
    for (;;)
      ::pause();
  });
  check_refused(*this, output, "is being written by another run");

  other.kill();
  RunDirectory run(output);
  write_run(run, "new");
  run.finish();
  BOOST_TEST((content(output) == content_of_run("new")));
}

BOOST_AUTO_TEST_CASE(earlier_results_come_back_if_the_new_ones_are_lost)
{
  put_earlier_run(output);
  const auto   earlier = content(output);
  RunDirectory run(output);
  fs::remove_all(root / "output.unfinished");
  BOOST_CHECK_THROW(run.finish(), std::runtime_error);
  BOOST_TEST((content(output) == earlier));
  BOOST_TEST(!fs::exists(root / "output.replaced"));
}

BOOST_AUTO_TEST_CASE(results_that_were_moved_aside_are_restored)
{
  put_earlier_run(root / "output.replaced");
  set_state(root / "output.replaced", Manifest::State::replaced);
  const auto earlier = content(root / "output.replaced");
  {
    const RunDirectory run(output);
  }
  BOOST_TEST((content(output) == earlier));
  BOOST_TEST(!fs::exists(root / "output.replaced"));
}

BOOST_AUTO_TEST_CASE(results_that_were_replaced_are_removed)
{
  put_earlier_run(output);
  put_earlier_run(root / "output.replaced");
  set_state(root / "output.replaced", Manifest::State::replaced);
  fs::remove(root / "output.replaced" / "summary.json");
  const auto earlier = content(output);
  {
    const RunDirectory run(output);
  }
  BOOST_TEST((content(output) == earlier));
  BOOST_TEST(!fs::exists(root / "output.replaced"));
}

BOOST_AUTO_TEST_CASE(leftovers_of_a_killed_run_do_not_mix_with_the_next)
{
  const fs::path leftover = root / "output.unfinished";
  put(leftover / ".manifest",
      "slender_fem run, unfinished\nfrontier.csv\nlog.txt\nnever_writ");
  put(leftover / ".manifest.1",
      "slender_fem run, unfinished\nfields/shape_0001.vtu\n");
  put(leftover / "frontier.csv", "leftover");
  put(leftover / ".log.txt.part", "leftover");
  put(leftover / ".lock", "");
  put(leftover / "fields" / "shape_0001.vtu", "leftover");
  RunDirectory run(output);
  BOOST_TEST(run.discarded_unfinished_run());
  write_run(run, "new");
  run.finish();
  BOOST_TEST((content(output) == content_of_run("new")));
}

BOOST_AUTO_TEST_CASE(a_run_that_was_killed_as_it_ended_is_replaceable)
{
  put_earlier_run(output);
  put(output / ".lock", "");
  RunDirectory run(output);
  write_run(run, "new");
  run.finish();
  BOOST_TEST((content(output) == content_of_run("new")));
}

BOOST_AUTO_TEST_CASE(a_run_killed_while_it_writes_does_no_harm)
{
  put_earlier_run(output);
  const auto   earlier = content(output);
  std::mt19937 random(1);
  for (unsigned int round = 0; round < 20; ++round)
    {
      Victim victim([this](const auto &tell) {
        RunDirectory run(output);
        tell();
        for (unsigned int file = 0;; ++file)
          {
            run.write("results.csv", write_slowly);
            run.write("fields/shape_" + std::to_string(file % 5) + ".vtu",
                      write_slowly);
          }
      });
      wait_at_random(random);
      victim.kill();

      BOOST_TEST((content(output) == earlier));
      for (const auto &[name, written] : content(root / "output.unfinished"))
        if (written != "folder" && fs::path(name).filename().string()[0] != '.')
          BOOST_TEST(is_complete(written), name);
    }
  RunDirectory run(output);
  write_run(run, "new");
  run.finish();
  BOOST_TEST((content(output) == content_of_run("new")));
}

BOOST_AUTO_TEST_CASE(a_run_killed_while_it_replaces_another_loses_neither)
{
  put_earlier_run(output);
  std::mt19937 random(2);
  for (unsigned int round = 0; round < 40; ++round)
    {
      Victim victim([this](const auto &tell) {
        for (unsigned int i = 0;; ++i)
          {
            RunDirectory run(output);
            write_run(run, "run " + std::to_string(i));
            run.finish();
            if (i == 0)
              tell();
          }
      });
      wait_at_random(random);
      victim.kill();

      {
        const RunDirectory recovery(output);
      }
      const std::string summary = get(output / "summary.json");
      BOOST_REQUIRE(holds(summary, " summary"));
      const std::string word     = summary.substr(0, summary.rfind(' '));
      auto              survivor = content(output);
      survivor.erase(".lock");
      BOOST_TEST(difference(content_of_run(word), survivor) == "");
      BOOST_TEST(!fs::exists(root / "output.replaced"));
      BOOST_TEST(!fs::exists(root / "output.unfinished"));
    }
}

BOOST_AUTO_TEST_CASE(a_file_of_the_users_in_a_folder_of_the_run_is_spared)
{
  {
    RunDirectory run(output);
    write_run(run, "first");
    run.write("fields/shape_0001.vtu", text("shape"));
    run.finish();
  }
  for (const std::string name :
       {"fields/notes.txt", "fields/mine/shape_0001.vtu", ".hidden"})
    {
      put(output / name, "mine");
      check_refused(*this,
                    output,
                    "which is not from an earlier run; choose another");
      fs::remove(output / name);
    }
  fs::remove(output / "fields" / "mine");
  // A folder of their own, and one that leads elsewhere.
  fs::create_directory(output / "mine");
  check_refused(*this, output, "holds 'mine'");
  fs::remove(output / "mine");
  fs::rename(output / "fields", root / "elsewhere");
  fs::create_directory_symlink(root / "elsewhere", output / "fields");
  check_refused(*this, output, "holds 'fields'");
}

BOOST_AUTO_TEST_CASE(a_file_of_the_users_in_an_unfinished_run_is_spared)
{
  {
    RunDirectory run(output);
    run.write("fields/shape_0001.vtu", text("shape"));
    run.keep();
  }
  put(root / "output.unfinished" / "fields" / "notes.txt", "mine");
  check_refused(*this, output, "holds 'fields/notes.txt'");
}

BOOST_AUTO_TEST_CASE(the_page_of_the_report_goes_with_its_run)
{
  put_earlier_run(output);
  put(output / "report.html", "page");
  RunDirectory run(output);
  write_run(run, "new");
  run.finish();
  BOOST_TEST((content(output) == content_of_run("new")));
}

BOOST_AUTO_TEST_CASE(results_without_a_list_of_their_files_are_spared)
{
  put_earlier_run(output);
  fs::remove(output / ".manifest");
  check_refused(*this, output, "results without a list of their files");
}

BOOST_AUTO_TEST_CASE(a_list_that_names_files_elsewhere_is_refused)
{
  put(root / "precious.txt", "mine");
  for (const std::string &name : {std::string("../precious.txt"),
                                  (root / "precious.txt").string(),
                                  std::string("a/../b")})
    {
      put_earlier_run(output);
      put(output / ".manifest", "slender_fem run, finished\n" + name + '\n');
      check_refused(*this, output, "is not a list of the files of a run");
    }
  put(output / ".manifest", "something else\n");
  check_refused(*this, output, "is not a list of the files of a run");
}

BOOST_AUTO_TEST_CASE(finished_runs_are_spared_whatever_their_name)
{
  for (const std::string suffix : {".unfinished", ".replaced"})
    {
      const fs::path other = output.string() + suffix;
      {
        RunDirectory run(other);
        write_run(run, "other");
        run.finish();
      }
      check_refused(*this,
                    output,
                    "needs the name '" + other.string() +
                      "', which holds the results of a finished run; choose "
                      "another directory with --output or move that away");
      fs::remove_all(other);
    }
  // Nor is an unfinished run that somebody has put aside.
  put_earlier_run(root / "output.replaced");
  set_state(root / "output.replaced", Manifest::State::unfinished);
  check_refused(*this, output, "which holds an unfinished run");
}

BOOST_AUTO_TEST_CASE(a_run_that_is_kept_can_be_resumed)
{
  put_earlier_run(output);
  const auto earlier = content(output);
  {
    RunDirectory run(output);
    BOOST_TEST(!run.discarded_unfinished_run());
    BOOST_TEST(!run.is_kept());
    run.write("results.csv", text("first half"));
    run.keep();
    BOOST_TEST(run.is_kept());
  }
  BOOST_TEST((content(output) == earlier));
  {
    RunDirectory run(output, RunDirectory::Begin::resume);
    BOOST_TEST(run.is_resumed());
    BOOST_TEST(get(run.unfinished_path() / "results.csv") == "first half");
    // It stays kept if it is given up again.
  }
  RunDirectory run(output, RunDirectory::Begin::resume);
  write_run(run, "whole");
  run.finish();
  BOOST_TEST((content(output) == content_of_run("whole")));
  BOOST_TEST(!fs::exists(root / "output.unfinished"));
}

BOOST_AUTO_TEST_CASE(a_new_run_discards_an_unfinished_one_and_says_so)
{
  {
    RunDirectory run(output);
    run.write("results.csv", text("first half"));
    run.write("fields/shape_0001.vtu", text("shape"));
    run.keep();
  }
  RunDirectory run(output);
  BOOST_TEST(run.discarded_unfinished_run());
  write_run(run, "new");
  run.finish();
  BOOST_TEST((content(output) == content_of_run("new")));
}

BOOST_AUTO_TEST_CASE(there_has_to_be_something_to_resume)
{
  const auto resume = [this] {
    return message_of(
      [this] { RunDirectory(output, RunDirectory::Begin::resume); });
  };
  check_message(resume(), "has no unfinished run to resume");
  BOOST_TEST(content(root).empty());
  put_earlier_run(output);
  check_message(resume(), "has no unfinished run to resume");

  // What a run leaves that is killed after it was put in place.
  put_earlier_run(root / "output.unfinished");
  set_state(root / "output.unfinished", Manifest::State::replaced);
  check_message(resume(), "has no unfinished run to resume");

  fs::remove_all(root / "output.unfinished");
  put(root / "output.unfinished" / "notes.txt", "mine");
  check_message(resume(), "holds 'notes.txt'");
  fs::remove_all(root / "output.unfinished");

  const RunDirectory running(output);
  check_message(resume(), "is being written by another run");
}

BOOST_AUTO_TEST_CASE(files_of_several_ranks_end_in_one_list)
{
  {
    RunDirectory run(output);
    write_run(run, "new");
    RunFiles other(run.unfinished_path(), 3);
    other.write("fields/piece_3.vtu", text("piece"));
    other.write("fields/gone.vtu", text("gone"));
    other.remove("fields/gone.vtu");
    run.finish();
  }
  const Manifest manifest = Manifest::read(output).value();
  BOOST_TEST((manifest.state == Manifest::State::finished));
  BOOST_TEST((manifest.files == std::set<std::string>{"fields/piece_3.vtu",
                                                      "results.csv",
                                                      "summary.json",
                                                      "used.prm"}));
  BOOST_TEST(!fs::exists(output / ".manifest.3"));
}

BOOST_AUTO_TEST_CASE(directories_are_exchanged_in_one_step_or_in_two)
{
  const fs::path fresh = root / "fresh", aside = root / "aside";
  for (const bool in_one_step : {true, false})
    {
      put(fresh / "file", "new");
      put(output / "file", "old");
      const Exchanged how =
        exchange_directories(fresh, output, aside, in_one_step);
      BOOST_TEST(get(output / "file") == "new");
      const fs::path earlier = how == Exchanged::names ? fresh : aside;
      BOOST_TEST(get(earlier / "file") == "old");
      BOOST_TEST((in_one_step || how == Exchanged::aside));
      fs::remove_all(earlier);
    }
  BOOST_CHECK_THROW(exchange_directories(fresh, output, aside, false),
                    fs::filesystem_error);
  BOOST_TEST(get(output / "file") == "new");
}

BOOST_AUTO_TEST_SUITE_END()

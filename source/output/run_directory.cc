// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/output/directory_claim.h>
#include <slender/output/run_directory.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <sys/stat.h>
#include <vector>

namespace slender
{
  namespace fs = std::filesystem;

  namespace
  {
    /// All that a run may leave at the top of its directory. A directory with
    /// anything else in it is somebody's own and must not be replaced.
    constexpr std::array<const char *, 7> result_files  = {{"results.csv",
                                                            "frontier.csv",
                                                            "solutions.json",
                                                            "summary.json",
                                                            "used.prm",
                                                            "log.txt",
                                                            "report.html"}};
    constexpr const char                 *result_folder = "fields";

    constexpr const char *temporary_suffix = ".part";



    [[noreturn]] void
    refuse(const fs::path &directory, const std::string &reason)
    {
      throw InputError("output directory '" + directory.string() + "' " +
                       reason);
    }



    fs::path
    sibling(const fs::path &path, const std::string &suffix)
    {
      return path.parent_path() / (path.filename().string() + suffix);
    }



    bool
    is_result_file(const fs::path &name)
    {
      return std::find(result_files.begin(), result_files.end(), name) !=
             result_files.end();
    }



    /// What only a run that was killed leaves behind.
    bool
    is_trace(const fs::path &name)
    {
      return name == DirectoryClaim::lock_name ||
             (name.string().front() == '.' &&
              name.extension() == temporary_suffix);
    }



    /// What is in a directory, sorted so that a message does not depend on the
    /// file system; nothing if there is no such directory.
    std::vector<fs::directory_entry>
    entries_of(const fs::path &directory)
    {
      std::error_code        error;
      fs::directory_iterator listing(directory, error);
      if (error && error != std::errc::no_such_file_or_directory)
        throw fs::filesystem_error("cannot list", directory, error);
      std::vector<fs::directory_entry> entries(begin(listing), end(listing));
      std::sort(entries.begin(), entries.end());
      return entries;
    }



    bool
    is_of_a_run(const fs::directory_entry &entry)
    {
      const fs::path  name = entry.path().filename();
      std::error_code ignored;
      return entry.is_directory(ignored)
               ? name == result_folder
               : is_result_file(name) || is_trace(name);
    }



    /// The name of something in the directory that no run can have written.
    std::optional<std::string>
    foreign_name(const fs::path &directory)
    {
      for (const fs::directory_entry &entry : entries_of(directory))
        if (!is_of_a_run(entry))
          return entry.path().filename().string();
      return {};
    }



    /// Like foreign_name(), but without the files that every finished run has,
    /// even familiar names do not make the directory one of ours.
    std::optional<std::string>
    name_not_of_a_run(const fs::path &directory)
    {
      std::vector<std::string> names;
      for (const fs::directory_entry &entry : entries_of(directory))
        {
          const fs::path name = entry.path().filename();
          if (!is_of_a_run(entry))
            return name.string();
          if (!is_trace(name))
            names.push_back(name.string());
        }
      const auto is_there = [&names](const char *name) {
        return std::find(names.begin(), names.end(), name) != names.end();
      };
      if (names.empty() || (is_there("summary.json") && is_there("used.prm")))
        return {};
      return names.front();
    }



    bool
    contains_working_directory(const fs::path &directory)
    {
      std::error_code ignored;
      fs::path        place = fs::current_path();
      while (!fs::equivalent(place, directory, ignored))
        {
          if (place == place.root_path())
            return false;
          place = place.parent_path();
        }
      return true;
    }



    /// The directory itself: without slashes or dots at its end, and what a
    /// link points to rather than the link, which a renaming would replace.
    fs::path
    resolved(const fs::path &directory)
    {
      if (directory.empty())
        throw InputError("the output directory has an empty name; "
                         "choose one with --output");
      fs::path place = directory;
      while (place.has_relative_path() &&
             (place.filename().empty() || place.filename() == "."))
        place = place.parent_path();
      if (place.empty())
        place = fs::current_path();

      if (fs::is_symlink(place) && !fs::exists(place))
        refuse(directory,
               "is a link to something that does not exist; "
               "choose another directory with --output");
      if (fs::is_symlink(place) || place.filename() == "..")
        place = fs::canonical(place);
      // Replacing it would pull the ground from under the user's shell.
      if (contains_working_directory(place))
        refuse(directory,
               "is the working directory or contains it; "
               "choose another directory with --output");
      return place;
    }



    bool
    is_mount_point(const fs::path &directory)
    {
      struct stat inside  = {};
      struct stat outside = {};
      return ::stat(directory.c_str(), &inside) == 0 &&
             ::stat((directory / "..").c_str(), &outside) == 0 &&
             inside.st_dev != outside.st_dev;
    }



    void
    require_replaceable(const fs::path &directory)
    {
      const fs::file_status status = fs::status(directory);
      if (!fs::exists(status))
        return;
      if (!fs::is_directory(status))
        refuse(directory, "is a file; choose another directory with --output");
      if (is_mount_point(directory))
        refuse(directory,
               "is a mount point, which cannot be replaced as a whole; "
               "choose a directory inside it with --output");
      if (const auto name = name_not_of_a_run(directory))
        refuse(directory,
               "holds '" + *name +
                 "', which is not from an earlier run; choose another "
                 "directory with --output or empty it");
    }



    /// A directory that we are about to remove must be the trace of a run.
    void
    require_leftover(const fs::path &directory, const fs::path &leftover)
    {
      const fs::file_status status = fs::symlink_status(leftover);
      if (!fs::exists(status))
        return;
      const std::string needed = "needs the name '" + leftover.string() + "', ";
      const std::string remedy =
        "; choose another directory with --output or move that away";
      if (!fs::is_directory(status))
        refuse(directory, needed + "which is not a directory" + remedy);
      if (const auto name = foreign_name(leftover))
        refuse(directory,
               needed + "which holds '" + *name +
                 "' that is not from an earlier run" + remedy);
    }



    /// An earlier run that was killed while it exchanged the directories left
    /// the results before it under another name.
    void
    restore_or_remove(const fs::path &replaced, const fs::path &final_path)
    {
      if (!fs::exists(replaced))
        return;
      if (fs::exists(final_path))
        fs::remove_all(replaced);
      else
        fs::rename(replaced, final_path);
    }



    void
    exchange(const fs::path &unfinished,
             const fs::path &final_path,
             const fs::path &replaced)
    {
      const bool replaces = fs::exists(final_path);
      if (replaces)
        fs::rename(final_path, replaced);
      try
        {
          fs::rename(unfinished, final_path);
        }
      catch (const fs::filesystem_error &)
        {
          std::error_code ignored;
          if (replaces)
            fs::rename(replaced, final_path, ignored);
          throw;
        }
    }



    bool
    names_a_result(const fs::path &path)
    {
      if (path != path.lexically_normal() || !path.has_filename())
        return false;
      return path.has_parent_path() ? *path.begin() == result_folder
                                    : is_result_file(path);
    }



    /// False if not all could be written.
    bool
    fill(const fs::path                            &file,
         const std::function<void(std::ostream &)> &writer)
    {
      std::ofstream out(file, std::ios::binary);
      if (out)
        writer(out);
      out.close();
      return !out.fail();
    }
  } // namespace



  RunDirectory::RunDirectory(const fs::path &directory)
  {
    try
      {
        final_path      = resolved(directory);
        unfinished_path = sibling(final_path, ".unfinished");

        // All that can be refused is refused before anything is touched.
        const fs::path replaced = sibling(final_path, ".replaced");
        require_replaceable(final_path);
        require_leftover(final_path, unfinished_path);
        require_leftover(final_path, replaced);

        claim = DirectoryClaim::take(unfinished_path);
        if (!claim)
          refuse(final_path,
                 "is being written by another run; wait for its end or choose "
                 "another directory with --output");
        restore_or_remove(replaced, final_path);
      }
    catch (const fs::filesystem_error &error)
      {
        refuse(directory,
               "cannot be written: '" + error.path1().string() +
                 "': " + error.code().message() +
                 "; choose another directory with --output");
      }
  }



  RunDirectory::~RunDirectory() = default;



  void
  RunDirectory::write(const fs::path                            &relative_path,
                      const std::function<void(std::ostream &)> &writer)
  {
    if (!claim)
      throw std::logic_error("the run directory is finished");
    // The next run would refuse to replace a directory with unknown names.
    if (!names_a_result(relative_path))
      throw std::logic_error("'" + relative_path.string() +
                             "' is not a file that a run may write");

    const fs::path file = unfinished_path / relative_path;
    const fs::path temporary =
      file.parent_path() / ('.' + file.filename().string() + temporary_suffix);
    try
      {
        fs::create_directories(file.parent_path());
        if (!fill(temporary, writer))
          throw std::runtime_error("cannot write '" + file.string() +
                                   "': the disk may be full");
        fs::rename(temporary, file);
      }
    catch (...)
      {
        std::error_code ignored;
        fs::remove(temporary, ignored);
        throw;
      }
  }



  void
  RunDirectory::finish()
  {
    if (!claim)
      throw std::logic_error("the run directory is finished already");
    // Results that cannot be put in place are not thrown away.
    claim->keep();
    const std::unique_ptr<DirectoryClaim> ending = std::move(claim);
    const fs::path replaced = sibling(final_path, ".replaced");
    try
      {
        // Somebody may have put files there since we began.
        require_replaceable(final_path);
        exchange(unfinished_path, final_path, replaced);
      }
    catch (const std::runtime_error &error)
      {
        throw std::runtime_error(std::string(error.what()) +
                                 "; the results of this run are in '" +
                                 unfinished_path.string() + "'");
      }
    std::error_code ignored;
    fs::remove(final_path / DirectoryClaim::lock_name, ignored);
    fs::remove_all(replaced, ignored);
  }



  const fs::path &
  RunDirectory::path() const
  {
    return final_path;
  }
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/output/directory_claim.h>
#include <slender/output/exchange.h>
#include <slender/output/manifest.h>
#include <slender/output/open_file.h>
#include <slender/output/run_directory.h>

#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <sys/stat.h>
#include <utility>

namespace slender
{
  namespace fs = std::filesystem;

  namespace
  {
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



    /// Refuses a directory in which there is anything that no run wrote.
    /// Nothing is read of one that does not exist.
    std::optional<Manifest>
    manifest_without_foreign_files(const fs::path    &asked_for,
                                   const fs::path    &directory,
                                   const std::string &place,
                                   const std::string &remedy)
    {
      std::optional<Manifest> manifest = Manifest::read(directory);
      const auto              foreign =
        manifest.value_or(Manifest()).foreign_file(directory);
      if (foreign && !manifest && fs::exists(directory / "summary.json") &&
          fs::exists(directory / "used.prm"))
        refuse(asked_for,
               place +
                 "holds results without a list of their files, as "
                 "version 0.1.0 wrote them" +
                 remedy);
      if (foreign)
        refuse(asked_for,
               place + "holds '" + *foreign +
                 "', which is not from an earlier run" + remedy);
      return manifest;
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
      manifest_without_foreign_files(directory,
                                     directory,
                                     "",
                                     "; choose another directory with --output "
                                     "or empty it");
    }



    /// What is found under a name that only a run that was killed leaves.
    enum class Leftover
    {
      none,
      unfinished, ///< a run that was killed, perhaps before it wrote anything
      replaced    ///< results that were being removed
    };



    /// A directory that we are about to take over must be the trace of a run.
    /// Finished results are not, whatever their name.
    Leftover
    inspect_leftover(const fs::path &directory, const fs::path &leftover)
    {
      const fs::file_status status = fs::symlink_status(leftover);
      if (!fs::exists(status))
        return Leftover::none;
      const std::string needed = "needs the name '" + leftover.string() + "', ";
      const std::string remedy =
        "; choose another directory with --output or move that away";
      if (!fs::is_directory(status))
        refuse(directory, needed + "which is not a directory" + remedy);
      const std::optional<Manifest> manifest = manifest_without_foreign_files(
        directory, leftover, needed + "which ", remedy);
      if (!manifest)
        return Leftover::unfinished;
      if (manifest->state == Manifest::State::finished)
        refuse(directory,
               needed + "which holds the results of a finished run" + remedy);
      return manifest->state == Manifest::State::replaced
               ? Leftover::replaced
               : Leftover::unfinished;
    }



    /// Removes the files of a run and, if nothing else is in it, its
    /// directory. Unless another run has taken it over: then that is its
    /// business.
    void
    remove_run(const fs::path &directory)
    {
      if (const auto claim = DirectoryClaim::take(directory))
        if (const auto manifest = Manifest::read(directory))
          manifest->remove_files(directory);
    }



    void
    set_state(const fs::path &directory, const Manifest::State state)
    {
      std::optional<Manifest> manifest = Manifest::read(directory);
      if (manifest && manifest->state != state)
        {
          manifest->state = state;
          manifest->write(directory);
        }
    }



    /// Results in their place are finished, even if the run that put them
    /// there was killed before it could say so.
    void
    declare_finished(const fs::path &final_path)
    {
      if (!fs::exists(final_path))
        return;
      set_state(final_path, Manifest::State::finished);
      std::error_code ignored;
      fs::remove(final_path / DirectoryClaim::lock_name, ignored);
      fs::remove(final_path / Manifest::temporary_name(Manifest::file_name),
                 ignored);
    }



    /// An earlier run that was killed while it exchanged the directories left
    /// the results before it under another name.
    void
    restore_or_remove(const fs::path &replaced, const fs::path &final_path)
    {
      if (!fs::exists(replaced))
        return;
      if (fs::exists(final_path))
        remove_run(replaced);
      else
        fs::rename(replaced, final_path);
    }



    /// Once the directories are exchanged the run is in place, and whatever
    /// fails then is made up for by the next one.
    void
    replace(const fs::path &unfinished,
            const fs::path &final_path,
            const fs::path &replaced)
    {
      const Exchanged how =
        exchange_directories(unfinished, final_path, replaced);
      try
        {
          sync_to_disk(fs::absolute(final_path).parent_path());
          declare_finished(final_path);
          if (how == Exchanged::names)
            remove_run(unfinished);
          else if (how == Exchanged::aside)
            remove_run(replaced);
        }
      catch (const std::exception &)
        {}
    }



    /// All that the run wrote is on the disk, in one list.
    void
    complete(const fs::path &directory)
    {
      std::optional<Manifest> whole = Manifest::read(directory);
      if (!whole)
        throw std::runtime_error("'" + directory.string() +
                                 "' has lost the list of its files");
      std::set<std::string> present;
      std::set<fs::path>    folders;
      std::error_code       ignored;
      for (const std::string &name : whole->files)
        {
          const fs::path file = directory / name;
          fs::remove(Manifest::temporary_name(file), ignored);
          if (!fs::exists(file))
            continue;
          sync_to_disk(file);
          present.insert(name);
          folders.insert(file.parent_path());
        }
      whole->files = std::move(present);
      whole->write(directory);
      folders.insert(directory);
      for (const fs::path &folder : folders)
        sync_to_disk(folder);
    }
  } // namespace



  RunDirectory::RunDirectory(const fs::path &directory, const Begin begin)
    : resumed(begin == Begin::resume)
  {
    try
      {
        final_path = resolved(directory);
        unfinished = sibling(final_path, ".unfinished");

        // All that can be refused is refused before anything is touched.
        const fs::path replaced = sibling(final_path, ".replaced");
        require_replaceable(final_path);
        const auto require_something_to_resume = [&](const Leftover leftover) {
          if (resumed && (leftover != Leftover::unfinished ||
                          !fs::exists(unfinished / Manifest::file_name)))
            refuse(final_path,
                   "has no unfinished run to resume (there is no '" +
                     unfinished.string() + "'); run without --resume");
        };
        const auto refuse_claimed = [&] {
          refuse(final_path,
                 "is being written by another run; wait for its end or choose "
                 "another directory with --output");
        };
        // A run at work has files that its list does not have yet.
        if (DirectoryClaim::is_taken(unfinished))
          refuse_claimed();
        require_something_to_resume(inspect_leftover(final_path, unfinished));
        if (inspect_leftover(final_path, replaced) == Leftover::unfinished &&
            fs::exists(replaced / Manifest::file_name))
          refuse(final_path,
                 "needs the name '" + replaced.string() +
                   "', which holds an unfinished run; choose another "
                   "directory with --output or move that away");

        claim = DirectoryClaim::take(unfinished);
        if (!claim)
          refuse_claimed();
        restore_or_remove(replaced, final_path);
        declare_finished(final_path);

        // Only now nobody else can change it.
        const Leftover leftover = inspect_leftover(final_path, unfinished);
        require_something_to_resume(leftover);
        if (resumed)
          claim->keep();
        else if (const auto manifest = Manifest::read(unfinished))
          {
            discarded =
              leftover == Leftover::unfinished && !manifest->files.empty();
            manifest->remove_files(unfinished);
          }
        own_files = std::make_unique<RunFiles>(unfinished, 0);
      }
    catch (const fs::filesystem_error &error)
      {
        refuse(directory,
               "cannot be written: '" + error.path1().string() +
                 "': " + error.code().message() +
                 "; choose another directory with --output");
      }
    catch (const DiskError &error)
      {
        refuse(directory,
               std::string("cannot be written: ") + error.what() +
                 "; choose another directory with --output");
      }
  }



  RunDirectory::~RunDirectory()
  {
    if (!claim || claim->is_kept())
      return;
    try
      {
        own_files.reset();
        if (const auto manifest = Manifest::read(unfinished))
          manifest->remove_files(unfinished);
      }
    catch (const std::exception &)
      {
        // It stays; the next run says what is wrong with it.
        claim->keep();
      }
  }



  bool
  RunDirectory::discarded_unfinished_run() const
  {
    return discarded;
  }



  bool
  RunDirectory::is_resumed() const
  {
    return resumed;
  }



  RunFiles &
  RunDirectory::files()
  {
    if (!claim)
      throw std::logic_error("the run directory is finished");
    return *own_files;
  }



  void
  RunDirectory::write(const fs::path                            &name,
                      const std::function<void(std::ostream &)> &writer)
  {
    files().write(name, writer);
  }



  void
  RunDirectory::keep()
  {
    if (claim)
      claim->keep();
  }



  bool
  RunDirectory::is_kept() const
  {
    return !claim || claim->is_kept();
  }



  void
  RunDirectory::finish()
  {
    if (!claim)
      throw std::logic_error("the run directory is finished already");
    // Results that cannot be put in place are not thrown away.
    claim->keep();
    const std::unique_ptr<DirectoryClaim> ending = std::move(claim);
    own_files.reset();
    const fs::path replaced = sibling(final_path, ".replaced");
    try
      {
        complete(unfinished);
        // Somebody may have put files there since we began.
        require_replaceable(final_path);
        if (fs::exists(final_path))
          set_state(final_path, Manifest::State::replaced);
        replace(unfinished, final_path, replaced);
      }
    catch (const DiskError &)
      {
        // The run can be resumed when there is room.
        throw;
      }
    catch (const std::runtime_error &error)
      {
        try
          {
            // They are results of their own now, which the next run spares.
            declare_finished(unfinished);
            declare_finished(final_path);
          }
        catch (const std::exception &)
          {
            // The first complaint is the one that matters.
          }
        throw std::runtime_error(std::string(error.what()) +
                                 "; the results of this run are in '" +
                                 unfinished.string() + "'");
      }
  }



  const fs::path &
  RunDirectory::path() const
  {
    return final_path;
  }



  const fs::path &
  RunDirectory::unfinished_path() const
  {
    return unfinished;
  }
} // namespace slender

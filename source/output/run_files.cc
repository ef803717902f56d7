// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/output/manifest.h>
#include <slender/output/open_file.h>
#include <slender/output/run_files.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace slender
{
  namespace fs = std::filesystem;

  namespace
  {
    /// So that their number does not grow with the length of a run.
    constexpr std::size_t max_unsynced = 256;



    std::string
    manifest_name(const int rank)
    {
      return rank == 0 ? Manifest::file_name
                       : Manifest::file_name + ("." + std::to_string(rank));
    }



    /// Where the last whole line of a file ends: a line that was being written
    /// when a run was killed is written anew.
    std::int64_t
    end_of_lines(const fs::path &file)
    {
      std::ifstream     in(file, std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(in), {}};
      return static_cast<std::int64_t>(text.rfind('\n') + 1);
    }



    /// Filesystem errors while we write are those of the disk.
    template <typename Work>
    void
    as_disk_error(const fs::path &file, const Work &work)
    {
      try
        {
          work();
        }
      catch (const fs::filesystem_error &error)
        {
          throw_disk_error(file, error.code().value());
        }
    }
  } // namespace



  RunFiles::RunFiles(const fs::path &directory, const int rank_of_process)
    : place(directory)
    , rank(rank_of_process)
  {
    // That of the first rank says what the directory is.
    if (rank == 0)
      open_manifest();
  }



  void
  RunFiles::open_manifest()
  {
    const fs::path file = place / manifest_name(rank);
    manifest     = std::make_unique<OpenFile>(file, OpenFile::Mode::extend);
    manifest_end = end_of_lines(file);
    manifest->truncate(manifest_end);
    if (manifest_end == 0)
      list(Manifest::header(Manifest::State::unfinished));
  }



  const fs::path &
  RunFiles::directory() const
  {
    return place;
  }



  void
  RunFiles::list(const std::string &line)
  {
    if (!manifest)
      open_manifest();
    try
      {
        manifest->write(line + '\n', manifest_end);
      }
    catch (const DiskError &)
      {
        manifest->truncate(manifest_end);
        throw;
      }
    manifest_end += static_cast<std::int64_t>(line.size()) + 1;
  }



  fs::path
  RunFiles::announce(const fs::path &name)
  {
    if (!Manifest::may_list(name))
      throw std::logic_error("'" + name.string() +
                             "' is not a file that a run may write");
    fs::path file = place / name;
    as_disk_error(file, [&] {
      // What is there was listed when it was written.
      if (!fs::exists(fs::symlink_status(file)))
        list(name.string());
      fs::create_directories(file.parent_path());
    });
    return file;
  }



  void
  RunFiles::write(const fs::path                            &name,
                  const std::function<void(std::ostream &)> &writer)
  {
    const fs::path file      = announce(name);
    const fs::path temporary = Manifest::temporary_name(file);
    try
      {
        errno = 0;
        std::ofstream out(temporary, std::ios::binary);
        if (out)
          writer(out);
        out.close();
        if (out.fail())
          throw_disk_error(file, errno != 0 ? errno : ENOSPC);
        as_disk_error(file, [&] { fs::rename(temporary, file); });
      }
    catch (...)
      {
        std::error_code ignored;
        fs::remove(temporary, ignored);
        throw;
      }
    unsynced.insert(name.string());
    if (unsynced.size() >= max_unsynced)
      sync();
  }



  void
  RunFiles::remove(const fs::path &name)
  {
    as_disk_error(place / name, [&] { fs::remove(place / name); });
    unsynced.erase(name.string());
  }



  void
  RunFiles::sync()
  {
    std::set<fs::path> folders = {place};
    for (const std::string &name : unsynced)
      {
        // The first rank may have removed it, with a shape that fell out.
        if (!fs::exists(place / name))
          continue;
        sync_to_disk(place / name);
        folders.insert((place / name).parent_path());
      }
    for (const fs::path &folder : folders)
      sync_to_disk(folder);
    if (manifest)
      manifest->sync();
    unsynced.clear();
  }
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/output/directory_claim.h>
#include <slender/output/manifest.h>
#include <slender/output/open_file.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <stdexcept>
#include <utility>
#include <vector>

namespace slender
{
  namespace fs = std::filesystem;

  namespace
  {
    /// What scripts/report adds to a finished run.
    constexpr const char *report_page = "report.html";

    constexpr std::array<std::pair<Manifest::State, const char *>, 3> headers =
      {{{Manifest::State::unfinished, "slender_fem run, unfinished"},
        {Manifest::State::finished, "slender_fem run, finished"},
        {Manifest::State::replaced, "slender_fem run, replaced"}}};



    /// ".manifest" or ".manifest.12".
    bool
    is_manifest_name(const std::string &name)
    {
      const std::string first = Manifest::file_name;
      if (name == first)
        return true;
      const std::string prefix = first + '.';
      return name.size() > prefix.size() &&
             name.compare(0, prefix.size(), prefix) == 0 &&
             name.find_first_not_of("0123456789", prefix.size()) ==
               std::string::npos;
    }



    std::vector<fs::path>
    manifests_in(const fs::path &directory)
    {
      std::vector<fs::path> result;
      for (const fs::directory_entry &entry : fs::directory_iterator(directory))
        if (is_manifest_name(entry.path().filename().string()) &&
            entry.symlink_status().type() == fs::file_type::regular)
          result.push_back(entry.path());
      std::sort(result.begin(), result.end());
      return result;
    }



    [[noreturn]] void
    refuse(const fs::path &file, const std::string &reason)
    {
      throw InputError("'" + file.string() +
                       "' is not a list of the files of a run: " + reason +
                       "; move its directory away");
    }



    void
    read_into(Manifest &manifest, const fs::path &file)
    {
      std::ifstream in(file);
      std::string   line;
      std::getline(in, line);
      const auto header =
        std::find_if(headers.begin(), headers.end(), [&line](const auto &item) {
          return line == item.second;
        });
      if (header == headers.end())
        {
          // A run that was killed as it created the file.
          if (in.eof())
            return;
          refuse(file, "it does not begin as one");
        }
      if (file.filename() == Manifest::file_name)
        manifest.state = header->first;
      while (std::getline(in, line))
        {
          // A last line without an end was being written when the run was
          // killed; its file does not exist.
          if (in.eof())
            break;
          if (!Manifest::may_list(line))
            refuse(file, "it names what no run writes");
          manifest.files.insert(line);
        }
    }



    /// Whether all folders on the way to a file are folders and not links,
    /// which would lead elsewhere.
    bool
    is_inside(const fs::path &directory, const fs::path &name)
    {
      fs::path place = directory;
      for (const fs::path &folder : name.parent_path())
        {
          place /= folder;
          std::error_code ignored;
          if (fs::symlink_status(place, ignored).type() !=
              fs::file_type::directory)
            return false;
        }
      return true;
    }
  } // namespace



  const char *
  Manifest::header(const State state)
  {
    for (const auto &[candidate, line] : headers)
      if (candidate == state)
        return line;
    throw std::logic_error("unknown state of a run");
  }



  fs::path
  Manifest::temporary_name(const fs::path &file)
  {
    return file.parent_path() / ('.' + file.filename().string() + ".part");
  }



  bool
  Manifest::may_list(const fs::path &name)
  {
    const std::string text = name.string();
    if (name.empty() || name.is_absolute() || name != name.lexically_normal() ||
        !name.has_filename() ||
        std::any_of(text.begin(), text.end(), [](char c) {
          return static_cast<unsigned char>(c) < 32 || c == 127;
        }))
      return false;
    // Hidden names are the run's own, and ".." leads out.
    return std::none_of(name.begin(), name.end(), [](const fs::path &part) {
      return part.string().front() == '.';
    });
  }



  std::optional<Manifest>
  Manifest::read(const fs::path &directory)
  {
    const std::vector<fs::path> parts = manifests_in(directory);
    if (parts.empty())
      return {};
    Manifest result;
    for (const fs::path &part : parts)
      read_into(result, part);
    return result;
  }



  void
  Manifest::write(const fs::path &directory) const
  {
    const fs::path file      = directory / file_name;
    const fs::path temporary = temporary_name(file);
    std::string    text      = header(state);
    text += '\n';
    for (const std::string &name : files)
      text += name + '\n';
    {
      OpenFile out(temporary, OpenFile::Mode::create);
      out.write(text, 0);
      out.sync();
    }
    fs::rename(temporary, file);
    for (const fs::path &part : manifests_in(directory))
      if (part.filename() != file_name)
        fs::remove(part);
  }



  std::optional<std::string>
  Manifest::foreign_file(const fs::path &directory) const
  {
    std::set<std::string> known = {report_page,
                                   DirectoryClaim::lock_name,
                                   temporary_name(file_name).string()};
    std::set<std::string> folders;
    for (const fs::path name : files)
      {
        known.insert(name.string());
        known.insert(temporary_name(name).string());
        for (fs::path folder = name.parent_path(); !folder.empty();
             folder          = folder.parent_path())
          folders.insert(folder.string());
      }

    std::set<std::string> foreign;
    for (const fs::directory_entry &entry :
         fs::recursive_directory_iterator(directory))
      {
        const std::string name =
          entry.path().lexically_relative(directory).string();
        const bool is_folder =
          entry.symlink_status().type() == fs::file_type::directory;
        if (is_folder ? folders.count(name) == 0
                      : known.count(name) == 0 && !is_manifest_name(name))
          foreign.insert(name);
      }
    if (foreign.empty())
      return {};
    return *foreign.begin();
  }



  void
  Manifest::remove_files(const fs::path &directory) const
  {
    std::error_code       ignored;
    std::set<std::string> folders;
    const auto            remove = [&](const fs::path &name) {
      // A folder of the same name would be somebody's own.
      if (fs::symlink_status(directory / name, ignored).type() !=
          fs::file_type::directory)
        fs::remove(directory / name, ignored);
    };
    for (const fs::path name : files)
      if (is_inside(directory, name))
        {
          remove(name);
          remove(temporary_name(name));
          for (fs::path folder = name.parent_path(); !folder.empty();
               folder          = folder.parent_path())
            folders.insert(folder.string());
        }
    // The deeper ones are behind those that hold them.
    for (auto folder = folders.rbegin(); folder != folders.rend(); ++folder)
      fs::remove(directory / *folder, ignored);
    remove(report_page);
    remove(temporary_name(file_name));
    for (const fs::path &part : manifests_in(directory))
      fs::remove(part, ignored);
  }
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/output/series_file.h>
#include <slender/output/shape_file.h>
#include <slender/output/xml.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iomanip>
#include <ostream>
#include <sstream>
#include <utility>

namespace slender
{
  namespace fs = std::filesystem;

  namespace
  {
    const std::string footer = "</Collection>\n</VTKFile>\n";

    fs::path
    file_name(const std::string &series)
    {
      return fs::path("fields") / (series + ".pvd");
    }



    /// "--" may not stand in a comment.
    std::string
    comment(std::string text)
    {
      for (std::size_t i = 0; (i = text.find("--", i)) != std::string::npos;)
        text[i + 1] = ' ';
      return "<!-- " + xml::escaped(text) + " -->\n";
    }



    std::string
    stride_comment(const std::int64_t stride)
    {
      return comment("shapes: multiples of " + std::to_string(stride));
    }



    std::string
    header(const std::string &time_name, const std::int64_t stride)
    {
      return "<?xml version=\"1.0\"?>\n" + comment("time: " + time_name) +
             stride_comment(stride) +
             "<VTKFile type=\"Collection\" version=\"1.0\" " +
             xml::byte_order() + ">\n<Collection>\n";
    }



    std::string
    line_of(const SeriesFile::Entry &entry)
    {
      return "<DataSet " + xml::attribute("timestep", xml::digits(entry.time)) +
             ' ' + xml::attribute("file", entry.file) + "/>\n";
    }



    [[noreturn]] void
    refuse(const fs::path &file, const std::string &reason)
    {
      throw InputError("the series '" + file.string() +
                       "' cannot be continued: " + reason);
    }



    template <typename Number>
    Number
    parsed(const fs::path &file, const std::string &text)
    {
      Number      number = 0;
      const char *end    = text.data() + text.size();
      const auto  result = std::from_chars(text.data(), end, number);
      if (result.ec != std::errc() || result.ptr != end)
        refuse(file, "'" + text + "' is not a number");
      return number;
    }



    std::string
    value_of(const fs::path    &file,
             const std::string &line,
             const std::string &attribute)
    {
      const std::string opening = ' ' + attribute + "=\"";
      const std::size_t begin   = line.find(opening);
      if (begin == std::string::npos)
        refuse(file, "a shape has no '" + attribute + "'");
      const std::size_t first = begin + opening.size();
      return xml::unescaped(line.substr(first, line.find('"', first) - first));
    }



    /// The number that stem() put into a name.
    std::int64_t
    number_in(const fs::path &file, const std::string &name)
    {
      const std::size_t dot   = name.rfind('.');
      const std::size_t begin = name.rfind('_', dot);
      if (dot == std::string::npos || begin == std::string::npos)
        refuse(file, "'" + name + "' has no number");
      return parsed<std::int64_t>(file,
                                  name.substr(begin + 1, dot - begin - 1));
    }



    struct Content
    {
      std::string                    time_comment;
      std::string                    stride_comment;
      std::vector<SeriesFile::Entry> entries;
    };



    Content
    content_of(const fs::path &file)
    {
      std::ifstream in(file);
      if (!in)
        refuse(file, "it cannot be read");
      Content     content;
      std::string line;
      std::getline(in, line);
      std::getline(in, content.time_comment);
      std::getline(in, content.stride_comment);
      while (std::getline(in, line))
        if (line.rfind("<DataSet ", 0) == 0)
          {
            SeriesFile::Entry entry;
            entry.file = value_of(file, line, "file");
            entry.time = parsed<double>(file, value_of(file, line, "timestep"));
            entry.number = number_in(file, entry.file);
            content.entries.push_back(entry);
          }
      return content;
    }
  } // namespace



  fs::path
  SeriesFile::stem(const std::string &name, const std::int64_t number)
  {
    std::ostringstream text;
    text << name << '_' << std::setw(4) << std::setfill('0') << number;
    return fs::path("fields") / text.str();
  }



  std::vector<SeriesFile::Entry>
  SeriesFile::read(const fs::path &file)
  {
    return content_of(file).entries;
  }



  SeriesFile::SeriesFile(RunFiles          &run_files,
                         const std::string &series_name,
                         const std::string &name_of_time)
    : files(run_files)
    , name(series_name)
    , time_name(name_of_time)
  {
    files.remove(file_name(name));
  }



  SeriesFile::SeriesFile(RunFiles          &run_files,
                         const std::string &series_name,
                         const std::string &name_of_time,
                         const Position     position)
    : files(run_files)
    , name(series_name)
    , time_name(name_of_time)
    , reached(position)
  {
    const fs::path path = files.directory() / file_name(name);
    if (position.shapes == 0 && !fs::exists(path))
      return;
    const Content content = content_of(path);
    if (content.time_comment + '\n' != comment("time: " + time_name))
      refuse(path, "its time is not '" + time_name + "'");
    const bool is_thinned =
      content.stride_comment + '\n' != stride_comment(position.stride);
    const auto n_wanted = static_cast<std::size_t>(position.shapes);
    if (position.shapes < 0 || position.stride < 1 ||
        (!is_thinned && content.entries.size() < n_wanted))
      refuse(path, "it has fewer shapes than at the checkpoint");

    std::vector<Entry> kept, dropped;
    for (std::size_t i = 0; i < content.entries.size(); ++i)
      {
        const Entry &entry = content.entries[i];
        const bool   is_wanted =
          is_thinned ? entry.number <= position.last : i < n_wanted;
        (is_wanted ? kept : dropped).push_back(entry);
      }
    reached.shapes = 0;
    if (kept.empty())
      files.remove(file_name(name));
    else
      write_all(kept);
    for (const Entry &entry : dropped)
      remove_shape(files, stem(name, entry.number));
  }



  void
  SeriesFile::add(const Entry &entry)
  {
    if (!file)
      {
        write_all({entry});
        reached.last = std::max(reached.last, entry.number);
        return;
      }
    const std::string line = line_of(entry);
    try
      {
        file->write(line + footer, end);
      }
    catch (const DiskError &)
      {
        // The room that the last lines had is still ours.
        file->write(footer, end);
        file->truncate(end + static_cast<std::int64_t>(footer.size()));
        throw;
      }
    end += static_cast<std::int64_t>(line.size());
    ++reached.shapes;
    reached.last = std::max(reached.last, entry.number);
  }



  void
  SeriesFile::thin(const std::int64_t stride)
  {
    if (stride == reached.stride)
      return;
    if (!file)
      {
        reached.stride = stride;
        return;
      }
    std::vector<Entry> kept;
    for (const Entry &entry : read(files.directory() / file_name(name)))
      if (entry.number % stride == 0)
        kept.push_back(entry);
    const std::int64_t before = std::exchange(reached.stride, stride);
    // First no longer listed, then removed: the series is complete all along.
    write_all(kept);
    // Also those that a run which was killed here had no time to remove.
    for (std::int64_t number = 0; number <= reached.last; number += before)
      if (number % stride != 0)
        remove_shape(files, stem(name, number));
  }



  SeriesFile::Position
  SeriesFile::position() const
  {
    return reached;
  }



  void
  SeriesFile::sync()
  {
    if (file)
      file->sync();
  }



  void
  SeriesFile::write_all(const std::vector<Entry> &entries)
  {
    std::string text = header(time_name, reached.stride);
    for (const Entry &entry : entries)
      text += line_of(entry);
    files.write(file_name(name),
                [&text](std::ostream &out) { out << text << footer; });
    file = std::make_unique<OpenFile>(files.directory() / file_name(name),
                                      OpenFile::Mode::extend);
    end  = static_cast<std::int64_t>(text.size());
    reached.shapes = static_cast<std::int64_t>(entries.size());
  }
} // namespace slender

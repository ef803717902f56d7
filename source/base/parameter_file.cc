// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/declared_parameters.h>
#include <slender/base/parameter_file.h>
#include <slender/base/parameter_path.h>
#include <slender/base/parameter_words.h>
#include <slender/base/printable.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

namespace slender
{
  namespace
  {
    using namespace parameter_words;
    using Setting = ParameterFile::Setting;

    bool
    is_utf8(const std::string &text)
    {
      try
        {
          (void)nlohmann::json(text).dump();
          return true;
        }
      catch (const nlohmann::json::exception &)
        {
          return false;
        }
    }

    /// The last one, or none.
    const Setting *
    winning_setting(const std::vector<Setting> &settings,
                    const std::string          &path)
    {
      const auto found = std::find_if(settings.rbegin(),
                                      settings.rend(),
                                      [&](const Setting &setting) {
                                        return setting.path == path;
                                      });
      return found == settings.rend() ? nullptr : &*found;
    }



    struct FoundFile
    {
      std::filesystem::path                path;
      std::optional<std::filesystem::path> other; ///< not the same file
    };

    /// The first of some directories in which there is such a file decides;
    /// where there is none, the name stays as it is.
    FoundFile
    find_file(const std::string                        &name,
              const std::vector<std::filesystem::path> &directories)
    {
      std::vector<std::filesystem::path> found;
      std::error_code                    error;
      for (const auto &directory : directories)
        {
          const auto path = (directory / name).lexically_normal();
          if (!std::filesystem::exists(path, error))
            continue;
          if (found.empty())
            found.push_back(path);
          else if (!std::filesystem::equivalent(found[0], path, error))
            return {found[0], path};
        }
      if (found.empty())
        return {name, {}};
      return {found[0], {}};
    }

    std::string
    content_of(const std::filesystem::path &file, const std::string &blame)
    {
      std::error_code error;
      const auto      status = std::filesystem::status(file, error);
      if (status.type() == std::filesystem::file_type::not_found)
        fail(blame, "there is no such file; a .prm file is expected");
      if (status.type() == std::filesystem::file_type::directory)
        fail(blame, "this is a directory; a .prm file is expected");
      // A pipe may never end, and opening one may wait for ever.
      if (std::filesystem::exists(status) &&
          !std::filesystem::is_regular_file(status))
        fail(blame, "this is not an ordinary file; a .prm file is expected");

      errno = 0;
      std::ifstream in(file, std::ios::binary);
      if (!in)
        fail(blame,
             "the file cannot be opened (" +
               std::generic_category().message(errno) +
               "); a readable .prm file is expected");

      constexpr std::size_t  largest = 10000000;
      std::string            content;
      std::array<char, 4096> block{};
      while (in.read(block.data(), block.size()), in.gcount() > 0)
        {
          const std::size_t size_before = content.size();
          content.append(block.data(), static_cast<std::size_t>(in.gcount()));
          if (content.find('\0', size_before) != std::string::npos)
            fail(blame, "this is a binary file; a text file is expected");
          if (content.size() > largest)
            fail(blame, "the file is too large; at most 10 MB are expected");
        }
      if (in.bad())
        fail(blame, "the file cannot be read; a .prm file is expected");

      const std::string byte_order_mark = "\xEF\xBB\xBF";
      if (content.compare(0, byte_order_mark.size(), byte_order_mark) == 0)
        content.erase(0, byte_order_mark.size());
      return content;
    }

    struct Line
    {
      std::string text;
      std::size_t number;
    };

    /// Lines joined where a backslash says so and without comments, in that
    /// order, as deal.II does it: a comment may end in a backslash, too.
    std::vector<Line>
    logical_lines(const std::string &content)
    {
      std::vector<Line>  lines;
      std::istringstream stream(content);
      std::size_t        number    = 0;
      bool               continues = false;
      for (std::string text; std::getline(stream, text);)
        {
          ++number;
          text = trimmed(text);
          if (!continues)
            lines.push_back({"", number});
          continues = !text.empty() && text.back() == '\\';
          if (continues)
            text.pop_back();
          lines.back().text += text;
        }

      for (Line &line : lines)
        line.text = trimmed(line.text.substr(0, line.text.find('#')));
      return lines;
    }

    /// Reads one file and, by way of further readers, those it includes.
    class FileReader
    {
    public:
      FileReader(std::filesystem::path               file_path,
                 std::string                         shown_name,
                 std::string                         enclosing_section,
                 std::vector<std::filesystem::path> &files_being_read,
                 std::size_t                        &n_files_so_far,
                 std::vector<Setting>               &all_settings)
        : file(std::move(file_path))
        , name(std::move(shown_name))
        , outer_section(std::move(enclosing_section))
        , open_files(files_being_read)
        , n_files(n_files_so_far)
        , settings(all_settings)
      {}

      /// `blame` stands in front of messages about the file as a whole.
      void
      read(const std::string &blame)
      {
        const auto  lines = logical_lines(content_of(file, blame));
        const auto  id    = identity();
        const auto &open  = open_files;
        if (std::find(open.begin(), open.end(), id) != open.end())
          fail(blame,
               "the file is being read already and would include itself "
               "without end; another file is expected");

        constexpr std::size_t most_files = 1000;
        if (++n_files > most_files)
          fail(blame,
               "more than " + std::to_string(most_files) +
                 " files are included; fewer are expected");

        open_files.push_back(id);
        for (const Line &line : lines)
          read_line(line);
        open_files.pop_back();

        if (!sections.empty())
          complain(
            sections.back(),
            "subsection " + in_quotes(sections.back().text) +
              " is never closed; an 'end' is expected after its settings");
      }

    private:
      std::filesystem::path
      identity() const
      {
        std::error_code error;
        auto            path = std::filesystem::canonical(file, error);
        return error ? file : path;
      }

      std::string
      origin(const Line &line) const
      {
        return name + ':' + std::to_string(line.number);
      }

      [[noreturn]] void
      complain(const Line &line, const std::string &message) const
      {
        fail(origin(line), message);
      }

      std::string
      current_section() const
      {
        std::string path = outer_section;
        for (const Line &section : sections)
          path = parameter_path::join(path, section.text);
        return path;
      }

      void
      read_line(const Line &line)
      {
        if (line.text.empty())
          return;
        if (!is_utf8(line.text))
          complain(line, "the line is not valid UTF-8; UTF-8 text is expected");
        if (has_control_characters(line.text))
          complain(line,
                   "the line holds a control character; plain text is "
                   "expected");

        const std::size_t end_of_word =
          std::min(line.text.find_first_of(" \t"), line.text.size());
        const std::string keyword = line.text.substr(0, end_of_word);
        const Line rest{trimmed(line.text.substr(end_of_word)), line.number};

        if (keyword == "subsection" || keyword == "SUBSECTION")
          open_section(rest);
        else if (keyword == "end" || keyword == "END")
          close_section(rest);
        else if (keyword == "set" || keyword == "SET")
          add_setting(rest);
        else if (keyword == "include" || keyword == "INCLUDE")
          include(rest);
        else
          complain(
            line,
            in_quotes(line.text) +
              " is not understood; 'set name = value', 'subsection name', "
              "'end', 'include file' or '# comment' is expected");
      }

      void
      open_section(const Line &rest)
      {
        if (rest.text.empty())
          complain(rest,
                   "the subsection has no name; 'subsection name' is expected");
        sections.push_back({single_spaced(rest.text), rest.number});
      }

      void
      close_section(const Line &rest)
      {
        if (!rest.text.empty())
          complain(rest,
                   in_quotes(rest.text) +
                     " follows after 'end'; 'end' on a line of its own is "
                     "expected");
        if (sections.empty())
          complain(
            rest, "'end' closes nothing; a 'subsection' is expected before it");
        sections.pop_back();
      }

      void
      add_setting(const Line &rest)
      {
        const std::size_t equals = rest.text.find('=');
        if (equals == std::string::npos)
          complain(rest,
                   in_quotes("set " + rest.text) +
                     " has no '='; 'set name = value' is expected");

        const std::string parameter =
          single_spaced(rest.text.substr(0, equals));
        if (parameter.empty())
          complain(rest,
                   "the parameter has no name; 'set name = value' is expected");

        const std::string path =
          parameter_path::join(current_section(), parameter);
        // A file may say otherwise than one that it includes, but not than
        // itself.
        const auto [earlier, is_new] =
          lines_of_settings.emplace(path, rest.number);
        if (!is_new)
          complain(rest,
                   in_quotes(parameter) + " is set in line " +
                     std::to_string(earlier->second) +
                     " already; one of the two is expected");

        settings.push_back({path,
                            trimmed(rest.text.substr(equals + 1)),
                            origin(rest),
                            {file.parent_path(), ""}});
      }

      void
      include(const Line &rest)
      {
        if (rest.text.empty())
          complain(rest, "no file is named; 'include file' is expected");
        const auto found = find_file(rest.text, {file.parent_path(), ""});
        FileReader included(found.path,
                            rest.text,
                            current_section(),
                            open_files,
                            n_files,
                            settings);
        included.read(origin(rest) + ": cannot include " +
                      in_quotes(rest.text));
      }

      const std::filesystem::path         file;
      const std::string                   name;
      const std::string                   outer_section;
      std::vector<Line>                   sections;
      std::map<std::string, std::size_t>  lines_of_settings;
      std::vector<std::filesystem::path> &open_files;
      std::size_t                        &n_files;
      std::vector<Setting>               &settings;
    };
  } // namespace



  ParameterFile
  ParameterFile::read(const std::filesystem::path &file)
  {
    ParameterFile result;
    result.file_name = file.string();

    std::vector<std::filesystem::path> open_files;
    std::size_t                        n_files = 0;
    FileReader                         reader(
      file, result.file_name, "", open_files, n_files, result.all_settings);
    reader.read(file.empty() ? "''" : result.file_name);
    return result;
  }



  void
  ParameterFile::add_override(const std::string &assignment)
  {
    const std::string origin = "--set \"" + assignment + '"';
    const std::string form   = "expected \"Section/Name=value\"";

    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos)
      fail(origin, form);

    std::string path;
    for (const std::string &part :
         parameter_path::split(assignment.substr(0, equals)))
      {
        const std::string name = single_spaced(part);
        if (name.empty())
          fail(origin, form);
        path = parameter_path::join(path, name);
      }

    // The settings of a run are written to a .prm file, to be read again.
    const std::string value = trimmed(assignment.substr(equals + 1));
    if (value.find_first_of("#\r\n") != std::string::npos)
      fail(origin, "a value without '#' and without line breaks is expected");
    if (!is_utf8(assignment))
      fail(origin, "UTF-8 text is expected");
    if (has_control_characters(assignment))
      fail(origin, "plain text without control characters is expected");

    all_settings.push_back(
      {path,
       value,
       "--set",
       {"", std::filesystem::path(file_name).parent_path()}});
  }



  std::optional<std::string>
  ParameterFile::find(const std::string &path) const
  {
    const auto *setting = winning_setting(all_settings, path);
    return setting ? std::make_optional(setting->value) : std::nullopt;
  }



  std::string
  ParameterFile::origin(const std::string &path) const
  {
    const auto *setting = winning_setting(all_settings, path);
    return setting ? setting->origin : file_name;
  }



  std::vector<std::string>
  ParameterFile::find_files(const dealii::ParameterHandler &prm)
  {
    std::vector<std::string> ambiguities;
    const DeclaredParameters declared(prm);
    for (Setting &setting : all_settings)
      {
        if (setting.value.empty() || !declared.names_a_file(setting.path))
          continue;
        const FoundFile found = find_file(setting.value, setting.search_path);
        if (found.other)
          ambiguities.push_back(printable(
            setting.origin + ": " + in_quotes(setting.value) + " is both " +
            in_quotes(found.path.string()) + " and " +
            in_quotes(found.other->string()) + "; the first one is taken"));
        setting.value = found.path.string();
        // What is found once is not to be looked for again.
        setting.search_path = {""};
      }
    return ambiguities;
  }



  std::vector<std::string>
  ParameterFile::sections() const
  {
    std::vector<std::string> names;
    for (const Setting &setting : all_settings)
      {
        const auto parts = parameter_path::split(setting.path);
        if (parts.size() > 1 &&
            std::find(names.begin(), names.end(), parts[0]) == names.end())
          names.push_back(parts[0]);
      }
    return names;
  }



  void
  ParameterFile::apply_to(
    dealii::ParameterHandler       &prm,
    const std::vector<std::string> &ignored_sections) const
  {
    const auto is_ignored = [&](const std::string &path) {
      const std::string section = path.substr(0, path.find('/'));
      return section.size() < path.size() &&
             std::find(ignored_sections.begin(),
                       ignored_sections.end(),
                       section) != ignored_sections.end();
    };
    const DeclaredParameters declared(prm);
    for (const Setting &setting : all_settings)
      if (!is_ignored(setting.path))
        declared.set(setting, prm);
  }



  const std::vector<ParameterFile::Setting> &
  ParameterFile::settings() const
  {
    return all_settings;
  }
} // namespace slender

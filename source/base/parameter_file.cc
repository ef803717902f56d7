// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/base/parameter_file.h>
#include <slender/base/parameter_words.h>

#include <deal.II/base/parameter_handler.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <map>
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

    std::string
    join_path(const std::string &section, const std::string &name)
    {
      return section.empty() ? name : section + '/' + name;
    }

    /// The parts between slashes; a slash at either end makes an empty part.
    std::vector<std::string>
    split_path(const std::string &path)
    {
      std::vector<std::string> parts;
      std::size_t              begin = 0;
      std::size_t              slash = 0;
      while ((slash = path.find('/', begin)) != std::string::npos)
        {
          parts.push_back(path.substr(begin, slash - begin));
          begin = slash + 1;
        }
      parts.push_back(path.substr(begin));
      return parts;
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



    // ---------------------------------------------------------- reading ---

    std::string
    content_of(const std::filesystem::path &file, const std::string &blame)
    {
      std::error_code error;
      const auto      status = std::filesystem::status(file, error);
      if (status.type() == std::filesystem::file_type::not_found)
        fail(blame, "there is no such file; a .prm file is expected");
      if (status.type() == std::filesystem::file_type::directory)
        fail(blame, "this is a directory; a .prm file is expected");

      errno = 0;
      std::ifstream in(file, std::ios::binary);
      if (!in)
        fail(blame,
             "the file cannot be opened (" +
               std::generic_category().message(errno) +
               "); a readable .prm file is expected");

      // Stopping at the first NUL also ends the reading of endless devices.
      std::string            content;
      std::array<char, 4096> block{};
      while (in.read(block.data(), block.size()), in.gcount() > 0)
        {
          const std::size_t size_before = content.size();
          content.append(block.data(), static_cast<std::size_t>(in.gcount()));
          if (content.find('\0', size_before) != std::string::npos)
            fail(blame, "this is a binary file; a text file is expected");
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
                 std::vector<Setting>               &all_settings)
        : file(std::move(file_path))
        , name(std::move(shown_name))
        , outer_section(std::move(enclosing_section))
        , open_files(files_being_read)
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
          path = join_path(path, section.text);
        return path;
      }

      void
      read_line(const Line &line)
      {
        if (line.text.empty())
          return;
        if (!is_utf8(line.text))
          complain(line, "the line is not valid UTF-8; UTF-8 text is expected");

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

        settings.push_back({join_path(current_section(), parameter),
                            trimmed(rest.text.substr(equals + 1)),
                            origin(rest)});
      }

      void
      include(const Line &rest)
      {
        if (rest.text.empty())
          complain(rest, "no file is named; 'include file' is expected");
        FileReader included(file.parent_path() / rest.text,
                            rest.text,
                            current_section(),
                            open_files,
                            settings);
        included.read(origin(rest) + ": cannot include " +
                      in_quotes(rest.text));
      }

      const std::filesystem::path         file;
      const std::string                   name;
      const std::string                   outer_section;
      std::vector<Line>                   sections;
      std::vector<std::filesystem::path> &open_files;
      std::vector<Setting>               &settings;
    };



    // --------------------------------------------------------- checking ---

    /// A section or a parameter that is declared.
    struct Declaration
    {
      std::string section; ///< the path of the section it belongs to
      std::string name;
      std::string pattern; ///< as deal.II describes it; none for a section
      bool        is_alias = false;
    };

    /// By path.
    using Declarations = std::map<std::string, Declaration>;

    struct DeclaredNames
    {
      Declarations sections;
      Declarations parameters;
    };

    /// ParameterHandler has no functions to ask for what is declared, but it
    /// prints all of it. A parameter is an object with a textual "value", an
    /// alias one with a textual "alias"; what else there is are sections, an
    /// empty one of which is printed as an empty text.
    void
    collect_names(const nlohmann::json &content,
                  const std::string    &section,
                  DeclaredNames        &declared)
    {
      const auto has_text = [](const nlohmann::json &node, const char *key) {
        return node.contains(key) && node.at(key).is_string();
      };
      const auto pattern_of = [&](const nlohmann::json &node) {
        return node.at("pattern_description").get<std::string>();
      };

      if (!content.is_object())
        return;
      for (const auto &[name, node] : content.items())
        {
          const std::string path = join_path(section, name);
          if (has_text(node, "value"))
            declared.parameters[path] = {section, name, pattern_of(node)};
          else if (has_text(node, "alias"))
            declared.parameters[path] = {
              section,
              name,
              pattern_of(content.at(node.at("alias").get<std::string>())),
              true};
          else
            {
              declared.sections[path] = {section, name, ""};
              collect_names(node, path, declared);
            }
        }
    }

    DeclaredNames
    declared_names(const dealii::ParameterHandler &prm)
    {
      std::ostringstream text;
      prm.print_parameters(text, dealii::ParameterHandler::JSON);
      DeclaredNames declared;
      collect_names(nlohmann::json::parse(text.str()), "", declared);
      return declared;
    }

    std::vector<std::string>
    names_in(const Declarations &declarations, const std::string &section)
    {
      std::vector<std::string> names;
      for (const auto &[path, declaration] : declarations)
        if (declaration.section == section && !declaration.is_alias)
          names.push_back(declaration.name);
      return names;
    }

    /// "section 'A' or section 'B'", or nothing where no section has `name`.
    std::string
    home_of(const Declarations &declarations, const std::string &name)
    {
      std::string home;
      for (const auto &[path, declaration] : declarations)
        if (declaration.name == name && !declaration.is_alias)
          home += (home.empty() ? "" : " or ") +
                  (declaration.section.empty()
                     ? "the top level"
                     : "section " + in_quotes(declaration.section));
      return home;
    }

    /// `kind` is "section" or "parameter".
    [[noreturn]] void
    fail_for_unknown(const std::string  &origin,
                     const std::string  &kind,
                     const std::string  &name,
                     const std::string  &section,
                     const Declarations &declarations)
    {
      const std::string place = section.empty()
                                  ? "at the top level"
                                  : "in section " + in_quotes(section);
      const std::string complaint =
        "there is no " + kind + ' ' + in_quotes(name) + ' ' + place + "; ";

      const std::string home = home_of(declarations, name);
      if (!home.empty())
        fail(origin, complaint + "it belongs to " + home);

      const auto candidates = names_in(declarations, section);
      if (const auto nearest = nearest_name(name, candidates))
        fail(origin, complaint + "did you mean " + in_quotes(*nearest) + '?');
      if (candidates.empty())
        fail(origin, complaint + "there are no " + kind + "s at all");
      fail(origin,
           complaint +
             (candidates.size() > 1 ? "allowed are " : "only allowed is ") +
             quoted_list(candidates, " and "));
    }

    const Declaration &
    declaration_of(const Setting &setting, const DeclaredNames &declared)
    {
      const auto found = declared.parameters.find(setting.path);
      if (found != declared.parameters.end())
        return found->second;

      if (declared.sections.count(setting.path) > 0)
        fail(setting.origin,
             in_quotes(setting.path) +
               " is a section; a parameter is expected");

      std::string section;
      auto        names     = split_path(setting.path);
      const auto  parameter = names.back();
      names.pop_back();
      for (const std::string &name : names)
        {
          const std::string inner_section = join_path(section, name);
          if (declared.sections.count(inner_section) == 0)
            fail_for_unknown(
              setting.origin, "section", name, section, declared.sections);
          section = inner_section;
        }
      fail_for_unknown(
        setting.origin, "parameter", parameter, section, declared.parameters);
    }

    std::string
    refusal(const Setting &setting, const Declaration &declaration)
    {
      const std::string place =
        declaration.section.empty()
          ? ""
          : " in section " + in_quotes(declaration.section);
      const std::string value =
        setting.value.empty() ? "empty" : in_quotes(setting.value);
      return in_quotes(declaration.name) + place + " may not be " + value +
             ": ";
    }

    std::string
    expectation(const Setting &setting, const Declaration &declaration)
    {
      const Choice choice = wrong_choice(declaration.pattern, setting.value);
      const auto   nearest =
        nearest_name(choice.wrong_word, choice.allowed_words);
      return expected_value(declaration.pattern) + " is expected" +
             (nearest ? "; did you mean " + in_quotes(*nearest) + '?' : "");
    }

    /// Enters the sections of a path, and leaves them whatever happens.
    class SectionScope
    {
    public:
      SectionScope(dealii::ParameterHandler &handler,
                   const std::string        &section)
        : prm(handler)
      {
        if (!section.empty())
          for (const std::string &name : split_path(section))
            {
              prm.enter_subsection(name);
              ++depth;
            }
      }

      ~SectionScope()
      {
        for (; depth > 0; --depth)
          prm.leave_subsection();
      }

      SectionScope(const SectionScope &) = delete;
      SectionScope &
      operator=(const SectionScope &) = delete;

    private:
      dealii::ParameterHandler &prm;
      std::size_t               depth = 0;
    };

    /// The pattern in the handler itself decides whether the value is right:
    /// its printed description rounds the ends of ranges.
    void
    apply(const Setting            &setting,
          const Declaration        &declaration,
          dealii::ParameterHandler &prm)
    {
      const SectionScope scope(prm, declaration.section);
      try
        {
          prm.set(declaration.name, setting.value);
        }
      catch (const InputError &error)
        {
          if (!error.parameter_path().empty())
            throw;
          fail(setting.origin, error.what());
        }
      catch (const dealii::ExceptionBase &)
        {
          fail(setting.origin,
               refusal(setting, declaration) +
                 expectation(setting, declaration));
        }
      catch (const std::exception &error)
        {
          fail(setting.origin, refusal(setting, declaration) + error.what());
        }
    }
  } // namespace



  ParameterFile
  ParameterFile::read(const std::filesystem::path &file)
  {
    ParameterFile result;
    result.file_name = file.string();

    std::vector<std::filesystem::path> open_files;
    FileReader                         reader(
      file, result.file_name, "", open_files, result.all_settings);
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
    for (const std::string &part : split_path(assignment.substr(0, equals)))
      {
        const std::string name = single_spaced(part);
        if (name.empty())
          fail(origin, form);
        path = join_path(path, name);
      }

    // The settings of a run are written to a .prm file, to be read again.
    const std::string value = trimmed(assignment.substr(equals + 1));
    if (value.find_first_of("#\r\n") != std::string::npos)
      fail(origin, "a value without '#' and without line breaks is expected");
    if (!is_utf8(assignment))
      fail(origin, "UTF-8 text is expected");

    all_settings.push_back({path, value, "--set"});
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
    const DeclaredNames declared = declared_names(prm);
    for (const Setting &setting : all_settings)
      if (!is_ignored(setting.path))
        apply(setting, declaration_of(setting, declared), prm);
  }



  const std::vector<ParameterFile::Setting> &
  ParameterFile::settings() const
  {
    return all_settings;
  }
} // namespace slender

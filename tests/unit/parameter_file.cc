// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/direction.h>
#include <slender/base/errors.h>
#include <slender/base/memory.h>
#include <slender/base/parameter_file.h>
#include <slender/base/printable.h>

#include <deal.II/base/parameter_handler.h>
#include <deal.II/base/patterns.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{
  using slender::InputError;
  using slender::ParameterFile;

  /// A directory of its own for each test, so that ranks and tests that run
  /// at the same time do not meet.
  class Files
  {
  public:
    Files()
    {
      std::string pattern =
        (std::filesystem::temp_directory_path() / "slender_XXXXXX").string();
      BOOST_REQUIRE(mkdtemp(pattern.data()) != nullptr);
      directory = pattern;
    }

    ~Files()
    {
      std::error_code ignored;
      std::filesystem::remove_all(directory, ignored);
    }

    Files(const Files &) = delete;
    Files &
    operator=(const Files &) = delete;

    std::filesystem::path
    write(const std::string &name, const std::string &content) const
    {
      std::filesystem::path file = directory / name;
      std::filesystem::create_directories(file.parent_path());
      std::ofstream(file, std::ios::binary) << content;
      return file;
    }

    /// What a user sees who works in this directory.
    std::string
    local(std::string message) const
    {
      const std::string prefix = directory.string() + '/';
      for (std::size_t at = message.find(prefix); at != std::string::npos;
           at             = message.find(prefix))
        message.erase(at, prefix.size());
      return message;
    }

    std::filesystem::path directory;
  };

  std::string
  error_of(const std::function<void()> &action)
  {
    try
      {
        action();
      }
    catch (const InputError &error)
      {
        BOOST_TEST(std::string(error.what()).find('\n') == std::string::npos);
        return error.what();
      }
    return "no error";
  }

  ParameterFile
  read(const std::string &content)
  {
    const Files files;
    return ParameterFile::read(files.write("a.prm", content));
  }

  std::string
  error_in(const std::string &content)
  {
    const Files files;
    const auto  file = files.write("a.prm", content);
    return files.local(error_of([&] { ParameterFile::read(file); }));
  }

  /// Something of each kind that a study may declare.
  void
  declare(dealii::ParameterHandler &prm)
  {
    namespace Patterns = dealii::Patterns;
    prm.declare_entry("Study",
                      "cantilever",
                      Patterns::Selection("cantilever|lateral buckling"));
    prm.enter_subsection("Kirchhoff rod");
    {
      prm.declare_entry("Elements", "10", Patterns::Integer(1, 100000));
      prm.declare_entry("Length", "1", Patterns::Double(0.));
      prm.declare_entry("Value/limit ratio", "1", Patterns::Double());
      prm.declare_alias("Elements", "Number of cells");
      prm.enter_subsection("Output");
      {
        prm.declare_entry("Fields",
                          "energy",
                          Patterns::MultipleSelection("energy|strain|twist"));
        prm.declare_entry("Draw", "true", Patterns::Bool());
        prm.declare_entry("value", "0", Patterns::Integer());
      }
      prm.leave_subsection();
    }
    prm.leave_subsection();
    prm.enter_subsection("Koiter shell");
    {
      prm.declare_entry("Mesh", "plate.msh", Patterns::FileName());
      prm.declare_entry("Title", "", Patterns::Anything());
      prm.enter_subsection("Nothing yet");
      prm.leave_subsection();
    }
    prm.leave_subsection();
  }

  /// The message about "a.prm", with what declare() declares.
  std::string
  error_applying(const std::string &content)
  {
    const Files              files;
    const auto               file = files.write("a.prm", content);
    dealii::ParameterHandler prm;
    declare(prm);
    return files.local(
      error_of([&] { ParameterFile::read(file).apply_to(prm); }));
  }

  /// The message about a single parameter `p` that is declared in this way.
  std::string
  error_setting(const dealii::Patterns::PatternBase &pattern,
                const std::string                   &right_value,
                const std::string                   &wrong_value)
  {
    dealii::ParameterHandler prm;
    prm.declare_entry("p", right_value, pattern);
    ParameterFile settings;
    settings.add_override("p=" + wrong_value);
    return error_of([&] { settings.apply_to(prm); });
  }
} // namespace



BOOST_AUTO_TEST_SUITE(parameter_file)

BOOST_AUTO_TEST_CASE(settings_keep_their_order_path_and_place)
{
  const Files files;
  const auto  file   = files.write("a.prm",
                                "set Study = cantilever\n"
                                   "\n"
                                   "subsection Kirchhoff rod\n"
                                   "  set Length=2\n"
                                   "  subsection Output\n"
                                   "    set Draw = \n"
                                   "  end\n"
                                   "end\n"
                                   "set Last = a = b\n");
  const auto  result = ParameterFile::read(file);

  const auto &settings = result.settings();
  BOOST_REQUIRE_EQUAL(settings.size(), 4);
  BOOST_TEST(settings[0].path == "Study");
  BOOST_TEST(settings[0].value == "cantilever");
  BOOST_TEST(settings[0].origin == file.string() + ":1");
  BOOST_TEST(settings[1].path == "Kirchhoff rod/Length");
  BOOST_TEST(settings[1].value == "2");
  BOOST_TEST(settings[2].path == "Kirchhoff rod/Output/Draw");
  BOOST_TEST(settings[2].value == "");
  BOOST_TEST(settings[2].origin == file.string() + ":6");
  BOOST_TEST(settings[3].path == "Last");
  BOOST_TEST(settings[3].value == "a = b");
}

BOOST_AUTO_TEST_CASE(comments_are_no_part_of_a_value)
{
  const auto file = read("# set A = 0\n   # indented\nset A = 1 # one#two\n");
  BOOST_REQUIRE_EQUAL(file.settings().size(), 1);
  BOOST_TEST(*file.find("A") == "1");
}

BOOST_AUTO_TEST_CASE(a_backslash_continues_a_line)
{
  const auto file = read("set A = 1, \\\n"
                         "        2, \\  \n"
                         "        3\n"
                         "set B = 4\n"
                         "# a comment that goes on \\\n"
                         "set C = 5\n"
                         "set D = 6 \\");
  BOOST_TEST(*file.find("A") == "1, 2, 3");
  BOOST_TEST(*file.find("B") == "4");
  BOOST_TEST(!file.find("C"));
  BOOST_TEST(*file.find("D") == "6");

  // The line that is named is the one in which the setting begins.
  const auto message = error_applying("\nset Study = x\\\ny\n");
  BOOST_TEST(message.rfind("a.prm:2: ", 0) == 0);
}

BOOST_AUTO_TEST_CASE(files_of_any_editor_are_read)
{
  const auto file = read("\xEF\xBB\xBFsubsection\tA  B\r\n"
                         "\tset\tlong   name\t=\tx  y \r\n"
                         "END\r\n"
                         "SUBSECTION C\r\n"
                         "SET d = e\r\n"
                         "end # C");
  BOOST_TEST(*file.find("A B/long name") == "x  y");
  BOOST_TEST(*file.find("C/d") == "e");
}

BOOST_AUTO_TEST_CASE(an_empty_file_sets_nothing)
{
  BOOST_TEST(read("").settings().empty());
}

BOOST_AUTO_TEST_CASE(the_later_setting_wins)
{
  // A file may say otherwise than one that it includes.
  const Files files;
  files.write("b.prm", "set A = 1\nset B = 2");
  const auto file   = files.write("a.prm", "include b.prm\n\nset A = 3");
  auto       result = ParameterFile::read(file);
  BOOST_TEST(*result.find("A") == "3");
  BOOST_TEST(result.origin("A") == file.string() + ":3");
  BOOST_TEST(!result.find("a"));
  BOOST_TEST(result.origin("a") == file.string());

  result.add_override("A=4");
  BOOST_TEST(*result.find("A") == "4");
  BOOST_TEST(result.origin("A") == "--set");
  BOOST_TEST(*result.find("B") == "2");
}

BOOST_AUTO_TEST_CASE(a_file_does_not_set_a_parameter_twice)
{
  BOOST_TEST(error_in("set A = 1\nset B = 2\nset  A  = 1") ==
             "a.prm:3: 'A' is set in line 1 already; one of the two is "
             "expected");
  // Also not in two parts of a section; in two sections these are two.
  BOOST_TEST(error_in("subsection S\nset A = 1\nend\nset A = 1\n"
                      "subsection S\nset A = 1\nend") ==
             "a.prm:6: 'A' is set in line 2 already; one of the two is "
             "expected");
}

BOOST_AUTO_TEST_CASE(malformed_lines_are_named)
{
  BOOST_TEST(error_in("set A = 1\nA = 2\n") ==
             "a.prm:2: 'A = 2' is not understood; 'set name = value', "
             "'subsection name', 'end', 'include file' or '# comment' is "
             "expected");
  BOOST_TEST(error_in("set A 2") ==
             "a.prm:1: 'set A 2' has no '='; 'set name = value' is expected");
  BOOST_TEST(error_in("set = 2") == "a.prm:1: the parameter has no name; "
                                    "'set name = value' is expected");
  BOOST_TEST(error_in("\n\nend\n") ==
             "a.prm:3: 'end' closes nothing; a 'subsection' is expected "
             "before it");
  BOOST_TEST(error_in("subsection A\nend A\n") ==
             "a.prm:2: 'A' follows after 'end'; 'end' on a line of its own is "
             "expected");
  BOOST_TEST(error_in("subsection # A\nend\n") ==
             "a.prm:1: the subsection has no name; 'subsection name' is "
             "expected");
  BOOST_TEST(error_in("include\n") ==
             "a.prm:1: no file is named; 'include file' is expected");
  BOOST_TEST(error_in("# \xE4 in Latin-1 is no harm here\nset A = \xE4\n") ==
             "a.prm:2: the line is not valid UTF-8; UTF-8 text is expected");
}

BOOST_AUTO_TEST_CASE(an_open_subsection_is_named_with_its_line)
{
  BOOST_TEST(error_in("set A = 1\n"
                      "subsection B\n"
                      "  subsection C\n"
                      "  end\n"
                      "  set D = 1\n") ==
             "a.prm:2: subsection 'B' is never closed; an 'end' is expected "
             "after its settings");
}

BOOST_AUTO_TEST_CASE(a_message_is_one_short_line_whatever_the_file_holds)
{
  const auto message = error_in("\x1B[31m" + std::string(10000, 'x') + "\n");
  BOOST_TEST(message.size() < 300);
  BOOST_TEST(message.find('\x1B') == std::string::npos);
}

BOOST_AUTO_TEST_CASE(control_characters_are_refused_and_never_shown)
{
  const std::string complaint = "a.prm:1: the line holds a control character; "
                                "plain text is expected";
  BOOST_TEST(error_in("set A = \x1B[2J\n") == complaint);
  BOOST_TEST(error_in("set A = \x7F\n") == complaint);
  // U+009B, which terminals take for an escape.
  BOOST_TEST(error_in("set A = \xC2\x9B"
                      "2J\n") == complaint);
  BOOST_TEST(error_in("# \x1B in a comment\nset A =\t1 \xC3\xA9\r\n") ==
             "no error");

  using slender::printable;
  BOOST_TEST(printable("a\x1B[31m\nb\tc") == "a [31m b c");
  BOOST_TEST(printable("\xC2\x9B\xC3\x9B") == " \xC3\x9B");
  BOOST_TEST(printable("\xC2") == "\xC2");
}

BOOST_AUTO_TEST_CASE(files_that_are_named_are_found_beside_the_file_first)
{
  const Files files;
  files.write("home/mesh.msh", "");
  files.write("away/mesh.msh", "");
  const auto main_file =
    files.write("home/a.prm", "set Mesh = mesh.msh\nset Text = mesh.msh\n");
  files.write("home/b.prm", "set Mesh = nowhere.msh\n");

  dealii::ParameterHandler prm;
  prm.declare_entry("Mesh", "", dealii::Patterns::FileName());
  prm.declare_entry("Run", "", dealii::Patterns::DirectoryName());
  prm.declare_entry("Text", "", dealii::Patterns::Anything());

  ParameterFile file = ParameterFile::read(main_file);
  BOOST_TEST(file.find_files(prm).empty());
  BOOST_TEST(*file.find("Mesh") ==
             (files.directory / "home/mesh.msh").string());
  BOOST_TEST(*file.find("Text") == "mesh.msh");

  // What is there twice is said to be; the command line looks here first.
  const auto here = std::filesystem::current_path();
  std::filesystem::current_path(files.directory / "away");
  file           = ParameterFile::read(main_file);
  auto ambiguous = file.find_files(prm);
  BOOST_TEST(ambiguous.size() == 1u);
  BOOST_TEST(*file.find("Mesh") ==
             (files.directory / "home/mesh.msh").string());
  file.add_override("Mesh=mesh.msh");
  ambiguous = file.find_files(prm);
  BOOST_TEST(ambiguous.size() == 1u);
  BOOST_TEST(*file.find("Mesh") == "mesh.msh");
  std::filesystem::current_path(here);

  // What is nowhere keeps its name.
  file = ParameterFile::read(files.directory / "home/b.prm");
  BOOST_TEST(file.find_files(prm).empty());
  BOOST_TEST(*file.find("Mesh") == "nowhere.msh");
}

BOOST_AUTO_TEST_CASE(a_vector_of_any_length_has_a_direction)
{
  using slender::Vector3;
  for (const double length : {1e-320, 1e-200, 1., 1e200, 1e308})
    {
      const Vector3 d = slender::direction_of(length * Vector3(0., -1., 1.));
      BOOST_TEST((d - Vector3(0., -1., 1.) / std::sqrt(2.)).norm() < 1e-3);
      BOOST_TEST(std::abs(d.norm() - 1.) < 1e-15);
    }
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_into_memory_is_refused)
{
  const double available = slender::available_memory();
  BOOST_TEST(available > 1e7);
  BOOST_TEST(available < 1e15);
  BOOST_TEST(error_of([&] { slender::check_memory(0.5 * available, "x"); }) ==
             "no error");
  const auto error =
    error_of([&] { slender::check_memory(1e20, "1000 cells"); });
  BOOST_TEST(error.find("1000 cells take at least 100000000000 GB of memory, "
                        "but only ") == 0u);
}

BOOST_AUTO_TEST_CASE(what_is_not_a_text_file_is_refused)
{
  const Files files;
  const auto  error = [&](const std::filesystem::path &file) {
    return files.local(error_of([&] { ParameterFile::read(file); }));
  };

  BOOST_TEST(error(files.directory / "b.prm") ==
             "b.prm: there is no such file; a .prm file is expected");
  BOOST_TEST(error(files.write("a.prm", "") / "b.prm") ==
             "a.prm/b.prm: there is no such file; a .prm file is expected");
  BOOST_TEST(error("") == "'': there is no such file; a .prm file is expected");
  std::filesystem::create_directory(files.directory / "prm");
  BOOST_TEST(error(files.directory / "prm") ==
             "prm: this is a directory; a .prm file is expected");
  BOOST_TEST(error(files.write("a.out", std::string("set A\0 = 1", 10))) ==
             "a.out: this is a binary file; a text file is expected");
  BOOST_TEST(error("/dev/zero") ==
             "/dev/zero: this is not an ordinary file; a .prm file is "
             "expected");
  BOOST_TEST(error(files.directory / std::string(300, 'x'))
               .find("the file cannot be opened (File name too long)") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_included_file_is_found_next_to_the_one_that_includes_it)
{
  const Files files;
  files.write("parts/inner.prm", "set B = 2\n");
  files.write("parts/rod.prm", "set A = 1\ninclude inner.prm\n");
  const auto file = files.write("main.prm",
                                "subsection Rod\n"
                                "  include parts/rod.prm # twice\n"
                                "end\n"
                                "include parts/inner.prm\n");

  const auto result = ParameterFile::read(file);
  BOOST_TEST(*result.find("Rod/A") == "1");
  BOOST_TEST(*result.find("Rod/B") == "2");
  BOOST_TEST(*result.find("B") == "2");
  BOOST_TEST(result.origin("Rod/A") == "parts/rod.prm:1");
  BOOST_TEST(result.origin("Rod/B") == "inner.prm:1");
  BOOST_TEST(result.origin("C") == file.string());
}

BOOST_AUTO_TEST_CASE(an_include_that_cannot_be_read_is_blamed_on_its_line)
{
  BOOST_TEST(error_in("\ninclude b.prm\n") ==
             "a.prm:2: cannot include 'b.prm': there is no such file; a .prm "
             "file is expected");
  BOOST_TEST(error_in("include .\n") ==
             "a.prm:1: cannot include '.': this is a directory; a .prm file "
             "is expected");
}

BOOST_AUTO_TEST_CASE(an_included_file_closes_only_its_own_sections)
{
  const Files files;
  const auto  error = [&](const std::string &included) {
    files.write("b.prm", included);
    const auto file =
      files.write("a.prm", "subsection A\ninclude b.prm\nend\n");
    return files.local(error_of([&] { ParameterFile::read(file); }));
  };
  BOOST_TEST(error("end\n") ==
             "b.prm:1: 'end' closes nothing; a 'subsection' is expected "
             "before it");
  BOOST_TEST(error("subsection B\n") ==
             "b.prm:1: subsection 'B' is never closed; an 'end' is expected "
             "after its settings");
}

BOOST_AUTO_TEST_CASE(files_that_include_each_other_are_refused)
{
  const std::string reason =
    "the file is being read already and would include itself without end; "
    "another file is expected";
  BOOST_TEST(error_in("include a.prm") ==
             "a.prm:1: cannot include 'a.prm': " + reason);

  const Files files;
  files.write("parts/b.prm", "\ninclude ../parts/../a.prm\n");
  const auto file = files.write("a.prm", "include parts/b.prm\n");
  BOOST_TEST(error_of([&] { ParameterFile::read(file); }) ==
             "parts/b.prm:2: cannot include '../parts/../a.prm': " + reason);
}

BOOST_AUTO_TEST_CASE(an_override_names_a_path_and_a_value)
{
  ParameterFile file;
  file.add_override(" Kirchhoff  rod / Output/Draw = false ");
  file.add_override("Study=a=b");
  file.add_override("Empty=");
  BOOST_TEST(*file.find("Kirchhoff rod/Output/Draw") == "false");
  BOOST_TEST(*file.find("Study") == "a=b");
  BOOST_TEST(*file.find("Empty") == "");
}

BOOST_AUTO_TEST_CASE(a_malformed_override_is_refused)
{
  for (const std::string wrong :
       {"", "A", "A/B", "=1", "A/=1", "/A=1", "A//B=1"})
    {
      ParameterFile file;
      BOOST_TEST(error_of([&] { file.add_override(wrong); }) ==
                 "--set \"" + wrong + "\": expected \"Section/Name=value\"");
      BOOST_TEST(file.settings().empty());
    }

  // These could not be written into the .prm file of the run.
  for (const std::string wrong : {"A=b#c", "A=b\nc", "A=\xE4"})
    BOOST_TEST(error_of([&] { ParameterFile().add_override(wrong); }) !=
               "no error");
}

BOOST_AUTO_TEST_CASE(settings_arrive_in_the_variables_bound_to_them)
{
  dealii::ParameterHandler prm;
  declare(prm);
  unsigned int steps  = 1;
  double       factor = 0.;
  prm.enter_subsection("Kirchhoff rod");
  prm.add_parameter("Steps", steps);
  prm.enter_subsection("Output");
  prm.add_parameter("Factor", factor);
  prm.leave_subsection();
  prm.leave_subsection();

  auto file = read("set Study = lateral buckling\n"
                   "subsection Kirchhoff rod\n"
                   "  set Steps = 7\n"
                   "  set Value/limit ratio = 3\n"
                   "  set Number of cells = 20\n"
                   "  subsection Output\n"
                   "    set Factor = 2.5\n"
                   "    set Fields = twist, energy\n"
                   "    set value = 4\n"
                   "  end\n"
                   "end\n"
                   "subsection Koiter shell\n"
                   "  set Title = größer\n"
                   "end\n");
  file.add_override("Kirchhoff rod/Output/Factor=-1e-3");
  file.apply_to(prm);

  BOOST_TEST(steps == 7);
  BOOST_TEST(factor == -1e-3);
  BOOST_TEST(prm.get("Study") == "lateral buckling");
  BOOST_TEST(prm.get({"Kirchhoff rod"}, "Value/limit ratio") == "3");
  BOOST_TEST(prm.get({"Kirchhoff rod"}, "Elements") == "20");
  BOOST_TEST(prm.get({"Kirchhoff rod", "Output"}, "Fields") == "twist, energy");
  BOOST_TEST(prm.get({"Kirchhoff rod", "Output"}, "value") == "4");
  BOOST_TEST(prm.get({"Koiter shell"}, "Title") == "größer");

  // What was set before does not disturb the next application.
  file.apply_to(prm);
  BOOST_TEST(prm.get({"Koiter shell"}, "Title") == "größer");
}

BOOST_AUTO_TEST_CASE(an_unknown_section_leads_to_the_known_ones)
{
  const auto error = [](const std::string &section) {
    return error_applying("subsection " + section + "\n  set A = 1\nend\n");
  };
  BOOST_TEST(error("Kirchof rod") ==
             "a.prm:2: there is no section 'Kirchof rod' at the top level; "
             "did you mean 'Kirchhoff rod'?");
  BOOST_TEST(error("kirchhoff rod") ==
             "a.prm:2: there is no section 'kirchhoff rod' at the top level; "
             "did you mean 'Kirchhoff rod'?");
  BOOST_TEST(error("Ribbon") ==
             "a.prm:2: there is no section 'Ribbon' at the top level; allowed "
             "are 'Kirchhoff rod' and 'Koiter shell'");
  BOOST_TEST(error("Output") ==
             "a.prm:2: there is no section 'Output' at the top level; it "
             "belongs to section 'Kirchhoff rod'");
  BOOST_TEST(error("Kirchhoff rod\nsubsection Koiter shell\nend") ==
             "a.prm:4: there is no parameter 'A' in section 'Kirchhoff rod'; "
             "allowed are 'Elements', 'Length' and 'Value/limit ratio'");
  BOOST_TEST(
    error_applying("subsection Koiter shell\nsubsection Nothing yet\n"
                   "subsection X\nset A = 1\nend\nend\nend\n") ==
    "a.prm:4: there is no section 'X' in section 'Koiter shell/Nothing yet'; "
    "there are no sections at all");
}

BOOST_AUTO_TEST_CASE(an_unknown_parameter_leads_to_the_known_ones)
{
  const auto error = [](const std::string &name) {
    return error_applying("subsection Kirchhoff rod\n  set " + name +
                          " = 1\nend\n");
  };
  const std::string place = " in section 'Kirchhoff rod'; ";
  BOOST_TEST(error("Elemetns") == "a.prm:2: there is no parameter 'Elemetns'" +
                                    place + "did you mean 'Elements'?");
  BOOST_TEST(error("length") == "a.prm:2: there is no parameter 'length'" +
                                  place + "did you mean 'Length'?");
  BOOST_TEST(error("Mesh") == "a.prm:2: there is no parameter 'Mesh'" + place +
                                "it belongs to section 'Koiter shell'");
  BOOST_TEST(error("Draw") == "a.prm:2: there is no parameter 'Draw'" + place +
                                "it belongs to section 'Kirchhoff rod/Output'");
  BOOST_TEST(error("Study") == "a.prm:2: there is no parameter 'Study'" +
                                 place + "it belongs to the top level");
  BOOST_TEST(error("Output") == "a.prm:2: 'Kirchhoff rod/Output' is a "
                                "section; a parameter is expected");
  BOOST_TEST(error_applying("set Model = 1") ==
             "a.prm:1: there is no parameter 'Model' at the top level; "
             "only allowed is 'Study'");
}

BOOST_AUTO_TEST_CASE(
  a_wrong_value_is_refused_with_its_place_and_the_allowed_ones)
{
  BOOST_TEST(error_applying("subsection Kirchhoff rod\n"
                            "  set Elements = x3\n"
                            "end\n") ==
             "a.prm:2: 'Elements' in section 'Kirchhoff rod' may not be "
             "'x3': a whole number from 1 to 100000 is expected");
  BOOST_TEST(error_applying("set Study = canteliver") ==
             "a.prm:1: 'Study' may not be 'canteliver': 'cantilever' or "
             "'lateral buckling' is expected; did you mean 'cantilever'?");
  BOOST_TEST(error_applying("subsection Kirchhoff rod\n"
                            "  subsection Output\n"
                            "    set Draw =\n"
                            "  end\n"
                            "end\n") ==
             "a.prm:3: 'Draw' in section 'Kirchhoff rod/Output' may not be "
             "empty: 'true' or 'false' is expected");
}

BOOST_AUTO_TEST_CASE(patterns_are_put_into_words)
{
  using namespace dealii::Patterns;
  const auto words = [](const PatternBase &pattern,
                        const std::string &right_value,
                        const std::string &wrong_value = "?") {
    const auto message = error_setting(pattern, right_value, wrong_value);
    const auto refusal = "--set: 'p' may not be '" + wrong_value + "': ";
    BOOST_TEST(message.rfind(refusal, 0) == 0, message);
    return message.substr(std::min(refusal.size(), message.size()));
  };

  BOOST_TEST(words(Integer(), "1") == "a whole number is expected");
  BOOST_TEST(words(Integer(0), "1", "-1") ==
             "a whole number of at least 0 is expected");
  BOOST_TEST(words(Integer(Integer::min_int_value, 5), "1", "6") ==
             "a whole number of at most 5 is expected");
  BOOST_TEST(words(Integer(1, 9), "1", "2.5") ==
             "a whole number from 1 to 9 is expected");
  BOOST_TEST(words(Double(), "1") == "a number is expected");
  BOOST_TEST(words(Double(0.5), "1", "0") ==
             "a number of at least 0.5 is expected");
  BOOST_TEST(words(Double(Double::min_double_value, 0), "-1", "1") ==
             "a number of at most 0 is expected");
  BOOST_TEST(words(Double(-0.5, 1e6), "1", "1e7") ==
             "a number from -0.5 to 1e+06 is expected");
  BOOST_TEST(words(Double(std::numeric_limits<double>::min()), "1", "0") ==
             "a number greater than 0 is expected");
  BOOST_TEST(words(Double(1e-300, 1), "1", "0") ==
             "a number greater than 0 and at most 1 is expected");
  BOOST_TEST(words(Bool(), "true", "True") ==
             "'true' or 'false' is expected; did you mean 'true'?");
  BOOST_TEST(words(Selection("a"), "a") == "'a' is expected");
  BOOST_TEST(words(Selection("rod [mm]|ribbon|shell"), "shell", "Shell") ==
             "'rod [mm]', 'ribbon' or 'shell' is expected; did you mean "
             "'shell'?");
  BOOST_TEST(
    words(MultipleSelection("energy|twist"), "twist", "twist, enrgy") ==
    "any of 'energy' and 'twist', separated by ',' is expected; did "
    "you mean 'energy'?");
  BOOST_TEST(words(List(Double(0)), "1", "1, x") ==
             "a list of items separated by ',', each a number of at least 0 "
             "is expected");
  BOOST_TEST(words(List(Integer(), 3, 3), "1,2,3", "1") ==
             "a list of 3 items separated by ',', each a whole number is "
             "expected");
  BOOST_TEST(words(List(List(Double(), 2), 1, 7, ";"), "1,2;3,4", "1;2") ==
             "a list of 1 to 7 items separated by ';', each a list of at "
             "least 2 items separated by ',', each a number is expected");
  BOOST_TEST(words(List(Bool(), 0, 2), "true", "true,x") ==
             "a list of at most 2 items separated by ',', each 'true' or "
             "'false' is expected");
  BOOST_TEST(words(Tuple(Anything(), Double()), "a:1", "a:b") ==
             "2 items separated by ':': any text, then a number is expected");
  BOOST_TEST(words(Tuple(";", Bool(), FileName(), DirectoryName()),
                   "true;a;b",
                   "yes;a;b") ==
             "3 items separated by ';': 'true' or 'false', then the name of a "
             "file, then the name of a directory is expected");
  BOOST_TEST(words(Map(Anything(), Double()), "a:1", "a:b") ==
             "a list of items separated by ',', each a pair 'key:value' of "
             "any text and a number is expected");
}

BOOST_AUTO_TEST_CASE(only_finite_numbers_are_numbers)
{
  using dealii::Patterns::Double;
  for (const std::string wrong :
       {"nan", "NaN", "inf", "-inf", "infinity", "1e999", "0x10", "1e", "1,5"})
    BOOST_TEST(error_setting(Double(), "1", wrong) ==
               "--set: 'p' may not be '" + wrong + "': a number is expected");
  for (const std::string right : {"1", "+1", ".5", "-1e-300", "1E3"})
    BOOST_TEST(error_setting(Double(), "1", right) == "no error");
}

BOOST_AUTO_TEST_CASE(ranges_are_exact_although_their_description_is_rounded)
{
  // deal.II describes the lower end as 0.123457.
  const dealii::Patterns::Double pattern(0.12345678);
  BOOST_TEST(error_setting(pattern, "1", "0.12345679") == "no error");
  BOOST_TEST(error_setting(pattern, "1", "0.12345677") != "no error");
}

BOOST_AUTO_TEST_CASE(errors_of_actions_become_one_line_with_the_place)
{
  dealii::ParameterHandler prm;
  prm.enter_subsection("A");
  const auto declare_failing = [&](const std::string &name,
                                   const auto        &failure) {
    prm.declare_entry(name, "", dealii::Patterns::Anything());
    prm.add_action(name, [failure](const std::string &value) {
      if (!value.empty())
        throw failure;
    });
  };
  declare_failing("input", InputError("the mesh is empty"));
  declare_failing("path", InputError("too long", "A/path"));
  declare_failing("other", std::runtime_error("out of\nreach"));
  prm.leave_subsection();

  const auto error = [&](const std::string &assignment) {
    ParameterFile file;
    file.add_override(assignment);
    return error_of([&] { file.apply_to(prm); });
  };
  BOOST_TEST(error("A/input=x") == "--set: the mesh is empty");
  BOOST_TEST(error("A/path=x") == "too long");
  BOOST_TEST(error("A/other=x") ==
             "--set: 'other' in section 'A' may not be 'x': out of reach");

  // The handler is back at the top level after each of the errors.
  BOOST_TEST(prm.get({"A"}, "input") == "");
}

BOOST_AUTO_TEST_CASE(nothing_can_be_set_where_nothing_is_declared)
{
  dealii::ParameterHandler prm;
  ParameterFile            file;
  BOOST_CHECK_NO_THROW(file.apply_to(prm));
  file.add_override("A=1");
  BOOST_TEST(error_of([&] { file.apply_to(prm); }) ==
             "--set: there is no parameter 'A' at the top level; there are no "
             "parameters at all");
}

BOOST_AUTO_TEST_CASE(the_nearest_name_is_near)
{
  using slender::nearest_name;
  const std::vector<std::string> names = {"Length", "Width", "Young modulus"};
  const auto                     none  = std::optional<std::string>();

  BOOST_CHECK(nearest_name("length", names) == "Length");
  BOOST_CHECK(nearest_name("Lentgh", names) == "Length");
  BOOST_CHECK(nearest_name("Widt", names) == "Width");
  BOOST_CHECK(nearest_name("Darw", {"Draw"}) == "Draw");
  BOOST_CHECK(nearest_name("Young's_modulus", names) == "Young modulus");
  BOOST_CHECK(nearest_name("Poisson ratio", names) == none);
  BOOST_CHECK(nearest_name("", names) == none);
  BOOST_CHECK(nearest_name("Length", {}) == none);
  BOOST_CHECK(nearest_name("abcd", {"abxx", "abcx", "abcy"}) == "abcx");
  BOOST_CHECK(nearest_name("a", {"b"}) == none);
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/mesh_text.h"
#include "support/messages.h"

#include <slender/models/shells/gmsh_elements.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <sys/stat.h>
#include <unistd.h>

namespace
{
  using namespace slender;
  using namespace slender::test;

  std::string
  message_of_text(const std::string &text)
  {
    return message_of([&] { parse_gmsh(text, "m.msh"); });
  }

  /// A number as bytes.
  template <typename Number>
  std::string
  raw(const Number value, const bool swapped)
  {
    std::string result(sizeof(Number), '\0');
    std::memcpy(result.data(), &value, sizeof(Number));
    if (swapped)
      std::reverse(result.begin(), result.end());
    return result;
  }

  /// The two cells in the binary form of format 2.2.
  std::string
  two_cells_binary(const bool swapped)
  {
    const auto  i    = [&](const int value) { return raw(value, swapped); };
    std::string text = "$MeshFormat\n2.2 1 8\n" + i(1) + "\n$EndMeshFormat\n";
    text += "$Nodes\n6\n";
    for (int n = 0; n < 6; ++n)
      text += i(n + 1) + raw(double(n % 3), swapped) +
              raw(double(n / 3), swapped) + raw(0., swapped);
    text += "\n$EndNodes\n$Elements\n3\n";
    text += i(1) + i(1) + i(2) + i(1) + i(7) + i(1) + i(1) + i(4);
    text += i(3) + i(2) + i(2);
    text += i(2) + i(1) + i(1) + i(1) + i(2) + i(5) + i(4);
    text += i(3) + i(1) + i(1) + i(2) + i(3) + i(6) + i(5);
    return text + "\n$EndElements\n";
  }

  /// A path that nothing is at, before and after.
  struct TemporaryPath
  {
    const std::filesystem::path path =
      std::filesystem::temp_directory_path() /
      ("slender_gmsh_file_" + std::to_string(getpid()));
    TemporaryPath()
    {
      std::filesystem::remove_all(path);
    }
    ~TemporaryPath()
    {
      std::filesystem::remove_all(path);
    }
  };
} // namespace



BOOST_AUTO_TEST_SUITE(gmsh_files)

BOOST_AUTO_TEST_CASE(nodes_inside_a_cell_are_a_smaller_cell)
{
  // The figures of gmsh's manual.
  const std::vector<int> degree_3 = {
    0, 3, 15, 12, 1, 2, 7, 11, 14, 13, 8, 4, 5, 6, 10, 9};
  BOOST_TEST(gmsh_order(*gmsh_element(36)) == degree_3);
  const std::vector<int> sides_only = {0, 2, 8, 6, 1, 5, 7, 3};
  BOOST_TEST(gmsh_order(*gmsh_element(16)) == sides_only);
}

BOOST_AUTO_TEST_CASE(every_format_says_the_same)
{
  const std::string unnamed = gmsh_text(six_nodes + two_cells);
  for (const std::string &text :
       {unnamed, two_cells_4, two_cells_binary(false), two_cells_binary(true)})
    {
      const GmshFile file = parse_gmsh(text, "m.msh");
      BOOST_TEST(file.degree == 1);
      BOOST_REQUIRE(file.cells.size() == 2);
      BOOST_REQUIRE(file.lines.size() == 1);
      BOOST_TEST(file.lines[0].number == 7);
      BOOST_TEST(
        (file.nodes[file.lines[0].ends[1]] - Vector3(0, 1, 0)).norm() == 0.);
      BOOST_TEST(file.cells[1].number == 3);
      const double corners[4][2] = {{1, 0}, {2, 0}, {1, 1}, {2, 1}};
      for (int c = 0; c < 4; ++c)
        BOOST_TEST((file.nodes[file.cells[1].nodes[c]] -
                    Vector3(corners[c][0], corners[c][1], 0))
                     .norm() == 0.);
    }
  BOOST_TEST(parse_gmsh(two_cells_4, "m.msh").names.at("left") == 7);
}

BOOST_AUTO_TEST_CASE(lines_may_end_as_elsewhere_and_other_sections_are_skipped)
{
  std::string text =
    gmsh_text("$Comments\n$Nodes are no section here\n"
              "$EndComments\n" +
              six_nodes + two_cells + "$NodeData\n1\n\"x\"\n$EndNodeData\n");
  BOOST_TEST(parse_gmsh(text, "m.msh").cells.size() == 2);
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;
       at += 2)
    text.insert(at, "\r");
  BOOST_TEST(parse_gmsh(text, "m.msh").cells.size() == 2);
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_said_with_its_line)
{
  const std::string good = gmsh_text(six_nodes + two_cells);
  const struct
  {
    std::string text, words;
  } cases[] = {
    {"", "format 2.2 or 4.1"},
    {"solid of another program\n", "format 2.2 or 4.1"},
    {with(good, "2.2 0 8", "3.0 0 8"), "line 2: formats 2.2 and 4.1"},
    {with(good, "2.2 0 8", "2.2 0 4"), "line 2: '0 8' for text"},
    // Counts.
    {with(good, "$Nodes\n6", "$Nodes\n1000000000"),
     "line 5: 1000000000 nodes are announced"},
    {with(good, "$Nodes\n6", "$Nodes\n-6"), "line 5: '-6' is not an integer"},
    {with(good, "$Nodes\n6", "$Nodes\n18446744073709551616"), "line 5: "},
    {with(good, "$Nodes\n6", "$Nodes\n5"), "line 11: $EndNodes is expected"},
    {with(good, "$Nodes\n6", "$Nodes\n7"), "line 12: '$EndNodes' is not"},
    {with(good, "$Elements\n3", "$Elements\n999999999"),
     "line 14: 999999999 elements are announced"},
    {with(two_cells_4, "2 6 1 60", "2 600000000 1 60"), "600000000 nodes"},
    {with(two_cells_4, "2 6 1 60", "2 7 1 60"), "fewer nodes than announced"},
    {with(two_cells_4, "1 1 0 2\n", "1 1 0 9\n"), "more nodes than announced"},
    {with(two_cells_4, "2 3 1 3", "2 2 1 3"), "more elements than announced"},
    {with(two_cells_4, "1 1 1 0\n", "1 900000000 1 0\n"),
     "900000000 entities are announced"},
    {with(two_cells_4, "0 1 0 1 -7", "0 1 0 99999 -7"), "physical groups"},
    // Numbers.
    {with(good, "2 1 0 0", "2 1 nan 0"), "line 7: a coordinate must be"},
    {with(good, "2 1 0 0", "2 1 inf 0"), "line 7: a coordinate must be"},
    {with(good, "2 1 0 0", "2 1 1e200 0"), "line 7: a coordinate must be"},
    {with(good, "2 1 0 0", "2 1 1e999 0"), "line 7: '1e999' is not a number"},
    {with(good, "2 1 0 0", "2 1 x\x1b[2J 0"), "'x?[2J' is not a number"},
    {with(good, "2 1 0 0", "2 1 0"), "line 7: a number is missing"},
    {with(good, "2 1 0 0", "2 1 0 0 0"), "line 7: the line should end"},
    {with(good, "2 1 0 0", "1 1 0 0"), "two nodes 1"},
    {with(good, "2 1 0 0", "-2 1 0 0"), "line 7: numbers of nodes"},
    // Elements.
    {with(good, "1 1 2 5 4", "1 1 2 9 4"), "line 16: there is no node 9"},
    {with(good, "1 1 2 5 4", "1 1 2 -1 4"), "line 16: numbers of nodes"},
    {with(two_cells_4, "10 20 50 40", "10 20 50 -1"),
     "line 37: '-1' is not an integer that is not negative"},
    {with(good, "1 1 2 5 4", "1 1 2 5 1"), "line 16: element 2 has the same"},
    {with(good, "1 1 2 5 4", "1 1 2 5"), "line 16: a number is missing"},
    {with(good, "3 3 2 1 1", "2 3 2 1 1"), "two elements 2"},
    {with(good, "2 3 2 1 1", "2 999 2 1 1"), "line 16: elements of type 999"},
    {with(good, "2 3 2 1 1", "2 -3 2 1 1"), "line 16: elements of type -3"},
    {with(good, "2 3 2 1 1", "2 3 -2 1 1"), "line 16: an element cannot"},
    {with(good, "2 3 2 1 1", "2 3 99999 1 1"), "line 16: 99999 tags"},
    {with(two_cells_4, "2 1 3 2\n", "1 1 3 2\n"), "in a block of dimension 1"},
    {with(good, "1 1 2 5 4", "1 1 2 5 4 6"), "line 16: the line should end"},
    // Sections.
    {good.substr(0, good.size() - 8), "line 18: $EndElements is expected"},
    {good.substr(0, 60), "line 5: 6 nodes are announced"},
    {gmsh_text(six_nodes), "Physical Surface"},
    {gmsh_text(two_cells + six_nodes), "$Nodes must come before $Elements"},
    {gmsh_text(six_nodes + six_nodes), "was there before"},
    {gmsh_text("$Data\n1 2 3\n"), "section '$Data' has no end"},
    {gmsh_text("nodes\n"), "a section like '$Nodes'"},
    {with(two_cells_4, "$Entities", "$PartitionedEntities"), "partitioned"},
    {with(two_cells_4, "\"left\"", "left"), "quotation marks"},
    {with(two_cells_4, "\"left\"", "\"le\aft\""), "control characters"},
    {with(two_cells_4, "2 1 \"shell\"", "1 1 \"left\""),
     "two physical lines 'left'"},
    // What no shell has.
    {with(good, "2 3 2 1 1 1 2 5 4", "2 2 2 1 1 1 2 5"), "Recombine Surface"},
    {with(good, "2 3 2 1 1 1 2 5 4", "2 4 2 1 1 1 2 5 4"), "volume"},
  };
  for (const auto &wrong : cases)
    check_message(message_of_text(wrong.text), wrong.words);

  const std::string binary = two_cells_binary(false);
  check_message(message_of_text(binary.substr(0, 200)), "byte ");
  check_message(message_of_text(with(binary, "$Nodes\n6", "$Nodes\n900000000")),
                "900000000 nodes are announced");
}

BOOST_AUTO_TEST_CASE(only_ordinary_files_are_read)
{
  const auto message = [](const std::string &path) {
    return message_of([&] { read_gmsh(path); });
  };
  const TemporaryPath temporary;
  const std::string   path = temporary.path;
  check_message(message(path), "does not exist");
  check_message(message("/dev/zero"), "not an ordinary file");
  check_message(message(std::filesystem::temp_directory_path()), "directory");
  BOOST_REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  check_message(message(path), "not an ordinary file");
  std::filesystem::remove(path);

  // Takes no space on the disk, and would not fit into it.
  std::ofstream(path) << "$MeshFormat\n";
  std::filesystem::resize_file(path, std::uintmax_t(1) << 40);
  check_message(message(path), "larger than 1 GiB");
  std::ofstream(path) << "";
  check_message(message(path), "format 2.2 or 4.1");
  std::ofstream(path) << gmsh_text(six_nodes + two_cells);
  BOOST_TEST(read_gmsh(path).cells.size() == 2);
}

BOOST_AUTO_TEST_CASE(whatever_is_in_a_file_it_is_a_mesh_or_refused_in_one_line)
{
  // Flips, cuts, copies and numbers at the edge of what can be, in small files
  // of every format. The engine's numbers are the same everywhere.
  const std::vector<std::string> seeds = {gmsh_text(six_nodes + two_cells),
                                          two_cells_4,
                                          curved_cell,
                                          two_cells_binary(false),
                                          two_cells_binary(true)};
  const std::vector<std::string> words = {"-1",
                                          "0",
                                          "1000000000",
                                          "4294967297",
                                          "18446744073709551615",
                                          "-2147483648",
                                          "1e308",
                                          "nan",
                                          "$End",
                                          "$Nodes\n",
                                          "\"",
                                          "\n",
                                          std::string(8, '\xff'),
                                          std::string(4, '\0')};
  std::mt19937                   engine(1);
  const auto below  = [&](const std::size_t n) { return engine() % n; };
  int        n_read = 0, n_refused = 0;
  for (int i = 0; i < 6000; ++i)
    {
      std::string text = seeds[below(seeds.size())];
      for (std::size_t change = 0, n = 1 + below(3); change < n; ++change)
        {
          const std::size_t at = below(text.size());
          switch (below(6))
            {
              case 0: // a bit
                text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
                break;
              case 1: // any byte
                text[at] = static_cast<char>(below(256));
                break;
              case 2: // a digit
                text[at] = static_cast<char>('0' + below(10));
                break;
              case 3: // something else there, or in its place
                text.replace(at, below(2) * 2, words[below(words.size())]);
                break;
              case 4: // a piece twice, or missing
                if (below(2) == 0)
                  text.insert(below(text.size()), text.substr(at, below(60)));
                else
                  text.erase(at, below(60));
                break;
              default: // the end
                text.resize(at + 1);
            }
          if (text.empty())
            break;
        }
      std::string message;
      try
        {
          surface_from(text);
          ++n_read;
        }
      catch (const InputError &error)
        {
          ++n_refused;
          message = error.what();
        }
      BOOST_REQUIRE(std::all_of(message.begin(), message.end(), [](char c) {
        return c >= ' ' && c <= '~';
      }));
    }
  BOOST_TEST_MESSAGE(n_read << " read, " << n_refused << " refused");
  // Changes of coordinates, names and white space leave a mesh.
  BOOST_TEST(n_read > 100);
  BOOST_TEST(n_refused > 1000);
}

BOOST_AUTO_TEST_SUITE_END()

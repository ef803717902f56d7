// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/mesh_text.h"
#include "support/messages.h"

#include <slender/models/shells/shell_supports.h>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <sstream>

namespace
{
  using namespace slender;
  using namespace slender::test;

  using Nodes = std::vector<Vector3>;
  using Cells = std::vector<std::vector<int>>;

  /// Cells of four or nine nodes, counted from 1; line 7 is between the first
  /// and the last corner of the first cell.
  std::string
  text_of(const Nodes &nodes, const Cells &cells)
  {
    std::ostringstream text;
    text.precision(17);
    text << "$Nodes\n" << nodes.size() << "\n";
    for (std::size_t i = 0; i < nodes.size(); ++i)
      text << i + 1 << " " << nodes[i].transpose() << "\n";
    text << "$EndNodes\n$Elements\n" << cells.size() + 1 << "\n";
    for (std::size_t c = 0; c < cells.size(); ++c)
      {
        text << c + 1 << (cells[c].size() == 4 ? " 3" : " 10") << " 2 1 1";
        for (const int node : cells[c])
          text << " " << node;
        text << "\n";
      }
    text << cells.size() + 1 << " 1 2 7 1 " << cells[0][0] << " " << cells[0][3]
         << "\n$EndElements\n";
    return gmsh_text(text.str());
  }

  std::string
  message_of_cells(const Nodes &nodes, const Cells &cells)
  {
    return message_of([&] { surface_from(text_of(nodes, cells)); });
  }

  /// Two cells of 1 x 1 whose common side has two nodes at each end.
  const Nodes apart = {{0, 0, 0},
                       {1, 0, 0},
                       {1, 1, 0},
                       {0, 1, 0},
                       {1, 0, 0},
                       {2, 0, 0},
                       {2, 1, 0},
                       {1, 1, 0}};
  const Cells two   = {{1, 2, 3, 4}, {5, 6, 7, 8}};
} // namespace



BOOST_AUTO_TEST_SUITE(mesh_conformity)

BOOST_AUTO_TEST_CASE(nodes_at_the_same_place_are_refused_unless_a_slit_is_meant)
{
  check_message(message_of_cells(apart, two),
                "nodes 2 and 5 are both at (1, 0, 0)");
  check_message(message_of_cells(apart, two), "Coherence");
  const auto surface = surface_from(text_of(apart, two), true);
  BOOST_TEST(surface->mesh().edges.size() == 8);

  // Not exactly there, far from the origin, where round-off is visible.
  Nodes shifted = apart;
  for (Vector3 &x : shifted)
    x += Vector3(1e6, -2e6, 3e6);
  shifted[4](0) += 1e-9;
  check_message(message_of_cells(shifted, two), "nodes 2 and 5");
  // A gap that one can see.
  Nodes open = apart;
  for (const int i : {4, 5, 6, 7})
    open[i](0) += 0.01;
  BOOST_TEST(message_of_cells(open, two) == "no error");
}

BOOST_AUTO_TEST_CASE(a_corner_inside_the_side_of_another_cell_is_refused)
{
  // One cell against two, on a line, and on a curve that the sides cut short.
  for (const double bulge : {0., 0.05})
    {
      const Nodes nodes = {{0, 0, 0},
                           {1, 0, 0},
                           {1, 1, 0},
                           {0, 1, 0},
                           {2, 0, 0},
                           {2, 0.5, 0},
                           {1 + bulge, 0.5, 0},
                           {2, 1, 0}};
      check_message(
        message_of_cells(nodes, {{1, 2, 3, 4}, {2, 5, 6, 7}, {7, 6, 8, 3}}),
        "node 7 at (1");
    }
  // A triangular hole is none.
  const Nodes hole = {{0, 0, 0},
                      {1, 0, 0},
                      {1, 1, 0},
                      {0, 1, 0},
                      {2, 0, 0},
                      {2, 0.5, 0},
                      {1.5, 0.5, 0},
                      {2, 1, 0}};
  BOOST_TEST(
    message_of_cells(hole, {{1, 2, 3, 4}, {2, 5, 6, 7}, {7, 6, 8, 3}}) ==
    "no error");
  // Two sides against three, which have no node in common but the ends.
  const Nodes many = {{0, 0, 0},
                      {1, 0, 0},
                      {1, 3, 0},
                      {0, 3, 0},
                      {1, 6, 0},
                      {0, 6, 0},
                      {2, 0, 0},
                      {2, 2, 0},
                      {1, 2, 0},
                      {2, 4, 0},
                      {1, 4, 0},
                      {2, 6, 0}};
  check_message(message_of_cells(many,
                                 {{1, 2, 3, 4},
                                  {4, 3, 5, 6},
                                  {2, 7, 8, 9},
                                  {9, 8, 10, 11},
                                  {11, 10, 12, 5}}),
                "is inside a side of cell");
}

BOOST_AUTO_TEST_CASE(neighbours_share_all_nodes_of_a_side)
{
  // Two cells of degree 2 with two nodes for the middle of their side.
  Nodes            nodes;
  std::vector<int> left, right;
  const double     places[9][2] = {{0, 0},
                                   {1, 0},
                                   {1, 1},
                                   {0, 1},
                                   {0.5, 0},
                                   {1, 0.5},
                                   {0.5, 1},
                                   {0, 0.5},
                                   {0.5, 0.5}};
  for (int i = 0; i < 9; ++i)
    {
      nodes.emplace_back(places[i][0], places[i][1], 0.);
      left.push_back(i + 1);
    }
  for (int i = 0; i < 9; ++i)
    {
      nodes.emplace_back(1. + places[i][0], places[i][1], 0.);
      right.push_back(i + 10);
    }
  right[0] = 2;
  right[3] = 3;
  check_message(message_of_cells(nodes, {left, right}),
                "not its node at (1, 0.5, 0)");
  right[7] = 6;
  BOOST_TEST(message_of_cells(nodes, {left, right}) == "no error");

  // A node on a side that is far off it, and one that turns the cell inside
  // out while its corners are in order.
  Nodes far = nodes;
  far[4]    = Vector3(0.5, -2, 0);
  check_message(message_of_cells(far, {left, right}),
                "node 5 at (0.5, -2, 0) is far off the side of cell 1");
  Nodes crossed = nodes;
  std::swap(crossed[4], crossed[8]);
  check_message(message_of_cells(crossed, {left, right}),
                "although its corners are in order");
}

BOOST_AUTO_TEST_CASE(cells_upon_each_other_are_refused)
{
  Nodes nodes = apart;
  for (const int i : {4, 5, 6, 7})
    nodes[i] += Vector3(-0.4, 0.3, 0);
  check_message(message_of_cells(nodes, two), "lie upon each other");
  // The second cell is folded back onto the first.
  check_message(message_of_cells({{0, 0, 0},
                                  {1, 0, 0},
                                  {1, 1, 0},
                                  {0, 1, 0},
                                  {0.2, 0.1, 0},
                                  {0.2, 0.9, 0}},
                                 {{1, 2, 3, 4}, {2, 5, 6, 3}}),
                "lie upon each other");
  check_message(message_of_cells(apart, {{1, 2, 3, 4}, {1, 2, 3, 4}}),
                "cells 1 and 2 have the same corners");
  // A sheet above another is none of it.
  for (const int i : {4, 5, 6, 7})
    nodes[i](2) += 0.1;
  BOOST_TEST(message_of_cells(nodes, two) == "no error");
}

BOOST_AUTO_TEST_CASE(every_part_of_a_shell_is_held_or_not)
{
  Nodes nodes = apart;
  for (const int i : {4, 5, 6, 7})
    nodes[i](0) += 1.;
  const auto surface = surface_from(text_of(nodes, two));
  ShellBody  body;
  body.edges = {ShellEdge::clamped("7")};
  auto parts = parts_of(body, *surface);
  BOOST_REQUIRE(parts.size() == 2);
  BOOST_TEST(parts[0].n_rigid_motions == 0);
  BOOST_TEST(parts[1].n_rigid_motions == 6);
  BOOST_TEST((parts[1].place - Vector3(2.5, 0.5, 0)).norm() < 1e-12);

  // Points hold the part that they are on.
  ShellPoint point;
  point.name           = "pin";
  point.position       = Vector3(3, 1, 0);
  point.position_fixed = {{true, true, true}};
  body.points          = {point};
  parts                = parts_of(body, *surface);
  BOOST_TEST(parts[0].n_rigid_motions == 0);
  BOOST_TEST(parts[1].n_rigid_motions == 3);

  BOOST_TEST(
    parts_of(body, *surface_from(gmsh_text(six_nodes + two_cells))).size() ==
    1);
}

BOOST_AUTO_TEST_SUITE_END()

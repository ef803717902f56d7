// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/validation/bend_twist_plane.h>
#include <slender/validation/phase_map.h>

#include <boost/test/unit_test.hpp>

#include <cmath>

namespace
{
  using namespace slender;

  /// A map of the decade 1..10 in both directions; `rows` from the top.
  PhaseMap
  make_map(const std::vector<std::string> &rows)
  {
    const std::size_t n_x = rows.front().size(), n_y = rows.size();
    PhaseMap          map(logspace(1., 10., n_x), logspace(1., 10., n_y));
    for (std::size_t j = 0; j < n_y; ++j)
      for (std::size_t i = 0; i < n_x; ++i)
        map.set_inside(i, n_y - 1 - j, rows[j][i] == '#');
    return map;
  }
} // namespace



BOOST_AUTO_TEST_SUITE(phase_map)

BOOST_AUTO_TEST_CASE(values_in_a_constant_ratio_end_where_they_should)
{
  const std::vector<double> values = logspace(0.3, 10., 23);
  BOOST_TEST(values.size() == 23u);
  BOOST_TEST(values.front() == 0.3);
  BOOST_TEST(values.back() == 10.);
  BOOST_TEST(values[11] == std::sqrt(3.), boost::test_tools::tolerance(1e-14));
  BOOST_TEST(logspace(2., 7., 1) == std::vector<double>{2.},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_frontier_passes_halfway_between_neighbours)
{
  const auto pieces = make_map({"..##", "..##", "..##"}).frontier();
  BOOST_REQUIRE(pieces.size() == 1u);
  BOOST_TEST(pieces[0].size() == 3u);
  for (std::size_t i = 0; i < pieces[0].size(); ++i)
    {
      BOOST_TEST(pieces[0][i].x() == std::sqrt(10.),
                 boost::test_tools::tolerance(1e-14));
      BOOST_TEST(pieces[0][i].y() == std::pow(10., 0.5 * double(i)),
                 boost::test_tools::tolerance(1e-14));
    }
}

BOOST_AUTO_TEST_CASE(a_frontier_goes_around_a_region_in_order)
{
  // Open at the top, as that of Bend-Twist: three places on the left, three
  // below, three on the right.
  const auto pieces = make_map({".###.", ".###.", ".###.", "....."}).frontier();
  BOOST_REQUIRE(pieces.size() == 1u);
  BOOST_TEST(pieces[0].size() == 9u);
  // Neighbours on the curve are neighbours in the plane.
  for (std::size_t i = 1; i < pieces[0].size(); ++i)
    BOOST_TEST((pieces[0][i].array().log() - pieces[0][i - 1].array().log())
                 .matrix()
                 .norm() < 0.35 * std::log(10.));
}

BOOST_AUTO_TEST_CASE(islands_are_pieces_of_their_own)
{
  const auto two = make_map({".....", ".#...", "...#.", "....."}).frontier();
  BOOST_TEST(two.size() == 2u);
  for (const PlaneCurve &piece : two)
    {
      BOOST_TEST(piece.size() == 5u);
      BOOST_TEST((piece.front() - piece.back()).norm() == 0.);
    }
  BOOST_TEST(make_map({"..", ".."}).frontier().empty());
  // A single row has places but nothing to join.
  BOOST_TEST(make_map({".#."}).frontier().size() == 2u);
}

BOOST_AUTO_TEST_CASE(a_curve_in_pieces_is_as_far_as_its_worst_place)
{
  const PlaneCurve line = {{0., 0.}, {0.5, 0.}, {1., 0.}};
  BOOST_TEST(hausdorff_distance(std::vector<PlaneCurve>{{{0., 0.1}, {0.5, 0.}},
                                                        {{0.5, 0.}, {1., 0.}}},
                                line) == 0.1,
             boost::test_tools::tolerance(1e-14));
  // Half of the line has no counterpart.
  BOOST_TEST(hausdorff_distance(std::vector<PlaneCurve>{{{0., 0.}, {0.5, 0.}}},
                                line) == 0.5,
             boost::test_tools::tolerance(1e-14));
  // An island far from it.
  BOOST_TEST(hausdorff_distance(std::vector<PlaneCurve>{line, {{0.5, 0.7}}},
                                line) == 0.7,
             boost::test_tools::tolerance(1e-14));
  BOOST_TEST(hausdorff_distance(std::vector<PlaneCurve>{}, line) == 1.);
}

BOOST_AUTO_TEST_CASE(the_master_curve_tells_the_states_of_the_recipes_grid)
{
  const Table               table     = master_table("bend_twist_grid");
  const std::vector<double> xs        = table.column("x");
  const std::vector<double> ys        = table.column("y");
  const std::vector<double> distances = table.column("distance");
  BOOST_REQUIRE(xs.size() == 690u);

  using namespace bend_twist;
  const PhaseRegion         region(master_frontier());
  const std::vector<double> columns = logspace(first_x, last_x, 30);
  const std::vector<double> rows    = logspace(first_y, last_y, 23);
  for (std::size_t i = 0; i < xs.size(); ++i)
    BOOST_TEST_CONTEXT("x = " << xs[i] << ", y = " << ys[i])
    {
      const double x = columns[i % 30], y = rows[i / 30];
      // The digits of the table.
      BOOST_TEST(x == xs[i], boost::test_tools::tolerance(1e-11));
      BOOST_TEST(y == ys[i], boost::test_tools::tolerance(1e-11));
      BOOST_TEST((std::get<std::string>(table.rows()[i][2]) == "3D") ==
                 region.contains(x, y));
      // Straight lines between the rows of the master curve: 2e-6.
      if (std::isfinite(distances[i]))
        BOOST_TEST(std::abs(region.distance(x, y) - distances[i]) < 5e-6);
      else
        BOOST_TEST(std::isinf(region.distance(x, y)));
    }
}

BOOST_AUTO_TEST_SUITE_END()

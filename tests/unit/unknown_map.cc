// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/unknown_map.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>

namespace
{
  using slender::Index;
  using slender::UnknownMap;
  using slender::Vector;

  constexpr Index n_dofs = 12;

  const std::vector<Index> prescribed = {7, 0, 1, 11};

  /// The map of one of three ranks that own four degrees of freedom each and
  /// read one on either side. It does not communicate, so that one process can
  /// hold the maps of all ranks.
  UnknownMap
  map_of(const Index rank)
  {
    std::vector<Index> relevant;
    for (Index i = std::min(4 * rank + 4, n_dofs - 1);
         i >= std::max(4 * rank - 1, 0);
         --i)
      relevant.push_back(i);
    return UnknownMap(
      MPI_COMM_SELF, n_dofs, 4 * rank, 4 * rank + 4, relevant, prescribed);
  }
} // namespace



BOOST_AUTO_TEST_SUITE(unknown_map)

BOOST_AUTO_TEST_CASE(ranks_share_the_unknowns_without_gap_or_overlap)
{
  Index next = 0;
  for (Index rank = 0; rank < 3; ++rank)
    {
      const slender::Layout layout = map_of(rank).layout();
      BOOST_TEST(layout.size == 8);
      BOOST_TEST(layout.begin == next);
      next = layout.end;
    }
  BOOST_TEST(next == 8);
}

BOOST_AUTO_TEST_CASE(free_degrees_of_freedom_keep_their_order)
{
  // Dofs 2 3 | 4 5 6 | 8 9 10 are the unknowns 0 1 | 2 3 4 | 5 6 7.
  const UnknownMap middle = map_of(1);
  BOOST_TEST(middle.layout().begin == 2);
  BOOST_TEST(middle.layout().end == 5);
  const std::vector<Index> ghosts = {1, 5};
  BOOST_TEST(middle.layout().ghosts == ghosts,
             boost::test_tools::per_element());

  const Vector q =
    middle.collect([](const Index dof) { return static_cast<double>(dof); });
  BOOST_TEST(q == (Vector(5) << 4, 5, 6, 3, 8).finished());
}

BOOST_AUTO_TEST_CASE(an_element_finds_free_and_prescribed_values_by_position)
{
  for (Index rank = 0; rank < 3; ++rank)
    {
      const UnknownMap map   = map_of(rank);
      const auto       value = [](const Index dof) { return 100. + dof; };
      const auto      &held  = map.prescribed_dofs();
      Vector           values(static_cast<Index>(held.size()));
      for (std::size_t i = 0; i < held.size(); ++i)
        values(static_cast<Index>(i)) = value(held[i]);
      const Vector extended = map.extend(map.collect(value), values);

      for (Index dof = std::max(4 * rank - 1, 0);
           dof < std::min(4 * rank + 5, n_dofs);
           ++dof)
        {
          BOOST_TEST(extended(map.position(dof)) == value(dof));
          // What is scattered back stops at the unknowns.
          const bool is_unknown = map.position(dof) < map.layout().n_local();
          BOOST_TEST(
            is_unknown ==
            (std::count(prescribed.begin(), prescribed.end(), dof) == 0));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_degree_of_freedom_out_of_reach_has_no_position)
{
  BOOST_CHECK_THROW(map_of(0).position(9), std::out_of_range);
}

BOOST_AUTO_TEST_CASE(a_rank_may_own_nothing)
{
  const UnknownMap map(MPI_COMM_SELF, n_dofs, 12, 12, {}, prescribed);
  BOOST_TEST(map.layout().n_local() == 0);
  BOOST_TEST(map.layout().begin == 8);
  BOOST_TEST(map.layout().size == 8);
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/random.h"
#include "support/rods.h"

#include <slender/statics/stability.h>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace
{
  using namespace slender;
  using namespace slender::test;
  namespace data = boost::unit_test::data;
} // namespace



BOOST_AUTO_TEST_SUITE(parallel)

BOOST_DATA_TEST_CASE(the_side_of_a_mode_does_not_depend_on_round_off,
                     data::make(both_kinds),
                     kind)
{
  // An antisymmetric mode, whose sum is round-off and whose largest components
  // come in pairs of both signs.
  Mesh mesh;
  mesh.communicator    = MPI_COMM_WORLD;
  const auto    rod    = make_rod(kind, RodBody(), mesh);
  const Layout &layout = rod->layout();
  const Index   n      = layout.size;
  for (unsigned int seed = 1; seed <= 20; ++seed)
    {
      Vector all = 1e-12 * Random(seed).vector(n);
      for (Index i = 0; i < n / 2; ++i)
        {
          const double wave = std::sin(6.283185307179586 * (i + 0.5) / n);
          all(i) += wave;
          all(n - 1 - i) -= wave;
        }
      const Vector mode = share_of(layout, all);
      BOOST_TEST(orientation(*rod, mode) == 1.);
      BOOST_TEST(orientation(*rod, -mode) == -1.);
      // A clear majority comes before the largest component.
      const Vector shifted = mode - Vector::Constant(mode.size(), 1e-3);
      BOOST_TEST(orientation(*rod, shifted) == -1.);
      BOOST_TEST(orientation(*rod, -shifted) == 1.);
    }
}

BOOST_AUTO_TEST_SUITE_END()

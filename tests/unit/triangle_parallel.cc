// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/triangle_shells.h"

#include <slender/solvers/petsc.h>
#include <slender/statics/equilibrium.h>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

// Triangles that are distributed over all ranks are those that every rank holds
// for itself, whatever the numbering of their unknowns.
namespace
{
  using namespace slender;
  using namespace slender::test;
  namespace data = boost::unit_test::data;

  double
  total(const double part)
  {
    double sum = 0.;
    MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
  }

  Vector
  wave(const TriangleShell &shell, const double amplitude, const double phase)
  {
    return shell.transformed(
      shell.initial_state(),
      [&](const Vector3 &rest, const Vector3 &) -> Vector3 {
        return rest + amplitude * Vector3(std::sin(7. * rest(1) + phase),
                                          std::cos(5. * rest(0) - phase),
                                          std::sin(6. * rest(0) + 4. * rest(1) +
                                                   3. * rest(2) + phase));
      });
  }

  const std::vector<NamedShell> shells = all_kinds_of_shells();
} // namespace



BOOST_AUTO_TEST_SUITE(parallel)

BOOST_DATA_TEST_CASE(triangles_on_several_ranks_are_those_on_one,
                     data::make(shells) * data::make(fold_rules()),
                     named,
                     rule)
{
  constexpr auto membrane = triangles::MembraneKind::st_venant_kirchhoff;
  const auto     alone  = make_triangles(named, rule, membrane, MPI_COMM_SELF);
  const auto     shared = make_triangles(named, rule, membrane, MPI_COMM_WORLD);
  BOOST_TEST(alone->layout().size == shared->layout().size);
  const Vector q = wave(*alone, 0.03, 0.3), p = wave(*shared, 0.03, 0.3);
  const double energy = alone->energy(q);
  BOOST_TEST(std::abs(total(shared->energy(p)) - energy) <
             1e-12 * std::abs(energy));
  for (int i = 0; i < 3; ++i)
    {
      const Vector d    = wave(*alone, 0.1, 1. + i) - wave(*alone, 0.1, 0.);
      const Vector e    = wave(*shared, 0.1, 1. + i) - wave(*shared, 0.1, 0.);
      const double work = alone->gradient(q).dot(d);
      BOOST_TEST(std::abs(total(shared->gradient(p).dot(e)) - work) <
                 1e-11 * (1. + std::abs(work)));
      HessianMultiplier mine(d), ours(e);
      alone->hessian(q, mine);
      shared->hessian(p, ours);
      const double stiffness = mine.product().dot(d);
      BOOST_TEST(std::abs(total(ours.product().dot(e)) - stiffness) <
                 1e-11 * std::abs(stiffness));
      BOOST_TEST(std::abs(total(shared->hessian_times(p, e).dot(e)) -
                          stiffness) < 1e-11 * std::abs(stiffness));
    }
  const auto one = alone->measure(q), several = shared->measure(p);
  BOOST_REQUIRE(one.size() == several.size());
  for (std::size_t i = 0; i < one.size(); ++i)
    BOOST_TEST(std::abs(one[i].value - several[i].value) <
                 1e-10 * (1. + std::abs(one[i].value)),
               one[i].name);
}

BOOST_AUTO_TEST_SUITE_END()

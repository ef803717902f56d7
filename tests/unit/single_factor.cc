// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/petsc.h>
#include <slender/solvers/single_factor.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>

namespace
{
  using namespace slender;

  /// A chain of springs with another unit for each of its unknowns, and the
  /// same number taken from the diagonal everywhere, in those units.
  struct Chain
  {
    static constexpr PetscInt size = 60;

    explicit Chain(const double taken)
    {
      petsc::check(
        MatCreateSeqAIJ(PETSC_COMM_SELF, size, size, 3, nullptr, &matrix));
      const auto unit = [](const PetscInt i) {
        return std::pow(10., i % 7 - 3);
      };
      for (PetscInt i = 0; i < size; ++i)
        for (PetscInt j = std::max(0, i - 1); j <= std::min(size - 1, i + 1);
             ++j)
          petsc::check(
            MatSetValue(matrix,
                        i,
                        j,
                        unit(i) * unit(j) * (i == j ? 2. - taken : -1.),
                        INSERT_VALUES));
      petsc::check(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
      petsc::check(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
      petsc::check(MatCreateVecs(matrix, &x, &b));
      petsc::check(VecDuplicate(x, &found));
    }

    petsc::Owned<Mat, MatDestroy> matrix;
    petsc::Owned<Vec, VecDestroy> x, b, found;
  };
} // namespace

BOOST_AUTO_TEST_SUITE(single_factor)

BOOST_AUTO_TEST_CASE(single_precision_does_not_depend_on_units)
{
  Chain chain(0.);
  for (PetscInt i = 0; i < Chain::size; ++i)
    petsc::check(
      VecSetValue(chain.x, i, std::pow(10., 3 - i % 7), INSERT_VALUES));
  petsc::check(MatMult(chain.matrix, chain.x, chain.b));
  SingleFactor factor;
  BOOST_REQUIRE(factor.factorise(chain.matrix));
  // The condition number is some 1500, and sizes may be any.
  for (const double size : {1., 1e-60, 1e60})
    {
      petsc::check(VecScale(chain.b, size));
      factor.solve(chain.b, chain.found);
      petsc::check(VecScale(chain.b, 1. / size));
      for (PetscInt i = 0; i < Chain::size; ++i)
        {
          double value;
          petsc::check(VecGetValues(chain.found, 1, &i, &value));
          BOOST_TEST(value / size * std::pow(10., i % 7 - 3) == 1.,
                     boost::test_tools::tolerance(1e-3));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_matrix_that_is_not_positive_definite_is_known_as_such)
{
  Chain        definite(0.), indefinite(0.05);
  SingleFactor factor;
  BOOST_TEST(factor.factorise(definite.matrix));
  BOOST_TEST(!factor.factorise(indefinite.matrix));
  BOOST_TEST(factor.factorise(definite.matrix));
}

BOOST_AUTO_TEST_SUITE_END()

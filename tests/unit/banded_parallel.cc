// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/random.h"

#include <slender/solvers/banded_tangent.h>
#include <slender/solvers/petsc.h>

#include <Eigen/Eigenvalues>
#include <boost/test/unit_test.hpp>

#include <set>

// A band that is shared by all ranks is the matrix that every rank holds for
// itself.
namespace
{
  using namespace slender;
  using Eigen::MatrixXd;
  using test::Random;

  /// A chain of elements of six unknowns that overlap by two, each element on
  /// one of the ranks; a rank owns consecutive unknowns.
  struct SharedChain
  {
    static constexpr Index               size = 6, stride = 4;
    Layout                               layout;
    std::vector<std::array<Index, size>> mine; ///< local numbers
    std::vector<Index>                   my_elements;
    Index                                n_elements;
    Couplings                            couplings;

    explicit SharedChain(const Index elements)
      : n_elements(elements)
    {
      int rank, n_ranks;
      MPI_Comm_rank(MPI_COMM_WORLD, &rank);
      MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
      layout.communicator = MPI_COMM_WORLD;
      layout.size         = (n_elements - 1) * stride + size;
      layout.begin        = layout.size * rank / n_ranks;
      layout.end          = layout.size * (rank + 1) / n_ranks;

      std::set<Index> ghosts;
      for (Index e = 0; e < n_elements; ++e)
        if (n_ranks * e / n_elements == rank)
          {
            my_elements.push_back(e);
            for (Index i = e * stride; i < e * stride + size; ++i)
              if (i < layout.begin || i >= layout.end)
                ghosts.insert(i);
          }
      layout.ghosts.assign(ghosts.begin(), ghosts.end());
      couplings = Couplings(layout);
      for (const Index e : my_elements)
        {
          mine.emplace_back();
          for (Index i = 0; i < size; ++i)
            mine.back()[i] = local(e * stride + i);
          couplings.add(mine.back().data(), size, nullptr);
        }
    }

    Index
    local(const Index global) const
    {
      if (global >= layout.begin && global < layout.end)
        return global - layout.begin;
      return layout.n_owned() +
             static_cast<Index>(std::lower_bound(layout.ghosts.begin(),
                                                 layout.ghosts.end(),
                                                 global) -
                                layout.ghosts.begin());
    }

    /// The same random matrix on all ranks, of which each adds its elements to
    /// the tangent.
    MatrixXd
    fill(BandedTangent &tangent, const double shift, const unsigned int seed)
    {
      MatrixXd full = MatrixXd::Zero(layout.size, layout.size);
      Random   random(seed);
      tangent.clear();
      std::size_t next = 0;
      for (Index e = 0; e < n_elements; ++e)
        {
          MatrixXd block(size, size);
          for (Index i = 0; i < size; ++i)
            block.col(i) = random.vector(size);
          block = (0.5 * (block + block.transpose())).eval();
          block += shift * MatrixXd::Identity(size, size);
          full.block(e * stride, e * stride, size, size) += block;
          if (next < my_elements.size() && my_elements[next] == e)
            tangent.add(mine[next++].data(), size, block.data());
        }
      tangent.finish();
      return full;
    }

    Vector
    share(const Vector &all) const
    {
      return share_of(layout, all);
    }
  };

  /// A product, a solution and the inertia are those of the dense matrix.
  void
  check_matrix(const Layout   &layout,
               BandedTangent  &tangent,
               const MatrixXd &A,
               const Vector   &b)
  {
    petsc::Owned<Vec, VecDestroy> right, x, product;
    *&right   = petsc::create_vector(layout);
    *&x       = petsc::create_vector(layout);
    *&product = petsc::create_vector(layout);
    petsc::set_values(right, share_of(layout, b));
    tangent.apply(right, product);
    BOOST_TEST((gather(layout, petsc::local_values(product)) - A * b).norm() <
               1e-14 * A.norm() * b.norm());
    BOOST_TEST(tangent.solve(right, x));
    const Vector found = gather(layout, petsc::local_values(x));
    BOOST_TEST((A * found - b).norm() <
               1e-11 * (A.norm() * found.norm() + b.norm()));

    const Vector eigenvalues =
      Eigen::SelfAdjointEigenSolver<MatrixXd>(A).eigenvalues();
    const Index n_negative =
      static_cast<Index>((eigenvalues.array() < 0.).count());
    BOOST_TEST(tangent.inertia().negative == n_negative);
    BOOST_TEST(tangent.inertia().positive == layout.size - n_negative);
    BOOST_TEST(tangent.n_factorisations() == 1);
  }
} // namespace

BOOST_AUTO_TEST_SUITE(parallel)

BOOST_AUTO_TEST_CASE(a_band_on_several_ranks_is_that_of_one)
{
  // Elements and unknowns are cut at different places. From positive definite
  // through indefinite to negative definite.
  int indefinite = 0;
  for (const Index n_elements : {1, 2, 7, 40})
    for (const double shift : {4., 0.3, 0., -0.3, -4.})
      for (unsigned int seed = 0; seed < 3; ++seed)
        BOOST_TEST_CONTEXT(n_elements << " elements, shift " << shift
                                      << ", seed " << seed)
        {
          SharedChain    chain(n_elements);
          BandedTangent  tangent(chain.layout, chain.couplings);
          const MatrixXd A = chain.fill(tangent, shift, seed);
          const Vector   b = Random(seed + 100).vector(chain.layout.size);
          check_matrix(chain.layout, tangent, A, b);
          BOOST_TEST(tangent.bandwidth() <= 5);
          const Index n_negative = tangent.inertia().negative;
          indefinite += n_negative > 0 && n_negative < chain.layout.size;
        }
  BOOST_TEST(indefinite >= 20);
}

BOOST_AUTO_TEST_CASE(blocks_may_tie_unknowns_of_other_ranks)
{
  // Unknowns within the pieces of the first and the last rank, tied by each
  // rank once: most ranks know neither. A negative number is skipped.
  int n_ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
  for (const double shift : {4., 0.})
    BOOST_TEST_CONTEXT("shift " << shift)
    {
      SharedChain                chain(40);
      const Index                last   = chain.layout.size - 1;
      const std::array<Index, 5> tied   = {{last - 5, 3, -1, 4, last - 1}};
      const Index                n_tied = 5;
      chain.couplings.add_global(tied.data(), n_tied, nullptr);
      BandedTangent tangent(chain.layout, chain.couplings);
      MatrixXd      A     = chain.fill(tangent, shift, 5);
      MatrixXd      block = MatrixXd::Constant(n_tied, n_tied, 0.25);
      block.diagonal().array() += shift + 1.;
      tangent.add_global(tied.data(), n_tied, block.data());
      for (Index i = 0; i < n_tied; ++i)
        for (Index j = 0; j < n_tied; ++j)
          if (tied[i] >= 0 && tied[j] >= 0)
            A(tied[i], tied[j]) += n_ranks * block(i, j);
      check_matrix(chain.layout,
                   tangent,
                   A,
                   Random(7).vector(chain.layout.size));
      if (n_ranks > 1)
        {
          const Index others[2] = {9, last - 9};
          BOOST_CHECK_THROW(tangent.add_global(others, 2, block.data()),
                            std::logic_error);
        }
    }
}

BOOST_AUTO_TEST_CASE(all_ranks_agree_on_a_matrix_that_is_singular_on_one)
{
  SharedChain   chain(20);
  BandedTangent tangent(chain.layout, chain.couplings);
  chain.fill(tangent, 4., 1);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const double nan     = std::numeric_limits<double>::quiet_NaN();
  const Index  unknown = 0;
  if (rank == 0)
    tangent.add(&unknown, 1, &nan);
  petsc::Owned<Vec, VecDestroy> b, x;
  *&b = petsc::create_vector(chain.layout);
  *&x = petsc::create_vector(chain.layout);
  petsc::set_values(b, Vector::Ones(chain.layout.n_local()));
  BOOST_TEST(!tangent.solve(b, x));
  BOOST_TEST(tangent.inertia().zero == chain.layout.size);
}

BOOST_AUTO_TEST_SUITE_END()

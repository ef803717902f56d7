// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/dense_hessian.h"
#include "support/random.h"
#include "support/rods.h"

#include <slender/solvers/banded_tangent.h>
#include <slender/solvers/petsc.h>

#include <Eigen/Eigenvalues>
#include <boost/test/unit_test.hpp>

#include <limits>
#include <numeric>

namespace
{
  using namespace slender;
  using Eigen::MatrixXd;
  using test::Random;

  /// Of a matrix on one rank.
  Layout
  layout_of(const Index n)
  {
    Layout layout;
    layout.size = layout.end = n;
    return layout;
  }

  Couplings
  couplings_of(const std::vector<std::vector<Index>> &blocks)
  {
    Couplings couplings;
    for (const std::vector<Index> &block : blocks)
      couplings.add(block.data(), static_cast<Index>(block.size()), nullptr);
    return couplings;
  }

  /// A vector of PETSc for as long as it is needed.
  class PetscVector
  {
  public:
    explicit PetscVector(const Vector &values)
    {
      handle =
        petsc::create_vector(layout_of(static_cast<Index>(values.size())));
      petsc::set_values(handle, values);
    }
    ~PetscVector()
    {
      VecDestroy(&handle);
    }
    PetscVector(const PetscVector &) = delete;
    PetscVector &
    operator=(const PetscVector &) = delete;

    operator Vec() const
    {
      return handle;
    }

    Vector
    values() const
    {
      return petsc::local_values(handle);
    }

  private:
    Vec handle = nullptr;
  };

  /// A chain of overlapping elements, numbered in a scrambled order as the
  /// unknowns of a mesh are: element e couples the `size` unknowns from
  /// `stride` e on.
  struct Chain
  {
    std::vector<std::vector<Index>> elements;
    Couplings                       couplings;
    Index                           n;

    Chain(const Index        n_elements,
          const Index        size,
          const Index        stride,
          const unsigned int seed)
      : n((n_elements - 1) * stride + size)
    {
      std::vector<Index> number(n);
      std::iota(number.begin(), number.end(), 0);
      Random random(seed);
      for (Index i = n - 1; i > 0; --i)
        std::swap(number[i],
                  number[static_cast<Index>(std::abs(random.number()) * i)]);
      for (Index e = 0; e < n_elements; ++e)
        {
          elements.emplace_back();
          for (Index i = 0; i < size; ++i)
            elements.back().push_back(number[e * stride + i]);
          couplings.add(elements.back().data(), size, nullptr);
        }
    }

    BandedTangent
    tangent() const
    {
      return BandedTangent(layout_of(n), couplings);
    }

    /// A random symmetric matrix with the chain's pattern, in a tangent and as
    /// a full matrix; `shift` is added to every element's diagonal.
    MatrixXd
    fill(BandedTangent     &tangent,
         const double       shift,
         const unsigned int seed) const
    {
      MatrixXd full = MatrixXd::Zero(n, n);
      Random   random(seed);
      tangent.clear();
      for (const auto &element : elements)
        {
          const Index m = static_cast<Index>(element.size());
          MatrixXd    block(m, m);
          for (Index i = 0; i < m; ++i)
            block.col(i) = random.vector(m);
          block = (0.5 * (block + block.transpose())).eval();
          block += shift * MatrixXd::Identity(m, m);
          tangent.add(element.data(), m, block.data());
          for (Index i = 0; i < m; ++i)
            for (Index j = 0; j < m; ++j)
              full(element[i], element[j]) += block(i, j);
        }
      tangent.finish();
      return full;
    }
  };

  Inertia
  inertia_by_eigenvalues(const MatrixXd &A)
  {
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(A);
    Inertia                                       inertia;
    for (const double lambda : solver.eigenvalues())
      ++(lambda < 0 ? inertia.negative : inertia.positive);
    return inertia;
  }
} // namespace



BOOST_AUTO_TEST_SUITE(banded_tangent)

BOOST_AUTO_TEST_CASE(a_scrambled_chain_becomes_a_narrow_band)
{
  // Elements of 6 that overlap by 2 reach at most 5 away in the chain's own
  // order; Cuthill and McKee may need somewhat more.
  const Chain chain(40, 6, 4, 1);
  BOOST_TEST(chain.tangent().bandwidth() >= 5);
  BOOST_TEST(chain.tangent().bandwidth() <= 10);
}

BOOST_AUTO_TEST_CASE(product_is_that_of_the_full_matrix)
{
  const Chain       chain(30, 7, 4, 2);
  BandedTangent     tangent = chain.tangent();
  const MatrixXd    A       = chain.fill(tangent, 0., 3);
  const Vector      x       = Random(4).vector(chain.n);
  const PetscVector in(x), out(Vector::Zero(chain.n));
  tangent.apply(in, out);
  BOOST_TEST((out.values() - A * x).norm() < 1e-14 * A.norm() * x.norm());
}

BOOST_AUTO_TEST_CASE(systems_are_solved_and_signs_of_eigenvalues_counted)
{
  // From positive definite through indefinite to negative definite.
  int indefinite = 0;
  for (const double shift : {4., 1., 0.3, 0., -0.3, -1., -4.})
    for (unsigned int seed = 0; seed < 5; ++seed)
      BOOST_TEST_CONTEXT("shift " << shift << ", seed " << seed)
      {
        const Chain       chain(30, 6, 3, 10 + seed);
        BandedTangent     tangent = chain.tangent();
        const MatrixXd    A       = chain.fill(tangent, shift, seed);
        const Vector      b       = Random(seed + 100).vector(chain.n);
        const PetscVector right(b), x(Vector::Zero(chain.n));
        BOOST_TEST(tangent.solve(right, x));
        // Refinement brings the residual to round-off even where elimination
        // without pivoting met a small pivot.
        BOOST_TEST((A * x.values() - b).norm() <
                   1e-11 * (A.norm() * x.values().norm() + b.norm()));

        const Inertia expected = inertia_by_eigenvalues(A);
        const Inertia counted  = tangent.inertia();
        BOOST_TEST(counted.negative == expected.negative);
        BOOST_TEST(counted.positive == expected.positive);
        BOOST_TEST(counted.zero == 0);
        BOOST_TEST(tangent.n_factorisations() == 1);
        indefinite += expected.negative > 0 && expected.positive > 0;
      }
  BOOST_TEST(indefinite >= 15);
}

BOOST_AUTO_TEST_CASE(small_pivots_cost_no_digits)
{
  // In either order the first pivot is small: elimination alone loses as many
  // digits as it has zeros.
  BandedTangent tangent(layout_of(2), couplings_of({{0, 1}}));
  const Index   both[] = {0, 1};
  for (const double pivot : {1e-4, 1e-6, 1e-8})
    {
      const double block[] = {pivot, 1., 1., -pivot};
      tangent.clear();
      tangent.add(both, 2, block);
      tangent.finish();
      const Eigen::Map<const Eigen::Matrix2d> A(block);
      const Vector      b = (Vector(2) << 0.3, 0.7).finished();
      const PetscVector right(b), x(Vector::Zero(2));
      BOOST_TEST(tangent.solve(right, x));
      BOOST_TEST((A * x.values() - b).norm() < 1e-14 * b.norm());
    }
}

BOOST_AUTO_TEST_CASE(a_tangent_can_be_filled_again)
{
  const Chain       chain(20, 5, 3, 5);
  BandedTangent     tangent = chain.tangent();
  const Vector      b       = Random(6).vector(chain.n);
  const PetscVector right(b), x(Vector::Zero(chain.n));
  for (unsigned int seed = 0; seed < 3; ++seed)
    {
      const MatrixXd A = chain.fill(tangent, 3., seed);
      BOOST_TEST(tangent.solve(right, x));
      BOOST_TEST((A * x.values() - b).norm() < 1e-12 * b.norm());
    }
  BOOST_TEST(tangent.n_factorisations() == 3);
}

BOOST_AUTO_TEST_CASE(prescribed_values_have_no_row)
{
  // A chain of three springs between walls: the unknowns are the two nodes in
  // between, a negative number is a wall.
  BandedTangent tangent(layout_of(2), couplings_of({{0, 1}}));
  const double  spring[] = {1., -1., -1., 1.};
  tangent.clear();
  for (const std::vector<Index> &ends :
       std::vector<std::vector<Index>>{{-1, 0}, {0, 1}, {1, -1}})
    tangent.add(ends.data(), 2, spring);
  tangent.finish();
  const PetscVector force(Vector::Ones(2)), x(Vector::Zero(2));
  BOOST_TEST(tangent.solve(force, x));
  BOOST_TEST((x.values() - Vector::Ones(2)).norm() < 1e-15);
}

BOOST_AUTO_TEST_CASE(bodies_that_do_not_touch_may_share_a_band)
{
  BandedTangent tangent(layout_of(4), couplings_of({{0, 2}, {1}, {3}}));
  tangent.clear();
  const Index  pair[]   = {0, 2};
  const double block[]  = {2., 1., 1., 2.};
  const Index  single[] = {1, 3};
  const double four[]   = {4.};
  const double minus[]  = {-5.};
  tangent.add(pair, 2, block);
  tangent.add(single, 1, four);
  tangent.add(single + 1, 1, minus);
  tangent.finish();
  const PetscVector b((Vector(4) << 3., 4., 3., 5.).finished()),
    x(Vector::Zero(4));
  BOOST_TEST(tangent.solve(b, x));
  BOOST_TEST((x.values() - (Vector(4) << 1., 1., 1., -1.).finished()).norm() <
             1e-15);
  BOOST_TEST(tangent.inertia().negative == 1);
  BOOST_TEST(tangent.inertia().positive == 3);
}

BOOST_AUTO_TEST_CASE(a_block_outside_the_band_is_refused)
{
  // A chain of six: {0, 5} would land at another place of the band.
  BandedTangent tangent(layout_of(6),
                        couplings_of({{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}));
  tangent.clear();
  const Index  far_apart[] = {0, 5}, neighbours[] = {0, 1};
  const double block[] = {1., 1., 1., 1.};
  BOOST_CHECK_THROW(tangent.add(far_apart, 2, block), std::logic_error);
  // It has left no trace.
  tangent.add(neighbours, 2, block);
  tangent.finish();
  const PetscVector in((Vector(6) << 1., 2., 3., 4., 5., 6.).finished()),
    out(Vector::Zero(6));
  tangent.apply(in, out);
  BOOST_TEST(
    (out.values() - (Vector(6) << 3., 3., 0., 0., 0., 0.).finished()).norm() ==
    0.);
}

BOOST_AUTO_TEST_CASE(rows_of_a_pattern_are_those_of_its_blocks)
{
  // With a block twice, one within another, and a prescribed value.
  const Couplings couplings =
    couplings_of({{3, 1}, {0, -1, 3, 1}, {3, 1}, {4}, {-1}});
  const CompressedRows     rows    = couplings.rows(6);
  const std::vector<Index> begins  = {0, 3, 6, 7, 10, 11, 12},
                           columns = {0, 1, 3, 0, 1, 3, 2, 0, 1, 3, 4, 5};
  BOOST_TEST(rows.begins == begins, boost::test_tools::per_element());
  BOOST_TEST(rows.columns == columns, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_singular_matrix_is_not_solved)
{
  // Springs without a wall: the chain may drift.
  const Index                     n = 20;
  std::vector<std::vector<Index>> springs;
  for (Index i = 0; i + 1 < n; ++i)
    springs.push_back({i, i + 1});
  BandedTangent tangent(layout_of(n), couplings_of(springs));
  const double  spring[] = {1., -1., -1., 1.};
  tangent.clear();
  for (Index i = 0; i + 1 < n; ++i)
    {
      const Index ends[] = {i, i + 1};
      tangent.add(ends, 2, spring);
    }
  tangent.finish();
  const PetscVector b(Vector::Ones(n)), x(Vector::Zero(n));
  BOOST_TEST(!tangent.solve(b, x));
  BOOST_TEST(tangent.inertia().zero > 0);
}

BOOST_AUTO_TEST_CASE(
  a_matrix_that_is_singular_up_to_round_off_gives_no_small_solution)
{
  // A definite chain with one rigid motion: every element is projected across
  // the element's share of one vector. The last pivot is round-off instead of
  // zero and may pass for regular; then the solution must be so large that
  // Newton's method cannot take it for a step that has converged.
  const Chain   chain(20, 5, 2, 7);
  BandedTangent tangent = chain.tangent();
  Random        random(8);
  const Vector  rigid = random.vector(chain.n);
  tangent.clear();
  for (const auto &element : chain.elements)
    {
      MatrixXd block(5, 5);
      Vector   share(5);
      for (Index i = 0; i < 5; ++i)
        {
          block.col(i) = random.vector(5);
          share(i)     = rigid(element[i]);
        }
      share.normalize();
      const MatrixXd P = MatrixXd::Identity(5, 5) - share * share.transpose();
      block            = (P * block * block.transpose() * P).eval();
      tangent.add(element.data(), 5, block.data());
    }
  tangent.finish();
  const PetscVector b(Vector::Ones(chain.n)), x(Vector::Zero(chain.n));
  BOOST_TEST((!tangent.solve(b, x) || x.values().norm() > 1e10));
}

BOOST_AUTO_TEST_CASE(a_matrix_with_an_undefined_entry_is_not_solved)
{
  const Chain   chain(5, 4, 2, 8);
  BandedTangent tangent = chain.tangent();
  chain.fill(tangent, 4., 9);
  const double nan     = std::numeric_limits<double>::quiet_NaN();
  const Index  unknown = 3;
  tangent.add(&unknown, 1, &nan);
  tangent.finish();
  const PetscVector b(Vector::Ones(chain.n)), x(Vector::Zero(chain.n));
  BOOST_TEST(!tangent.solve(b, x));
}

BOOST_AUTO_TEST_CASE(both_solvers_recover_from_a_singular_matrix)
{
  const auto   rod = test::make_rod(test::Kind::discrete,
                                  RodBody(),
                                  test::small_mesh(test::Kind::discrete));
  const Vector q   = test::random_state(*rod, 0.05, 1);
  const Vector b   = Random(2).vector(rod->layout().size);
  for (const LinearSolver kind : {LinearSolver::banded, LinearSolver::mumps})
    {
      const auto        tangent = make_tangent(*rod, q, kind);
      const PetscVector right(b), x(Vector::Zero(b.size()));
      // First nothing at all, then the stiffness of a rod.
      tangent->clear();
      tangent->finish();
      BOOST_TEST(!tangent->solve(right, x));
      tangent->clear();
      rod->hessian(q, *tangent);
      tangent->finish();
      BOOST_TEST(tangent->solve(right, x));
      BOOST_TEST((test::dense_hessian(*rod, q) * x.values() - b).norm() <
                 1e-9 * b.norm());
    }
}

BOOST_AUTO_TEST_SUITE_END()

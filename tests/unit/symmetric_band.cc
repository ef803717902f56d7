// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/symmetric_band.h>

#include <Eigen/Eigenvalues>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <random>

namespace
{
  using namespace slender;
  namespace data = boost::unit_test::data;

  /// Elements in a row: each couples the unknowns inside it with those that it
  /// shares with the next one.
  struct Chain
  {
    Index n_elements, n_inner, n_shared;

    Index
    size() const
    {
      return n_elements * (n_inner + n_shared) + n_shared;
    }

    Index
    block() const
    {
      return n_inner + 2 * n_shared;
    }
  };

  std::ostream &
  operator<<(std::ostream &out, const Chain &chain)
  {
    return out << chain.n_elements << " elements with " << chain.n_inner
               << " inner and " << chain.n_shared << " shared unknowns";
  }

  /// Short columns, long ones, columns that all end in the last row, and a
  /// band in which each reaches farther than the one before.
  const Chain chains[] = {{12, 21, 7},
                          {30, 0, 4},
                          {3, 110, 11},
                          {1, 200, 3},
                          {5, 0, 61},
                          {50, 0, 1}};

  /// An indefinite matrix, filled into a band with room to spare.
  struct Filled
  {
    Filled(const Chain &chain, const Index spare)
      : band(chain.size(), chain.block() - 1 + spare)
      , dense(Eigen::MatrixXd::Zero(chain.size(), chain.size()))
    {
      std::mt19937                           generator(7);
      std::uniform_real_distribution<double> number(-1., 1.);
      band.clear();
      for (Index e = 0; e < chain.n_elements; ++e)
        {
          const Index first = e * (chain.n_inner + chain.n_shared);
          for (Index j = 0; j < chain.block(); ++j)
            for (Index i = j; i < chain.block(); ++i)
              {
                const double size  = static_cast<double>(chain.block());
                const double entry = i > j ? number(generator)
                                     : j % 5 == 3
                                       ? -size * (2. + number(generator))
                                       : size * (2. + number(generator));
                band.lower(first + j)[first + i] += entry;
                dense(first + i, first + j) += entry;
                if (i > j)
                  dense(first + j, first + i) += entry;
              }
        }
    }

    SymmetricBand   band;
    Eigen::MatrixXd dense;
  };
} // namespace

BOOST_AUTO_TEST_SUITE(symmetric_band)

BOOST_DATA_TEST_CASE(a_chain_of_elements_is_solved_with,
                     data::make(chains) * data::make({0, 9}),
                     chain,
                     spare)
{
  Filled       filled(chain, spare);
  const Vector x = Vector::LinSpaced(chain.size(), -1., 2.);
  const Vector b = filled.dense * x;
  BOOST_TEST((filled.band.multiply(x) - b).norm() < 1e-13 * b.norm());
  BOOST_TEST(filled.band.factorise());
  Vector found = b;
  filled.band.solve(found);
  BOOST_TEST((found - x).norm() < 1e-11 * x.norm());
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(
    filled.dense, Eigen::EigenvaluesOnly);
  BOOST_TEST(filled.band.n_negative_pivots() ==
             (eigen.eigenvalues().array() < 0.).count());
}

BOOST_AUTO_TEST_CASE(a_matrix_that_is_filled_anew_has_columns_of_other_lengths)
{
  const Chain  chain{12, 21, 7};
  Filled       filled(chain, 0);
  const Vector x = Vector::Ones(chain.size());
  BOOST_TEST(filled.band.factorise());
  filled.band.clear();
  for (Index i = 0; i < chain.size(); ++i)
    filled.band.lower(i)[i] = 2.;
  BOOST_TEST(filled.band.factorise());
  Vector found = x;
  filled.band.solve(found);
  BOOST_TEST((found - 0.5 * x).norm() == 0.);
  filled = Filled(chain, 0);
  BOOST_TEST(filled.band.factorise());
  found = filled.dense * x;
  filled.band.solve(found);
  BOOST_TEST((found - x).norm() < 1e-11 * x.norm());
}

BOOST_DATA_TEST_CASE(a_row_of_zeros_is_singular, data::make(chains), chain)
{
  Filled      filled(chain, 0);
  const Index k     = chain.size() / 2;
  const Index width = filled.band.bandwidth();
  for (Index j = std::max(0, k - width); j <= k; ++j)
    filled.band.lower(j)[k] = 0.;
  for (Index i = k; i <= std::min(chain.size() - 1, k + width); ++i)
    filled.band.lower(k)[i] = 0.;
  BOOST_TEST(!filled.band.factorise());
}

BOOST_DATA_TEST_CASE(something_that_is_not_a_number_is_singular,
                     data::make(chains),
                     chain)
{
  Filled filled(chain, 0);
  filled.band.lower(0)[0] = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(!filled.band.factorise());
}

BOOST_AUTO_TEST_SUITE_END()

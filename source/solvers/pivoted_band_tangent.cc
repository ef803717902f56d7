// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/narrow_order.h>
#include <slender/solvers/petsc.h>
#include <slender/solvers/pivoted_band_tangent.h>
#include <slender/solvers/unsymmetric_inertia.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

// LAPACK's factorisation of a band, and the solution with it.
extern "C"
{
  void
  dgbtrf_(const int *m,
          const int *n,
          const int *kl,
          const int *ku,
          double    *ab,
          const int *ldab,
          int       *ipiv,
          int       *info);
  void
  dgbtrs_(const char   *trans,
          const int    *n,
          const int    *kl,
          const int    *ku,
          const int    *nrhs,
          const double *ab,
          const int    *ldab,
          const int    *ipiv,
          double       *b,
          const int    *ldb,
          int          *info);
}

namespace slender
{
  PivotedBandTangent::PivotedBandTangent(const Layout    &a_layout,
                                         const Couplings &couplings)
    : layout(a_layout)
    , place(narrow_order(couplings.rows(layout.size)))
  {
    for (std::size_t b = 0; b < couplings.n_blocks(); ++b)
      {
        Index lowest = std::numeric_limits<Index>::max(), highest = 0;
        for (const Index i : couplings.block(b))
          {
            lowest  = std::min(lowest, place[i]);
            highest = std::max(highest, place[i]);
          }
        width = std::max(width, highest - lowest);
      }
  }

  Index
  PivotedBandTangent::bandwidth() const
  {
    return width;
  }

  void
  PivotedBandTangent::clear()
  {
    matrix.assign(static_cast<std::size_t>(layout.size) * n_rows(), 0.);
    is_factorised = false;
  }

  void
  PivotedBandTangent::add(const Index  *unknowns,
                          const Index   n,
                          const double *block)
  {
    for (Index j = 0; j < n; ++j)
      {
        if (unknowns[j] < 0)
          continue;
        const Index column = place[unknowns[j]];
        for (Index i = 0; i < n; ++i)
          if (unknowns[i] >= 0)
            {
              const Index row = place[unknowns[i]];
              if (std::abs(row - column) > width)
                throw std::logic_error("a block couples unknowns that are "
                                       "farther apart than the band is wide "
                                       "that was made for the matrix");
              matrix[at(row, column)] += block[j * n + i];
            }
      }
  }

  void
  PivotedBandTangent::add_global(const Index  *unknowns,
                                 const Index   n,
                                 const double *block)
  {
    add(unknowns, n, block); // on one rank they are the same
  }

  void
  PivotedBandTangent::finish()
  {}

  Vector
  PivotedBandTangent::product(const Vector &x) const
  {
    Vector result = Vector::Zero(layout.size), in(layout.size);
    for (Index i = 0; i < layout.size; ++i)
      in(place[i]) = x(i);
    for (Index j = 0; j < layout.size; ++j)
      {
        const Index first = std::max(0, j - width);
        const Index n     = std::min(layout.size - 1, j + width) - first + 1;
        result.segment(first, n) +=
          in(j)*Eigen::Map<const Vector>(&matrix[at(first, j)], n);
      }
    return result(place);
  }

  void
  PivotedBandTangent::apply(Vec x, Vec y) const
  {
    petsc::set_values(y, product(petsc::local_values(x)));
  }

  void
  PivotedBandTangent::apply(Eigen::Ref<Eigen::MatrixXd> columns) const
  {
    for (Index k = 0; k < columns.cols(); ++k)
      columns.col(k) = product(columns.col(k));
  }

  bool
  PivotedBandTangent::factorise()
  {
    if (is_factorised)
      return is_regular;
    is_factorised = true;
    ++factorisations;
    factors = matrix;
    pivots.resize(layout.size);
    const int rows = n_rows();
    int       info = 0;
    dgbtrf_(&layout.size,
            &layout.size,
            &width,
            &width,
            factors.data(),
            &rows,
            pivots.data(),
            &info);
    is_regular =
      info == 0 &&
      std::all_of(factors.begin(), factors.end(), [](const double entry) {
        return std::isfinite(entry);
      });
    return is_regular;
  }

  std::optional<Vector>
  PivotedBandTangent::solution(const Vector &b, const char is_transposed)
  {
    if (!factorise())
      return {};
    Vector x(layout.size);
    for (Index i = 0; i < layout.size; ++i)
      x(place[i]) = b(i);
    const int rows = n_rows(), one = 1;
    int       info = 0;
    dgbtrs_(&is_transposed,
            &layout.size,
            &width,
            &width,
            &one,
            factors.data(),
            &rows,
            pivots.data(),
            x.data(),
            &layout.size,
            &info);
    if (info != 0 || !x.allFinite())
      return {};
    return x(place);
  }

  bool
  PivotedBandTangent::solve(Vec b, Vec x)
  {
    const auto values = solution(petsc::local_values(b), 'N');
    if (values)
      petsc::set_values(x, *values);
    return values.has_value();
  }

  bool
  PivotedBandTangent::solve_transposed(Vec b, Vec x)
  {
    const auto values = solution(petsc::local_values(b), 'T');
    if (values)
      petsc::set_values(x, *values);
    return values.has_value();
  }

  bool
  PivotedBandTangent::solve(Eigen::Ref<Eigen::MatrixXd> columns)
  {
    for (Index k = 0; k < columns.cols(); ++k)
      {
        const auto values = solution(columns.col(k), 'N');
        if (!values)
          return false;
        columns.col(k) = *values;
      }
    return true;
  }

  Inertia
  PivotedBandTangent::inertia()
  {
    if (!factorise())
      {
        Inertia result;
        result.zero = layout.size;
        return result;
      }
    int sign = 1;
    for (Index j = 0; j < layout.size; ++j)
      {
        if (factors[at(j, j)] < 0.)
          sign = -sign;
        if (pivots[j] != j + 1) // rows were exchanged; they count from 1
          sign = -sign;
      }
    return unsymmetric_inertia(
      layout, [this](Vec b, Vec x) { return solve(b, x); }, sign);
  }

  long
  PivotedBandTangent::n_factorisations() const
  {
    return factorisations;
  }
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/symmetric_band.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace slender
{
  SymmetricBand::SymmetricBand(const Index size, const Index a_width)
    : n(size)
    , width(a_width)
  {}

  void
  SymmetricBand::clear()
  {
    matrix.assign(static_cast<std::size_t>(n) * (width + 1), 0.);
  }

  bool
  SymmetricBand::factorise()
  {
    factor = matrix;
    // A pivot that is this small compared with its column is not known at all.
    const double tiny = std::numeric_limits<double>::epsilon();

    Vector column(width);
    for (Index j = 0; j < n; ++j)
      {
        double *a = factor.data() + static_cast<std::size_t>(j) * (width + 1);
        const Index  m     = std::min(width, n - 1 - j);
        const double pivot = a[0];
        const double size =
          std::abs(matrix[static_cast<std::size_t>(j) * (width + 1)]);
        if (!std::isfinite(pivot) || std::abs(pivot) <= tiny * tiny * size ||
            pivot == 0.)
          return false;
        Eigen::Map<Vector> below(a + 1, m);
        column.head(m) = below;
        below /= pivot;
        for (Index i = 0; i < m; ++i)
          if (column(i) != 0.)
            Eigen::Map<Vector>(a +
                                 static_cast<std::size_t>(i + 1) * (width + 1),
                               m - i) -= column(i) * below.tail(m - i);
      }
    return true;
  }

  Index
  SymmetricBand::n_negative_pivots() const
  {
    Index result = 0;
    for (Index j = 0; j < n; ++j)
      result += factor_column(j)[0] < 0. ? 1 : 0;
    return result;
  }

  Vector
  SymmetricBand::multiply(const Vector &x) const
  {
    Vector y = Vector::Zero(n);
    for (Index j = 0; j < n; ++j)
      {
        const double *a =
          matrix.data() + static_cast<std::size_t>(j) * (width + 1);
        const Index                    m = std::min(width, n - 1 - j);
        const Eigen::Map<const Vector> below(a + 1, m);
        y(j) += a[0] * x(j) + below.dot(x.segment(j + 1, m));
        y.segment(j + 1, m) += x(j) * below;
      }
    return y;
  }

  void
  SymmetricBand::solve(Vector &b) const
  {
    for (Index j = 0; j < n; ++j)
      {
        const Index m = std::min(width, n - 1 - j);
        b.segment(j + 1, m) -=
          b(j) * Eigen::Map<const Vector>(factor_column(j) + 1, m);
      }
    for (Index j = n - 1; j >= 0; --j)
      {
        const double *a = factor_column(j);
        const Index   m = std::min(width, n - 1 - j);
        b(j)            = b(j) / a[0] -
               Eigen::Map<const Vector>(a + 1, m).dot(b.segment(j + 1, m));
      }
  }

  void
  SymmetricBand::subtract_schur_complement(const std::vector<Index> &rows,
                                           const Eigen::MatrixXd    &C,
                                           Eigen::MatrixXd &complement) const
  {
    if (rows.empty())
      return;
    // With W = L^-1 C it is W^T D^-1 W. Row j of W reaches the next `width`
    // rows only: a window that moves along the band is all that is kept.
    const Index     m = static_cast<Index>(C.cols()), length = width + 1;
    Eigen::MatrixXd window = Eigen::MatrixXd::Zero(m, length);
    Vector          w(m);
    auto            given = rows.begin();
    for (Index j = rows.front(); j < n; ++j)
      {
        auto here = window.col(j % length);
        w         = here;
        here.setZero();
        if (given != rows.end() && *given == j)
          w += C.row(given++ - rows.begin()).transpose();
        const double *a = factor_column(j);
        for (Index k = 0; k < m; ++k)
          if (w(k) != 0.)
            complement.col(k) -= w(k) / a[0] * w;
        for (Index i = 1; i <= std::min(width, n - 1 - j); ++i)
          window.col((j + i) % length) -= a[i] * w;
      }
  }
} // namespace slender

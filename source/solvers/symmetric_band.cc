// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/vectorised.h>
#include <slender/solvers/symmetric_band.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace slender
{
  /**
   * The loops over a band's columns. Column j of the lower triangle has its
   * entries (j, j), (j + 1, j), ... in a row and begins at j * stride. A panel
   * are columns that end in the same row, which are worked with together: what
   * they subtract from another column is then read and written once.
   */
  namespace band_loops
  {
    constexpr Index widest_panel = 4;

    struct Band
    {
      double      *entries;
      Index        stride;
      Index        n;
      const Index *last; ///< row of each column that is not zero; ascending

      double *
      column(const Index j) const
      {
        return entries + static_cast<std::size_t>(j) * stride;
      }

      /// How many columns from j on are one panel.
      Index
      panel(const Index j) const
      {
        Index m = 1;
        while (m < widest_panel && j + m < n && last[j + m] == last[j])
          ++m;
        return m;
      }
    };

    /// Whether a pivot is known at all beside the diagonal that was there
    /// first.
    SLENDER_INLINED bool
    is_pivot(const double pivot, const double diagonal)
    {
      constexpr double tiny = std::numeric_limits<double>::epsilon() *
                              std::numeric_limits<double>::epsilon();
      return std::isfinite(pivot) && pivot != 0. &&
             std::abs(pivot) > tiny * std::abs(diagonal);
    }

    /// L D L^T of a panel of m columns at j, and what it leaves of the rest.
    /// False if a pivot is too small beside the diagonal that was there first.
    template <Index m>
    SLENDER_INLINED bool
    eliminate(const Band &band, const Index j, const double *diagonal)
    {
      const Index last = band.last[j];
      double     *l[m];
      double      pivot[m];
      for (Index p = 0; p < m; ++p)
        {
          // l[p][i] is in row i.
          l[p] = band.column(j + p) - (j + p);
          for (Index k = 0; k < p; ++k)
            {
              const double        c    = pivot[k] * l[k][j + p];
              const double *const from = l[k];
              double *const       to   = l[p];
#pragma GCC ivdep
              for (Index i = j + p; i <= last; ++i)
                to[i] -= c * from[i];
            }
          pivot[p] = l[p][j + p];
          if (!is_pivot(pivot[p], diagonal[p]))
            return false;
          const double inverse = 1. / pivot[p];
          for (Index i = j + p + 1; i <= last; ++i)
            l[p][i] *= inverse;
        }
      for (Index k = j + m; k <= last; ++k)
        {
          double c[m];
          bool   is_zero = true;
          for (Index p = 0; p < m; ++p)
            {
              c[p]    = pivot[p] * l[p][k];
              is_zero = is_zero && c[p] == 0.;
            }
          if (is_zero)
            continue;
          double *const a = band.column(k) - k;
#pragma GCC ivdep
          for (Index i = k; i <= last; ++i)
            {
              double sum = a[i];
              for (Index p = 0; p < m; ++p)
                sum -= c[p] * l[p][i];
              a[i] = sum;
            }
        }
      return true;
    }

    /// Where columns are long, more of them are one panel: what they subtract
    /// from a tile of the rest is summed up in registers. They may end in
    /// different rows, as long as the first one has room for zeros.
    constexpr Index wide_panel = 16, long_column = 96;

    Index
    wide_panel_at(const Band &band, const Index j)
    {
      Index m = widest_panel;
      while (m < wide_panel && j + m < band.n &&
             band.last[j + m] < j + band.stride)
        ++m;
      return m;
    }

    /// Four numbers that are worked with together, wherever they begin.
    typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));

    SLENDER_INLINED const Four &
    load(const double *from)
    {
      return *reinterpret_cast<const Four *>(from);
    }

    SLENDER_INLINED void
    store(const Four &values, double *to)
    {
      *reinterpret_cast<Four *>(to) = values;
    }

    /// a_k -= sum_p c_p(k) l_p for the columns k ... k + 3, from row k + 4 on.
    SLENDER_INLINED void
    subtract_tiles(double *const *l,
                   const double (*c)[4],
                   const Index    m,
                   double *const *a,
                   const Index    first,
                   const Index    last)
    {
      Index i = first;
      for (; i + 8 <= last + 1; i += 8)
        {
          Four s0 = load(a[0] + i), t0 = load(a[0] + i + 4);
          Four s1 = load(a[1] + i), t1 = load(a[1] + i + 4);
          Four s2 = load(a[2] + i), t2 = load(a[2] + i + 4);
          Four s3 = load(a[3] + i), t3 = load(a[3] + i + 4);
          for (Index p = 0; p < m; ++p)
            {
              const Four low = load(l[p] + i), high = load(l[p] + i + 4);
              s0 -= c[p][0] * low;
              t0 -= c[p][0] * high;
              s1 -= c[p][1] * low;
              t1 -= c[p][1] * high;
              s2 -= c[p][2] * low;
              t2 -= c[p][2] * high;
              s3 -= c[p][3] * low;
              t3 -= c[p][3] * high;
            }
          store(s0, a[0] + i);
          store(t0, a[0] + i + 4);
          store(s1, a[1] + i);
          store(t1, a[1] + i + 4);
          store(s2, a[2] + i);
          store(t2, a[2] + i + 4);
          store(s3, a[3] + i);
          store(t3, a[3] + i + 4);
        }
      for (; i <= last; ++i)
        for (int k = 0; k < 4; ++k)
          {
            double sum = a[k][i];
            for (Index p = 0; p < m; ++p)
              sum -= c[p][k] * l[p][i];
            a[k][i] = sum;
          }
    }

    SLENDER_INLINED bool
    eliminate_wide(const Band   &band,
                   const Index   j,
                   const Index   m,
                   const double *diagonal)
    {
      const Index last = band.last[j + m - 1];
      double     *l[wide_panel];
      double      pivot[wide_panel];
      for (Index p = 0; p < m; ++p)
        l[p] = band.column(j + p) - (j + p);
      for (Index p = 0; p < m; ++p)
        {
          pivot[p] = l[p][j + p];
          if (!is_pivot(pivot[p], diagonal[p]))
            return false;
          const double inverse = 1. / pivot[p];
          for (Index i = j + p + 1; i <= last; ++i)
            l[p][i] *= inverse;
          for (Index k = p + 1; k < m; ++k)
            {
              const double        c    = pivot[p] * l[p][j + k];
              const double *const from = l[p];
              double *const       to   = l[k];
#pragma GCC ivdep
              for (Index i = j + k; i <= last; ++i)
                to[i] -= c * from[i];
            }
        }
      Index k = j + m;
      for (; k + 4 <= last + 1; k += 4)
        {
          double  c[wide_panel][4];
          double *a[4];
          for (int h = 0; h < 4; ++h)
            {
              a[h] = band.column(k + h) - (k + h);
              for (Index p = 0; p < m; ++p)
                c[p][h] = pivot[p] * l[p][k + h];
            }
          for (int h = 0; h < 4; ++h)
            for (int i = h; i < 4; ++i)
              for (Index p = 0; p < m; ++p)
                a[h][k + i] -= c[p][h] * l[p][k + i];
          subtract_tiles(l, c, m, a, k + 4, last);
        }
      for (; k <= last; ++k)
        {
          double *const a = band.column(k) - k;
          for (Index p = 0; p < m; ++p)
            {
              const double c = pivot[p] * l[p][k];
              for (Index i = k; i <= last; ++i)
                a[i] -= c * l[p][i];
            }
        }
      return true;
    }

    SLENDER_VECTORISED bool
    factorise(const Band band, const double *matrix)
    {
      for (Index j = 0; j < band.n;)
        {
          Index      m = band.panel(j);
          const bool is_wide =
            m == widest_panel && band.last[j] - j >= long_column;
          if (is_wide)
            m = wide_panel_at(band, j);
          double diagonal[wide_panel];
          for (Index p = 0; p < m; ++p)
            diagonal[p] = matrix[static_cast<std::size_t>(j + p) * band.stride];
          const bool is_good = is_wide  ? eliminate_wide(band, j, m, diagonal)
                               : m == 4 ? eliminate<4>(band, j, diagonal)
                               : m == 3 ? eliminate<3>(band, j, diagonal)
                               : m == 2 ? eliminate<2>(band, j, diagonal)
                                        : eliminate<1>(band, j, diagonal);
          if (!is_good)
            return false;
          j += m;
        }
      return true;
    }

    template <Index m>
    SLENDER_INLINED void
    substitute_forwards(const Band &band, const Index j, double *b)
    {
      const Index   last = band.last[j];
      const double *l[m];
      double        c[m];
      for (Index p = 0; p < m; ++p)
        {
          l[p] = band.column(j + p) - (j + p);
          c[p] = b[j + p];
          for (Index k = 0; k < p; ++k)
            c[p] -= c[k] * l[k][j + p];
          b[j + p] = c[p];
        }
#pragma GCC ivdep
      for (Index i = j + m; i <= last; ++i)
        {
          double sum = b[i];
          for (Index p = 0; p < m; ++p)
            sum -= c[p] * l[p][i];
          b[i] = sum;
        }
    }

    template <Index m>
    SLENDER_INLINED void
    substitute_backwards(const Band &band, const Index j, double *b)
    {
      const Index   last = band.last[j];
      const double *l[m];
      double        sum[m];
      for (Index p = 0; p < m; ++p)
        {
          l[p]   = band.column(j + p) - (j + p);
          sum[p] = 0.;
        }
      // Four sums at a time, in an order that does not depend on the machine's
      // instructions.
      constexpr Index lanes          = 4;
      double          part[m][lanes] = {};
      Index           i              = j + m;
      for (; i + lanes <= last + 1; i += lanes)
        for (Index p = 0; p < m; ++p)
          for (Index k = 0; k < lanes; ++k)
            part[p][k] += l[p][i + k] * b[i + k];
      for (; i <= last; ++i)
        for (Index p = 0; p < m; ++p)
          sum[p] += l[p][i] * b[i];
      for (Index p = m - 1; p >= 0; --p)
        {
          for (Index k = 0; k < lanes; ++k)
            sum[p] += part[p][k];
          for (Index k = p + 1; k < m; ++k)
            sum[p] += l[p][j + k] * b[j + k];
          b[j + p] = b[j + p] / l[p][j + p] - sum[p];
        }
    }

    SLENDER_VECTORISED void
    solve(const Band band, double *b)
    {
      Index j = 0;
      while (j < band.n)
        {
          const Index m = band.panel(j);
          if (m == 4)
            substitute_forwards<4>(band, j, b);
          else if (m == 3)
            substitute_forwards<3>(band, j, b);
          else if (m == 2)
            substitute_forwards<2>(band, j, b);
          else
            substitute_forwards<1>(band, j, b);
          j += m;
        }
      // Any columns that end in the same row will do.
      while (j > 0)
        {
          Index m = 1;
          while (m < widest_panel && m < j &&
                 band.last[j - 1 - m] == band.last[j - 1])
            ++m;
          j -= m;
          if (m == 4)
            substitute_backwards<4>(band, j, b);
          else if (m == 3)
            substitute_backwards<3>(band, j, b);
          else if (m == 2)
            substitute_backwards<2>(band, j, b);
          else
            substitute_backwards<1>(band, j, b);
        }
    }

    SLENDER_VECTORISED void
    multiply(const Band band, const double *x, double *y)
    {
      constexpr Index lanes = 4;
      for (Index j = 0; j < band.n; ++j)
        {
          const double *const a     = band.column(j) - j;
          const double        x_j   = x[j];
          const Index         last  = band.last[j];
          double              sum   = a[j] * x_j;
          Index               i     = j + 1;
          Four                parts = {};
          for (; i + lanes <= last + 1; i += lanes)
            {
              const Four entries = load(a + i);
              store(load(y + i) + x_j * entries, y + i);
              parts += entries * load(x + i);
            }
          for (; i <= last; ++i)
            {
              y[i] += x_j * a[i];
              sum += a[i] * x[i];
            }
          for (Index k = 0; k < lanes; ++k)
            sum += parts[k];
          y[j] += sum;
        }
    }
  } // namespace band_loops

  SymmetricBand::SymmetricBand(const Index size, const Index a_width)
    : n(size)
    , width(a_width)
  {}

  void
  SymmetricBand::clear()
  {
    matrix.assign(static_cast<std::size_t>(n) * (width + 1), 0.);
    last_rows.clear();
  }

  void
  SymmetricBand::find_last_rows() const
  {
    if (static_cast<Index>(last_rows.size()) == n)
      return;
    last_rows.resize(n);
    // Elimination fills a column as far down as those before it reach.
    Index last = 0;
    for (Index j = 0; j < n; ++j)
      {
        const double *a =
          matrix.data() + static_cast<std::size_t>(j) * (width + 1);
        Index own = std::min(width, n - 1 - j);
        while (own > 0 && j + own > last && a[own] == 0.)
          --own;
        last         = std::max(last, j + own);
        last_rows[j] = last;
      }
  }

  bool
  SymmetricBand::factorise()
  {
    find_last_rows();
    factor = matrix;
    return band_loops::factorise(
      {factor.data(), width + 1, n, last_rows.data()}, matrix.data());
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
    find_last_rows();
    Vector y = Vector::Zero(n);
    // The loops only read.
    band_loops::multiply(
      {const_cast<double *>(matrix.data()), width + 1, n, last_rows.data()},
      x.data(),
      y.data());
    return y;
  }

  void
  SymmetricBand::solve(Vector &b) const
  {
    band_loops::solve(
      {const_cast<double *>(factor.data()), width + 1, n, last_rows.data()},
      b.data());
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

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/vectorised.h>
#include <slender/solvers/block_factor.h>

#include <algorithm>
#include <cmath>

namespace slender
{
  namespace block_loops
  {
    /// A column of a block.
    typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));

    SLENDER_INLINED const Four &
    column(const double *block, const int k)
    {
      return reinterpret_cast<const Four *>(block)[k];
    }

    SLENDER_INLINED Four &
    column(double *block, const int k)
    {
      return reinterpret_cast<Four *>(block)[k];
    }

    /// C -= A W with W by columns; all 4 x 4.
    SLENDER_INLINED void
    subtract_product(const double *A, const double *W, double *C)
    {
      const Four a0 = column(A, 0), a1 = column(A, 1), a2 = column(A, 2),
                 a3 = column(A, 3);
      for (int k = 0; k < 4; ++k)
        column(C, k) -= (a0 * W[4 * k] + a1 * W[4 * k + 1]) +
                        (a2 * W[4 * k + 2] + a3 * W[4 * k + 3]);
    }

    /// L D L^T of a block on the diagonal, from its lower triangle; L goes in
    /// its place. False for a pivot that is none.
    SLENDER_INLINED bool
    factorise_diagonal(double *A, double *d)
    {
      for (int k = 0; k < 4; ++k)
        {
          for (int p = 0; p < k; ++p)
            {
              const double c = A[4 * p + k] * d[p];
              for (int i = k; i < 4; ++i)
                A[4 * k + i] -= c * A[4 * p + i];
            }
          d[k] = A[4 * k + k];
          if (!std::isfinite(d[k]) || d[k] == 0.)
            return false;
          A[4 * k + k] = 1.;
          for (int i = k + 1; i < 4; ++i)
            A[4 * k + i] /= d[k];
        }
      return true;
    }

    /// X (L D)^T = C, X in the place of C.
    SLENDER_INLINED void
    divide(const double *L, const double *inverse, double *C)
    {
      Four x0      = column(C, 0);
      Four x1      = column(C, 1) - x0 * L[1];
      Four x2      = column(C, 2) - x0 * L[2] - x1 * L[6];
      Four x3      = column(C, 3) - x0 * L[3] - x1 * L[7] - x2 * L[11];
      column(C, 0) = x0 * inverse[0];
      column(C, 1) = x1 * inverse[1];
      column(C, 2) = x2 * inverse[2];
      column(C, 3) = x3 * inverse[3];
    }

    struct Pattern
    {
      Index                    n;
      const Index             *begins, *rows; ///< of L
      const Index             *left_begins;
      const BlockFactor::Left *lefts;
    };

    SLENDER_VECTORISED bool
    factorise(const Pattern L, double *factor, double *d, Index *block_of)
    {
      for (Index j = 0; j < L.n; ++j)
        {
          const Index first = L.begins[j], last = L.begins[j + 1];
          for (Index b = first; b < last; ++b)
            block_of[L.rows[b]] = b;
          // A_ij - sum_k L_ik D_k L_jk^T
          for (Index e = L.left_begins[j]; e < L.left_begins[j + 1]; ++e)
            {
              const auto [k, block] = L.lefts[e];
              const double *L_jk    = factor + 16 * static_cast<long>(block);
              double        W[16]; // D_k L_jk^T
              for (int p = 0; p < 4; ++p)
                for (int i = 0; i < 4; ++i)
                  W[4 * i + p] = L_jk[4 * p + i] * d[4 * k + p];
              for (Index b = block; b < L.begins[k + 1]; ++b)
                subtract_product(factor + 16 * static_cast<long>(b),
                                 W,
                                 factor +
                                   16 * static_cast<long>(block_of[L.rows[b]]));
            }
          double *L_jj = factor + 16 * static_cast<long>(first);
          if (!factorise_diagonal(L_jj, d + 4 * j))
            return false;
          double inverse[4];
          for (int p = 0; p < 4; ++p)
            inverse[p] = 1. / d[4 * j + p];
          for (Index b = first + 1; b < last; ++b)
            divide(L_jj, inverse, factor + 16 * static_cast<long>(b));
        }
      return true;
    }

    SLENDER_VECTORISED void
    solve(const Pattern L, const double *factor, const double *d, double *x)
    {
      for (Index j = 0; j < L.n; ++j)
        {
          double       *y = x + 4 * j;
          const double *l = factor + 16 * static_cast<long>(L.begins[j]);
          for (int k = 0; k < 4; ++k)
            for (int i = k + 1; i < 4; ++i)
              y[i] -= l[4 * k + i] * y[k];
          for (Index b = L.begins[j] + 1; b < L.begins[j + 1]; ++b)
            {
              l += 16;
              Four &to = column(x + 4 * L.rows[b], 0);
              to -= (column(l, 0) * y[0] + column(l, 1) * y[1]) +
                    (column(l, 2) * y[2] + column(l, 3) * y[3]);
            }
        }
      for (Index j = L.n - 1; j >= 0; --j)
        {
          double *y = x + 4 * j;
          Four    s0{}, s1{}, s2{}, s3{};
          for (Index b = L.begins[j] + 1; b < L.begins[j + 1]; ++b)
            {
              const double *l    = factor + 16 * static_cast<long>(b);
              const Four    from = column(x + 4 * L.rows[b], 0);
              s0 += column(l, 0) * from;
              s1 += column(l, 1) * from;
              s2 += column(l, 2) * from;
              s3 += column(l, 3) * from;
            }
          const Four sums[4] = {s0, s1, s2, s3};
          for (int k = 0; k < 4; ++k)
            y[k] = y[k] / d[4 * j + k] -
                   ((sums[k][0] + sums[k][1]) + (sums[k][2] + sums[k][3]));
          const double *l = factor + 16 * static_cast<long>(L.begins[j]);
          for (int k = 2; k >= 0; --k)
            for (int i = k + 1; i < 4; ++i)
              y[k] -= l[4 * k + i] * y[i];
        }
    }
  } // namespace block_loops

  BlockFactor::BlockFactor(const CompressedRows &lower)
    : pattern(lower)
  {
    const Index n = n_nodes();
    matrix.assign(16 * pattern.columns.size(), 0.);
    diagonal.assign(4 * static_cast<std::size_t>(n), 1.);
    block_of.assign(static_cast<std::size_t>(n), 0);

    // Column j of L has the rows of the matrix and those of the columns before
    // it whose first row below the diagonal is j.
    std::vector<std::vector<Index>> children(static_cast<std::size_t>(n));
    std::vector<Index>              met(static_cast<std::size_t>(n), -1);
    for (Index j = 0; j < n; ++j)
      {
        const auto take = [&](const Index i) {
          if (i >= j && met[i] != j)
            {
              met[i] = j;
              filled.columns.push_back(i);
            }
        };
        for (Index e = pattern.begins[j]; e < pattern.begins[j + 1]; ++e)
          take(pattern.columns[e]);
        for (const Index child : children[j])
          for (Index e = filled.begins[child]; e < filled.begins[child + 1];
               ++e)
            take(filled.columns[e]);
        const auto first = filled.columns.begin() + filled.begins.back();
        std::sort(first, filled.columns.end());
        filled.begins.push_back(static_cast<Index>(filled.columns.size()));
        if (filled.begins[j] + 1 < filled.begins[j + 1])
          children[filled.columns[filled.begins[j] + 1]].push_back(j);
      }

    row_begins.assign(static_cast<std::size_t>(n) + 1, 0);
    for (Index j = 0; j < n; ++j)
      for (Index b = filled.begins[j] + 1; b < filled.begins[j + 1]; ++b)
        ++row_begins[filled.columns[b] + 1];
    for (Index j = 0; j < n; ++j)
      row_begins[j + 1] += row_begins[j];
    lefts.resize(row_begins[n]);
    std::vector<Index> next(row_begins.begin(), row_begins.end() - 1);
    for (Index j = 0; j < n; ++j)
      for (Index b = filled.begins[j] + 1; b < filled.begins[j + 1]; ++b)
        lefts[next[filled.columns[b]]++] = {j, b};

    goes_to.reserve(pattern.columns.size());
    for (Index j = 0; j < n; ++j)
      {
        Index b = filled.begins[j];
        for (Index e = pattern.begins[j]; e < pattern.begins[j + 1]; ++e)
          {
            while (filled.columns[b] != pattern.columns[e])
              ++b;
            goes_to.push_back(b);
          }
      }
  }

  bool
  BlockFactor::factorise()
  {
    factor.assign(16 * filled.columns.size(), 0.);
    for (std::size_t b = 0; b < goes_to.size(); ++b)
      std::copy_n(matrix.data() + 16 * b,
                  16,
                  factor.data() + 16 * static_cast<std::size_t>(goes_to[b]));
    return block_loops::factorise({n_nodes(),
                                   filled.begins.data(),
                                   filled.columns.data(),
                                   row_begins.data(),
                                   lefts.data()},
                                  factor.data(),
                                  diagonal.data(),
                                  block_of.data());
  }

  void
  BlockFactor::solve(double *b) const
  {
    block_loops::solve({n_nodes(),
                        filled.begins.data(),
                        filled.columns.data(),
                        nullptr,
                        nullptr},
                       factor.data(),
                       diagonal.data(),
                       b);
  }

  void
  BlockFactor::multiply(const double *x, double *y) const
  {
    for (Index j = 0; j < n_nodes(); ++j)
      for (Index e = pattern.begins[j]; e < pattern.begins[j + 1]; ++e)
        {
          const double *block = matrix.data() + 16 * static_cast<long>(e);
          const Index   i     = pattern.columns[e];
          for (int k = 0; k < 4; ++k)
            for (int p = 0; p < 4; ++p)
              {
                y[4 * i + p] += block[4 * k + p] * x[4 * j + k];
                if (i != j)
                  y[4 * j + k] += block[4 * k + p] * x[4 * i + p];
              }
        }
  }
} // namespace slender

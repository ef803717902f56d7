// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/vectorised.h>
#include <slender/models/triangles/block_products.h>

namespace slender
{
  namespace triangles
  {
    namespace
    {
      template <int n>
      SLENDER_INLINED void
      set(const ThreeColumns<n> &left,
          const ThreeColumns<n> &right,
          double                *block)
      {
        const auto &a = left.entries, &b = right.entries;
        // Ascending: what a column writes beyond its end is overwritten.
        for (int j = 0; j < n; ++j)
          for (int i = 0; i < n; i += 4)
            four(block + n * j + i) = b[0][j] * four(a[0] + i) +
                                      b[1][j] * four(a[1] + i) +
                                      b[2][j] * four(a[2] + i);
      }
    } // namespace

    /// What is built for several sets of instructions.
    namespace product_loops
    {
      SLENDER_VECTORISED void
      set_18(const ThreeColumns<18> &left,
             const ThreeColumns<18> &right,
             double                 *block)
      {
        set<18>(left, right, block);
      }

      SLENDER_VECTORISED void
      set_21(const ThreeColumns<21> &left,
             const ThreeColumns<21> &right,
             double                 *block)
      {
        set<21>(left, right, block);
      }

      SLENDER_VECTORISED void
      add_9(const ThreeColumns<9> &left,
            const ThreeColumns<9> &right,
            const int              n,
            double                *block)
      {
        const auto &a = left.entries, &b = right.entries;
        for (int j = 0; j < 9; ++j)
          for (int i = 0; i < 12; i += 4)
            four(block + n * j + i) += b[0][j] * four(a[0] + i) +
                                       b[1][j] * four(a[1] + i) +
                                       b[2][j] * four(a[2] + i);
      }

      SLENDER_VECTORISED void
      add_up_12(const SymmetricProducts &pairs, const int n_pairs, double *H)
      {
        // Two columns of three times four rows at once stay in registers.
        for (int j = 0; j < 12; j += 2)
          {
            Four sum[2][3] = {};
            for (int k = 0; k < n_pairs; ++k)
              {
                const double *a = pairs.a[k], *b = pairs.b[k];
                for (int r = 0; r < 3; ++r)
                  {
                    const Four of_a = four(a + 4 * r), of_b = four(b + 4 * r);
                    sum[0][r] += b[j] * of_a + a[j] * of_b;
                    sum[1][r] += b[j + 1] * of_a + a[j + 1] * of_b;
                  }
              }
            for (int r = 0; r < 3; ++r)
              {
                four(H + 12 * j + 4 * r)       = sum[0][r];
                four(H + 12 * (j + 1) + 4 * r) = sum[1][r];
              }
          }
      }
    } // namespace product_loops

    void
    set_products(const ThreeColumns<18> &left,
                 const ThreeColumns<18> &right,
                 PaddedBlock<18>        &block)
    {
      product_loops::set_18(left, right, block.entries);
    }

    void
    set_products(const ThreeColumns<21> &left,
                 const ThreeColumns<21> &right,
                 PaddedBlock<21>        &block)
    {
      product_loops::set_21(left, right, block.entries);
    }

    void
    add_products(const ThreeColumns<9> &left,
                 const ThreeColumns<9> &right,
                 const int              n,
                 double                *block)
    {
      product_loops::add_9(left, right, n, block);
    }

    void
    add_up(const SymmetricProducts &pairs, const int n_pairs, double *H)
    {
      product_loops::add_up_12(pairs, n_pairs, H);
    }
  } // namespace triangles
} // namespace slender

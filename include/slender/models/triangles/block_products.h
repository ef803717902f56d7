// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_triangles_block_products_h
#define slender_models_triangles_block_products_h

namespace slender
{
  /// Products of columns that make blocks of stiffness: plain loops over arrays
  /// of fixed shape (see base/vectorised.h), four rows at a time.
  namespace triangles
  {
    /// An n x n matrix, column after column. The last four rows of a column may
    /// reach into the next one, and those of the last one beyond the end.
    template <int n>
    struct PaddedBlock
    {
      double entries[n * n + 3];

      double &
      operator()(const int i, const int j)
      {
        return entries[n * j + i];
      }
    };

    /// Columns that are filled up with zeros.
    template <int n>
    struct ThreeColumns
    {
      double entries[3][(n + 3) / 4 * 4] = {};
    };

    /// The sum of left_k right_k^T takes the place of the block.
    void
    set_products(const ThreeColumns<18> &left,
                 const ThreeColumns<18> &right,
                 PaddedBlock<18>        &block);
    void
    set_products(const ThreeColumns<21> &left,
                 const ThreeColumns<21> &right,
                 PaddedBlock<21>        &block);

    /// Adds the sum of left_k right_k^T to the first nine rows and columns of a
    /// padded block with n rows.
    void
    add_products(const ThreeColumns<9> &left,
                 const ThreeColumns<9> &right,
                 int                    n,
                 double                *block);

    /// H = sum of a_k b_k^T + b_k a_k^T.
    struct SymmetricProducts
    {
      static constexpr int most = 7;

      double a[most][12], b[most][12];
    };

    /// Of the first n_pairs; H is 12 x 12.
    void
    add_up(const SymmetricProducts &pairs, int n_pairs, double *H);
  } // namespace triangles
} // namespace slender

#endif

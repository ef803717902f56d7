// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/frontier_modes.h>

#include <cmath>

namespace slender
{
  void
  orthonormalise(Eigen::MatrixXd &columns, const Exchange &exchange)
  {
    for (Index k = 0; k < columns.cols(); ++k)
      {
        for (int pass = 0; pass < 2; ++pass)
          for (Index j = 0; j < k; ++j)
            columns.col(k) -=
              exchange.product(columns.col(j), columns.col(k)) * columns.col(j);
        columns.col(k) /=
          std::sqrt(exchange.product(columns.col(k), columns.col(k)));
      }
  }
} // namespace slender

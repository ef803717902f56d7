// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_solvers_narrow_order_h
#define slender_solvers_narrow_order_h

#include <slender/solvers/couplings.h>

#include <vector>

namespace slender
{
  /// The place of each unknown in an order in which a matrix of this pattern
  /// has a narrow band (reverse Cuthill and McKee).
  std::vector<Index>
  narrow_order(const CompressedRows &rows);
} // namespace slender

#endif

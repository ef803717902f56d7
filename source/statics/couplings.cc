// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/couplings.h>

#include <algorithm>

namespace slender
{
  Couplings::Couplings(const Model &model, const Vector &q)
  {
    model.hessian(q, *this);
  }

  void
  Couplings::add(const Index *unknowns, const Index n, const double *)
  {
    for (Index i = 0; i < n; ++i)
      if (unknowns[i] >= 0)
        members.push_back(unknowns[i]);
    if (members.size() > begins.back())
      begins.push_back(members.size());
  }

  CompressedRows
  Couplings::rows(const Index n) const
  {
    // The blocks of each unknown, counted first and then filled in.
    std::vector<std::size_t> first(static_cast<std::size_t>(n) + 1, 0);
    for (const Index i : members)
      ++first[i + 1];
    for (Index i = 0; i < n; ++i)
      first[i + 1] += first[i];
    std::vector<std::size_t> blocks(members.size()),
      next(first.begin(), first.end() - 1);
    for (std::size_t b = 0; b < n_blocks(); ++b)
      for (const Index i : block(b))
        blocks[next[i]++] = b;

    CompressedRows     result;
    std::vector<Index> last_row(n, -1); ///< in which a column was met
    result.begins.reserve(static_cast<std::size_t>(n) + 1);
    for (Index row = 0; row < n; ++row)
      {
        last_row[row] = row;
        result.columns.push_back(row);
        for (std::size_t k = first[row]; k < first[row + 1]; ++k)
          for (const Index column : block(blocks[k]))
            if (last_row[column] != row)
              {
                last_row[column] = row;
                result.columns.push_back(column);
              }
        std::sort(result.columns.begin() + result.begins.back(),
                  result.columns.end());
        result.begins.push_back(static_cast<Index>(result.columns.size()));
      }
    return result;
  }
} // namespace slender

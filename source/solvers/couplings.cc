// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/couplings.h>

#include <algorithm>
#include <iterator>

namespace slender
{
  bool
  to_local_numbers(const Layout       &layout,
                   const Index        *unknowns,
                   const Index         n,
                   std::vector<Index> &local)
  {
    local.assign(unknowns, unknowns + n);
    for (Index &i : local)
      if (i >= layout.begin && i < layout.end)
        i -= layout.begin;
      else if (i >= 0)
        {
          const auto ghost =
            std::lower_bound(layout.ghosts.begin(), layout.ghosts.end(), i);
          if (ghost == layout.ghosts.end() || *ghost != i)
            return false;
          i = layout.n_owned() +
              static_cast<Index>(ghost - layout.ghosts.begin());
        }
    return true;
  }

  Couplings::Couplings(const Layout &a_layout)
    : layout(a_layout)
  {}

  Couplings::Couplings(const System &system, const Vector &q)
    : layout(system.layout())
  {
    system.hessian(q, *this);
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

  void
  Couplings::add_global(const Index *unknowns, const Index n, const double *)
  {
    std::vector<Index> numbers;
    if (to_local_numbers(layout, unknowns, n, numbers))
      {
        add(numbers.data(), n, nullptr);
        return;
      }
    numbers.clear();
    std::copy_if(unknowns,
                 unknowns + n,
                 std::back_inserter(numbers),
                 [](const Index i) { return i >= 0; });
    across_ranks.push_back(numbers);
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

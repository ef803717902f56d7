// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/node_blocks.h>

#include <algorithm>
#include <cholmod.h>
#include <stdexcept>

namespace slender
{
  namespace
  {
    /// Which node each unknown belongs to, in the order of the unknowns.
    std::vector<Index>
    nodes_of(const CompressedRows &unknowns)
    {
      const auto         n = static_cast<Index>(unknowns.begins.size()) - 1;
      std::vector<Index> node(static_cast<std::size_t>(n));
      Index              count = 0, size = 0;
      for (Index i = 0; i < n; ++i)
        {
          const auto first = unknowns.columns.begin() + unknowns.begins[i],
                     last  = unknowns.columns.begin() + unknowns.begins[i + 1];
          const bool couples = i > 0 && std::binary_search(first, last, i - 1);
          if (i > 0 && (!couples || size == node_size))
            {
              ++count;
              size = 0;
            }
          node[i] = count;
          ++size;
        }
      return node;
    }

    /// The rows of nodes, each with its diagonal, ascending.
    CompressedRows
    rows_of_nodes(const CompressedRows     &unknowns,
                  const std::vector<Index> &node,
                  const Index               n_nodes)
    {
      CompressedRows     result;
      std::vector<Index> met(static_cast<std::size_t>(n_nodes), -1);
      Index              i = 0;
      for (Index a = 0; a < n_nodes; ++a)
        {
          for (; i < static_cast<Index>(node.size()) && node[i] == a; ++i)
            for (Index k = unknowns.begins[i]; k < unknowns.begins[i + 1]; ++k)
              if (const Index b = node[unknowns.columns[k]]; met[b] != a)
                {
                  met[b] = a;
                  result.columns.push_back(b);
                }
          std::sort(result.columns.begin() + result.begins.back(),
                    result.columns.end());
          result.begins.push_back(static_cast<Index>(result.columns.size()));
        }
      return result;
    }

    /// Where each node goes in an order with little fill.
    std::vector<Index>
    minimum_degree(CompressedRows rows)
    {
      const std::size_t n = rows.begins.size() - 1;
      cholmod_common    common;
      cholmod_start(&common);
      common.print                = 0;
      common.supernodal           = CHOLMOD_SIMPLICIAL;
      common.nmethods             = 1;
      common.method[0].ordering   = CHOLMOD_AMD;
      cholmod_sparse matrix       = {};
      matrix.nrow                 = n;
      matrix.ncol                 = n;
      matrix.nzmax                = rows.columns.size();
      matrix.p                    = rows.begins.data();
      matrix.i                    = rows.columns.data();
      matrix.stype                = 1; // the upper triangle is looked at
      matrix.itype                = CHOLMOD_INT;
      matrix.xtype                = CHOLMOD_PATTERN;
      matrix.sorted               = 1;
      matrix.packed               = 1;
      cholmod_factor    *factor   = cholmod_analyze(&matrix, &common);
      const bool         is_there = factor != nullptr;
      std::vector<Index> place(n);
      for (std::size_t k = 0; is_there && k < n; ++k)
        place[static_cast<const int *>(factor->Perm)[k]] =
          static_cast<Index>(k);
      cholmod_free_factor(&factor, &common);
      cholmod_finish(&common);
      if (!is_there)
        throw std::runtime_error("CHOLMOD could not order a matrix");
      return place;
    }
  } // namespace

  NodeBlocks::NodeBlocks(const CompressedRows &unknowns)
  {
    const std::vector<Index> node = nodes_of(unknowns);
    n_nodes                       = node.empty() ? 0 : node.back() + 1;
    const CompressedRows     rows = rows_of_nodes(unknowns, node, n_nodes);
    const std::vector<Index> to   = minimum_degree(rows);

    sizes.assign(static_cast<std::size_t>(n_nodes), 0);
    for (const Index a : node)
      place.push_back(node_size * to[a] + sizes[to[a]]++);

    std::vector<Index> from(static_cast<std::size_t>(n_nodes));
    for (Index a = 0; a < n_nodes; ++a)
      from[to[a]] = a;
    for (Index k = 0; k < n_nodes; ++k)
      {
        for (Index e = rows.begins[from[k]]; e < rows.begins[from[k] + 1]; ++e)
          if (const Index i = to[rows.columns[e]]; i >= k)
            lower.columns.push_back(i);
        std::sort(lower.columns.begin() + lower.begins.back(),
                  lower.columns.end());
        lower.begins.push_back(static_cast<Index>(lower.columns.size()));
      }
  }
} // namespace slender

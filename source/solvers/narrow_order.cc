// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/narrow_order.h>

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/cuthill_mckee_ordering.hpp>

namespace slender
{
  std::vector<Index>
  narrow_order(const CompressedRows &rows)
  {
    using Graph = boost::compressed_sparse_row_graph<boost::directedS>;
    const auto                                       n = rows.begins.size() - 1;
    std::vector<std::pair<std::size_t, std::size_t>> edges;
    edges.reserve(rows.columns.size());
    for (std::size_t i = 0; i < n; ++i)
      for (Index k = rows.begins[i]; k < rows.begins[i + 1]; ++k)
        if (rows.columns[k] != static_cast<Index>(i))
          edges.emplace_back(i, rows.columns[k]);
    const Graph graph(boost::edges_are_sorted, edges.begin(), edges.end(), n);

    std::vector<boost::default_color_type>                     colours(n);
    std::vector<boost::graph_traits<Graph>::vertex_descriptor> sequence(n);
    boost::cuthill_mckee_ordering(
      graph,
      sequence.rbegin(),
      boost::make_iterator_property_map(colours.begin(),
                                        boost::get(boost::vertex_index, graph)),
      boost::make_out_degree_map(graph));
    std::vector<Index> order(n);
    for (std::size_t i = 0; i < n; ++i)
      order[sequence[i]] = static_cast<Index>(i);
    return order;
  }
} // namespace slender

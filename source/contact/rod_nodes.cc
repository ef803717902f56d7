// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/contact/rod_nodes.h>

#include <algorithm>

namespace slender::contact
{
  RodNodes::RodNodes(const Structure &the_structure)
    : structure(&the_structure)
    , energy_unit(the_structure.energy_unit())
  {
    int n_ranks;
    MPI_Comm_size(structure->layout().communicator, &n_ranks);
    if (n_ranks > 1)
      throw InputError("rods that touch are computed by one process each run; "
                       "start the program on one",
                       "Contact/Method");
    Index n_nodes = 0;
    for (std::size_t m = 0; m < structure->n_members(); ++m)
      {
        const auto *chain =
          dynamic_cast<const NodeChain *>(&structure->member(m));
        if (!chain)
          throw InputError("contact is between rods of the model 'discrete "
                           "elastic rod'",
                           "Contact/Method");
        const Index n = chain->n_nodes();
        for (Index i = 0; i < n; ++i)
          {
            std::array<Index, 3> numbers = chain->node_unknowns(i);
            for (Index &number : numbers)
              if (number >= 0)
                number = structure->number(m, number);
            unknowns.push_back(numbers);
            units.push_back(chain->node_unit());
            if (i + 1 < n)
              the_edges.push_back({n_nodes + i,
                                   n_nodes + i + 1,
                                   static_cast<Index>(m),
                                   chain->arc_length(i),
                                   chain->arc_length(i + 1),
                                   chain->section_radius()});
          }
        chains.push_back(chain);
        chain_begins.push_back(n_nodes);
        n_nodes += n;
      }
    smallest_radius = the_edges.front().radius;
    for (const Edge &edge : the_edges)
      smallest_radius = std::min(smallest_radius, edge.radius);
  }

  Places3
  RodNodes::places(const Vector &q) const
  {
    Places3 x(3, size());
    for (std::size_t m = 0; m < chains.size(); ++m)
      chains[m]->place_nodes(chains.size() == 1 ? q : structure->share(m, q),
                             x.middleCols(chain_begins[m],
                                          chains[m]->n_nodes()));
    return x;
  }

  Places3
  RodNodes::displacements(const Vector &direction) const
  {
    Places3 dx(3, size());
    for (Index i = 0; i < size(); ++i)
      for (int c = 0; c < 3; ++c)
        dx(c, i) =
          unknowns[i][c] >= 0 ? units[i] * direction(unknowns[i][c]) : 0.;
    return dx;
  }

  void
  RodNodes::add_slope(const Index  *nodes,
                      const int     n,
                      const double *slope,
                      Vector       &gradient) const
  {
    for (int a = 0; a < n; ++a)
      for (int c = 0; c < 3; ++c)
        if (const Index i = unknowns[nodes[a]][c]; i >= 0)
          gradient(i) += slope[3 * a + c] * units[nodes[a]] / energy_unit;
  }

  double
  RodNodes::usual_force() const
  {
    return 0.01 * chain(0).bending_stiffness() / (radius() * radius());
  }

  Places
  places_in_order(const std::size_t n)
  {
    Places result;
    result.size = static_cast<std::int64_t>(n);
    for (std::size_t i = 0; i < n; ++i)
      {
        result.numbers.push_back(static_cast<Index>(i));
        result.places.push_back(static_cast<std::int64_t>(i));
      }
    return result;
  }
} // namespace slender::contact

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/unknown_map.h>

#include <algorithm>
#include <utility>

namespace slender
{
  UnknownMap::UnknownMap(MPI_Comm           communicator,
                         const Index        n_dofs,
                         const Index        owned_begin,
                         const Index        owned_end,
                         std::vector<Index> relevant,
                         std::vector<Index> all_prescribed)
  {
    const auto make_set = [](std::vector<Index> &v) {
      std::sort(v.begin(), v.end());
      v.erase(std::unique(v.begin(), v.end()), v.end());
    };
    make_set(relevant);
    make_set(all_prescribed);

    // Every rank knows all prescribed degrees of freedom, so the number of an
    // unknown follows without communication.
    const auto n_prescribed_below = [&all_prescribed](const Index dof) {
      return static_cast<Index>(
        std::lower_bound(all_prescribed.begin(), all_prescribed.end(), dof) -
        all_prescribed.begin());
    };
    const auto is_prescribed = [&all_prescribed](const Index dof) {
      return std::binary_search(all_prescribed.begin(),
                                all_prescribed.end(),
                                dof);
    };

    the_layout.communicator = communicator;
    the_layout.size  = n_dofs - static_cast<Index>(all_prescribed.size());
    the_layout.begin = owned_begin - n_prescribed_below(owned_begin);
    the_layout.end   = owned_end - n_prescribed_below(owned_end);

    for (Index dof = owned_begin; dof < owned_end; ++dof)
      if (!is_prescribed(dof))
        local_dofs.push_back(dof);
    for (const Index dof : relevant)
      if (is_prescribed(dof))
        prescribed.push_back(dof);
      else if (dof < owned_begin || dof >= owned_end)
        {
          local_dofs.push_back(dof);
          the_layout.ghosts.push_back(dof - n_prescribed_below(dof));
        }

    Index position = 0;
    for (const Index dof : local_dofs)
      positions[dof] = position++;
    for (const Index dof : prescribed)
      positions[dof] = position++;
  }

  const Layout &
  UnknownMap::layout() const
  {
    return the_layout;
  }

  Index
  UnknownMap::position(const Index dof) const
  {
    return positions.at(dof);
  }

  const std::vector<Index> &
  UnknownMap::prescribed_dofs() const
  {
    return prescribed;
  }

  Vector
  UnknownMap::extend(const Vector &q, const Vector &prescribed_values) const
  {
    Vector extended(q.size() + prescribed_values.size());
    extended << q, prescribed_values;
    return extended;
  }

  Vector
  UnknownMap::collect(const std::function<double(Index dof)> &value) const
  {
    Vector q(the_layout.n_local());
    for (std::size_t i = 0; i < local_dofs.size(); ++i)
      q(static_cast<Index>(i)) = value(local_dofs[i]);
    return q;
  }
} // namespace slender

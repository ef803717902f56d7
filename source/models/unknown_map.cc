// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/unknown_map.h>

#include <algorithm>
#include <stdexcept>

namespace slender
{
  namespace
  {
    void
    make_set(std::vector<Index> &v)
    {
      std::sort(v.begin(), v.end());
      v.erase(std::unique(v.begin(), v.end()), v.end());
    }

    Index
    n_below(const std::vector<Index> &set, const Index dof)
    {
      return static_cast<Index>(std::lower_bound(set.begin(), set.end(), dof) -
                                set.begin());
    }

    bool
    contains(const std::vector<Index> &set, const Index dof)
    {
      return std::binary_search(set.begin(), set.end(), dof);
    }
  } // namespace

  UnknownMap::UnknownMap(MPI_Comm           communicator,
                         const Index        n_dofs,
                         const Index        begin,
                         const Index        end,
                         std::vector<Index> relevant,
                         std::vector<Index> all_prescribed)
    : owned_begin(begin)
    , owned_end(end)
  {
    make_set(relevant);
    make_set(all_prescribed);

    // Every rank knows all prescribed degrees of freedom, so the number of an
    // unknown follows without communication.
    the_layout.communicator = communicator;
    the_layout.size  = n_dofs - static_cast<Index>(all_prescribed.size());
    the_layout.begin = begin - n_below(all_prescribed, begin);
    the_layout.end   = end - n_below(all_prescribed, end);

    const auto is_owned = [&](const Index dof) {
      return dof >= begin && dof < end;
    };
    for (const Index dof : all_prescribed)
      if (is_owned(dof) || contains(relevant, dof))
        prescribed.push_back(dof);
    for (const Index dof : relevant)
      if (!is_owned(dof) && !contains(all_prescribed, dof))
        {
          ghosts.push_back(dof);
          the_layout.ghosts.push_back(dof - n_below(all_prescribed, dof));
        }
  }

  const Layout &
  UnknownMap::layout() const
  {
    return the_layout;
  }

  Index
  UnknownMap::position(const Index dof) const
  {
    if (contains(prescribed, dof))
      return the_layout.n_local() + n_below(prescribed, dof);
    if (dof >= owned_begin && dof < owned_end)
      return dof - owned_begin -
             (n_below(prescribed, dof) - n_below(prescribed, owned_begin));
    if (!contains(ghosts, dof))
      throw std::out_of_range("this rank does not touch the degree of freedom");
    return the_layout.n_owned() + n_below(ghosts, dof);
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
    Index  i = 0;
    for (Index dof = owned_begin; dof < owned_end; ++dof)
      if (!contains(prescribed, dof))
        q(i++) = value(dof);
    for (const Index dof : ghosts)
      q(i++) = value(dof);
    return q;
  }
} // namespace slender

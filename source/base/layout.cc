// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/layout.h>

#include <cmath>

namespace slender
{
  double
  sum_over_ranks(const Layout &layout, double value)
  {
    MPI_Allreduce(
      MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, layout.communicator);
    return value;
  }

  double
  root_mean_square(const Layout &layout, const Vector &share)
  {
    const double square =
      sum_over_ranks(layout, share.head(layout.n_owned()).squaredNorm());
    return std::sqrt(square / layout.size);
  }

  Vector
  gather(const Layout &layout, const Vector &share)
  {
    Vector all                                  = Vector::Zero(layout.size);
    all.segment(layout.begin, layout.n_owned()) = share.head(layout.n_owned());
    MPI_Allreduce(MPI_IN_PLACE,
                  all.data(),
                  layout.size,
                  MPI_DOUBLE,
                  MPI_SUM,
                  layout.communicator);
    return all;
  }

  Vector
  share_of(const Layout &layout, const Vector &all)
  {
    Vector share(layout.n_local());
    share.head(layout.n_owned()) = all.segment(layout.begin, layout.n_owned());
    for (std::size_t i = 0; i < layout.ghosts.size(); ++i)
      share(layout.n_owned() + static_cast<Index>(i)) = all(layout.ghosts[i]);
    return share;
  }
} // namespace slender

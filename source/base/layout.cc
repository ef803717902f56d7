// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/layout.h>

#include <cmath>
#include <limits>

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

  Vector
  gather(MPI_Comm communicator, const Places &places, const Vector &values)
  {
    // Ranks may name the same place, so that a sum will not do.
    constexpr double unnamed = -std::numeric_limits<double>::infinity();
    Vector all = Vector::Constant(static_cast<Index>(places.size), unnamed);
    for (std::size_t k = 0; k < places.places.size(); ++k)
      all(static_cast<Index>(places.places[k])) = values(places.numbers[k]);
    MPI_Allreduce(MPI_IN_PLACE,
                  all.data(),
                  static_cast<int>(all.size()),
                  MPI_DOUBLE,
                  MPI_MAX,
                  communicator);
    return (all.array() == unnamed).select(0., all);
  }

  Vector
  share_of(const Places &places, const Vector &all, const Index n_values)
  {
    Vector values = Vector::Zero(n_values);
    for (std::size_t k = 0; k < places.places.size(); ++k)
      values(places.numbers[k]) = all(static_cast<Index>(places.places[k]));
    return values;
  }
} // namespace slender

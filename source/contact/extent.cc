// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/contact/extent.h>

#include <algorithm>
#include <array>
#include <limits>

namespace slender
{
  double
  extent(const Eigen::Matrix3Xd &places, MPI_Comm communicator)
  {
    // The highest x, y, z and -x, -y, -z.
    std::array<double, 6> highest = {};
    highest.fill(std::numeric_limits<double>::lowest());
    for (Index i = 0; i < places.cols(); ++i)
      for (int c = 0; c < 3; ++c)
        {
          highest[c]     = std::max(highest[c], places(c, i));
          highest[3 + c] = std::max(highest[3 + c], -places(c, i));
        }
    MPI_Allreduce(
      MPI_IN_PLACE, highest.data(), 6, MPI_DOUBLE, MPI_MAX, communicator);
    return Vector3(highest[0] + highest[3],
                   highest[1] + highest[4],
                   highest[2] + highest[5])
      .norm();
  }
} // namespace slender

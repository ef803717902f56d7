// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_contact_extent_h
#define slender_contact_extent_h

#include <slender/base/types.h>

#include <mpi.h>

namespace slender
{
  /// How large a body is: the diagonal of a box around points of all ranks.
  /// Collective.
  double
  extent(const Eigen::Matrix3Xd &places, MPI_Comm communicator);
} // namespace slender

#endif

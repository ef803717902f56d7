// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_tests_support_gather_drawing_h
#define slender_tests_support_gather_drawing_h

#include <slender/base/drawing.h>

#include <mpi.h>

namespace slender::test
{
  /// The pieces of all ranks, one after the other, as one drawing on the first
  /// rank; the others get one without points. All pieces have the same fields.
  /// Collective.
  Drawing
  gather_drawing(const Drawing &piece, MPI_Comm communicator);
} // namespace slender::test

#endif

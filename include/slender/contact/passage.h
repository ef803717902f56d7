// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_contact_passage_h
#define slender_contact_passage_h

#include <slender/contact/obstacle.h>

#include <mpi.h>

#include <cstddef>

namespace slender
{
  /// What a step led through that a point should have met.
  struct Passage
  {
    enum Kind
    {
      none,
      /// Of a corner: it leaves by a surface that looks much the same way, or
      /// it slid there. A shorter step tells whether it should have touched.
      cut,
      /// In on one side and out on another: no step may do that.
      through
    };
    Kind        kind     = none;
    std::size_t obstacle = 0; ///< its number
  };

  /// Of a point that goes straight on from one place to another, in a frame in
  /// which the obstacle does not move.
  Passage::Kind
  passage(const Obstacle &obstacle, const Vector3 &from, const Vector3 &to);

  /**
   * The worst one of points in a step that each of them takes straight on, with
   * obstacles that go on at their velocities and are now where it ends. Only
   * places at a step's end are told from the inside of an obstacle: one that is
   * thinner than what points go in a step may lie in between. The same on all
   * ranks; collective.
   *
   * Few points are looked at closely, those whose way is longer than what they
   * are away from the obstacle.
   */
  Passage
  worst_passage(const Obstacles        &obstacles,
                const Eigen::Matrix3Xd &from,
                const Eigen::Matrix3Xd &to,
                double                  step_length,
                MPI_Comm                communicator);
} // namespace slender

#endif

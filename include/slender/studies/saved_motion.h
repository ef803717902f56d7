// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_saved_motion_h
#define slender_studies_saved_motion_h

#include <slender/dynamics/motion.h>
#include <slender/output/archive.h>

/// Moments of motions in an archive, see saved_state.h.
namespace slender::saved_motion
{
  void
  put(Archive &archive, const System &system, const MotionState &moment);

  MotionState
  get(const ArchiveReader &reader, const System &system);
} // namespace slender::saved_motion

#endif

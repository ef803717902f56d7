// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_saved_motion_h
#define slender_studies_saved_motion_h

#include <slender/dynamics/motion.h>
#include <slender/output/archive.h>

namespace slender::saved_state
{
  /// A moment of a motion, as saved_state does it of states.
  void
  put(Archive &archive, const System &system, const MotionState &moment);

  MotionState
  get_motion(const ArchiveReader &reader, const System &system);
} // namespace slender::saved_state

#endif

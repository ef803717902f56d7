// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_recording_h
#define slender_studies_recording_h

#include <slender/models/model.h>
#include <slender/output/solutions.h>

#include <string>

namespace slender
{
  /// A name as the header of a column: "end x" becomes "end_x".
  std::string
  column_name(std::string name);

  /// A state displaced along a mode, far enough to be seen.
  Drawing
  draw_mode(const Model &model, const Vector &q, const Vector &mode);

  /// A state with all that it takes to start from it again. Collective; there
  /// may be no null vector, on all ranks alike.
  Solution
  save(const Model       &model,
       long               label,
       const std::string &kind,
       const Vector      &q,
       const Vector      *null_vector);
} // namespace slender

#endif

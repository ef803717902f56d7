// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_validation_score_drawing_h
#define slender_validation_score_drawing_h

#include <slender/validation/score.h>

#include <iosfwd>

namespace slender
{
  /// The runs of a simulator over the master curve, in the axes of the paper's
  /// figure, with the band of 5 % of the plot, as SVG.
  void
  draw_overlay(const Score &score, std::ostream &out);

  /// "cantilever | OK 0.4 %", for a page about the simulator, as SVG.
  void
  draw_badge(const Score &score, std::ostream &out);
} // namespace slender

#endif

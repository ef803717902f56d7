// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_recording_h
#define slender_studies_recording_h

#include <slender/output/archive.h>
#include <slender/statics/branch.h>
#include <slender/statics/frontier.h>

#include <string>

namespace slender
{
  class Recorder;

  /// A name as the header of a column: "end x" becomes "end_x".
  std::string
  column_name(std::string name);

  /// This rank's piece of a state displaced along a mode, far enough to be
  /// seen.
  Drawing
  draw_mode(const System &system, const Vector &q, const Vector &mode);

  /// How far the point of the body moves that moves furthest, for a unit of the
  /// mode's amplitude [length]. Collective.
  double
  largest_displacement(const System &system,
                       const Vector &q,
                       const Vector &mode);

  /**
   * The kinds of points on branches and frontiers by the names that users of
   * AUTO-07p know. They are spelt here alone: tables explain them to those who
   * read them.
   */
  namespace point_code
  {
    constexpr const char *end              = "EP";
    constexpr const char *bifurcation      = "BP";
    constexpr const char *fold             = "LP";
    constexpr const char *requested        = "UZ";
    constexpr const char *cusp             = "CP";
    constexpr const char *double_pitchfork = "DP";
    constexpr const char *hilltop          = "HT";
    constexpr const char *failure          = "MX";
    constexpr const char *regular          = "RG";

    const char *
    of(PointKind kind);

    /// Of a point of codimension two.
    const char *
    of(FrontierEvent event);

    /// Remarks in the results of a branch, one for each code ...
    void
    explain(Recorder &recorder);

    /// ... and those that only frontiers have.
    void
    explain_events(Recorder &recorder);
  } // namespace point_code

  /// What a reader of a count of unstable directions has to know where a load
  /// has no potential.
  extern const char *const static_stability_alone;

  /// A labelled point from which a later run can start. Collective; there may
  /// be no null vector, or several, on all ranks alike.
  Archive
  labelled_state(const System              &system,
                 const std::string         &model_name,
                 const std::string         &kind,
                 const State               &state,
                 const Vector              *null_vector,
                 const std::vector<Vector> &companions = {});
} // namespace slender

#endif

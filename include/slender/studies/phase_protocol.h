// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_phase_protocol_h
#define slender_studies_phase_protocol_h

#include <slender/studies/sweep.h>
#include <slender/validation/master_curve.h>

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace slender
{
  /**
   * A plane that a protocol samples on a grid, to find where shapes are planar
   * (2D) and where they are not (3D): the part that the protocols share.
   */
  struct PhasePlane
  {
    std::array<std::string, 2> names; ///< of its coordinates, x and y
    std::string frontier_name;        ///< of y in the table of the frontier
    std::string measure_name;         ///< of what tells 3D from 2D
    double      tolerance;            ///< 3D is where the measure is above it

    std::vector<double> xs, ys; ///< of the grid, ascending

    /// Column and row of a sample by its number.
    std::function<std::pair<std::size_t, std::size_t>(std::size_t)> place;

    /// To the unit square of the plot.
    std::function<Eigen::Vector2d(double x, double y)> to_plot;

    std::string time_name; ///< of the shapes, see Recorder::begin_series()
  };

  /// What is known of the same plane.
  struct PhaseReference
  {
    struct Distance
    {
      bool        is_near; ///< so near that a sample may be misclassified
      std::string words;
    };

    /// Whether a point is 3D; none where that is not known.
    std::function<std::optional<bool>(double x, double y)> is_3d;

    /// How far from the frontier a point is.
    std::function<Distance(double x, double y)> distance;

    /// The frontier; empty, and no verdict, where it is not known over the
    /// whole grid.
    PlaneCurve frontier;
  };

  /**
   * Samples a plane, records every sample and judges their frontier. Every
   * failed or misclassified sample has its remark.
   *
   * @param sweep whose samples have the measure as their only value
   * @param reference none: no verdict
   */
  StudyResult
  sample_phases(Workplace                           &workplace,
                Sweep                                sweep,
                const PhasePlane                    &plane,
                const std::optional<PhaseReference> &reference);

  /// Whether a point on a line of a grid is one of about `n_shapes` that are
  /// spread evenly over it, on as many lines as there are points on each.
  bool
  is_drawn(std::size_t line,
           std::size_t n_lines,
           std::size_t point,
           std::size_t n_points,
           int         n_shapes);
} // namespace slender

#endif

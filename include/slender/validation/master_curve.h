// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_validation_master_curve_h
#define slender_validation_master_curve_h

#include <slender/base/table.h>
#include <slender/base/types.h>

#include <string>
#include <vector>

namespace slender
{
  /// The table of reference/NAME.csv, which is part of the program. Throws
  /// std::logic_error for a name that does not exist.
  Table
  master_table(const std::string &name);

  /// A master curve y(x) as a list of points.
  struct MasterCurve
  {
    std::vector<double> x, y;
  };

  /// The larger of two errors. Unlike std::max it never loses one that is not a
  /// number.
  double
  worse(double a, double b);

  /// A curve in the plane of a plot.
  using PlaneCurve = std::vector<Eigen::Vector2d>;

  /**
   * The paper's measure of agreement: the Hausdorff distance between two
   * polygonal curves in a plot whose axes run from 0 to 1, that is, relative
   * to the size of the plot. The protocol is passed below `passing_distance`.
   */
  double
  hausdorff_distance(const PlaneCurve &a, const PlaneCurve &b);

  /// The same for a curve in pieces, each of which has a point.
  double
  hausdorff_distance(const std::vector<PlaneCurve> &pieces,
                     const PlaneCurve              &b);

  constexpr double passing_distance = 0.05;

  /// How a curve agrees with a master curve.
  struct Comparison
  {
    double          distance = 1.; ///< Hausdorff's, see above
    double          error    = 0.; ///< the largest of a point, relative
    Eigen::Vector2d worst = Eigen::Vector2d::Zero(); ///< the point that has it
    PlaneCurve      master; ///< what it was compared with
  };

  /// The distance of a point from the smooth curve through the points of a
  /// dense table, to far more digits than from its polygon: the curve is taken
  /// as a cubic through the four points around.
  double
  distance_from_smooth_curve(const Eigen::Vector2d &point,
                             const PlaneCurve      &curve);

  /// Maps (x, y) to the unit square of a plot with logarithmic axes that just
  /// holds the master curve.
  class LogPlot
  {
  public:
    explicit LogPlot(const MasterCurve &master);

    Eigen::Vector2d
    operator()(double x, double y) const;

  private:
    double x_min, x_max, y_min, y_max; ///< logarithms
  };
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_validation_phase_map_h
#define slender_validation_phase_map_h

#include <slender/validation/master_curve.h>

#include <vector>

namespace slender
{
  /// n values from first to last in a constant ratio.
  std::vector<double>
  logspace(double first, double last, std::size_t n);

  /**
   * A plane that was sampled on a grid and found to be in one of two states,
   * inside or outside.
   */
  class PhaseMap
  {
  public:
    /// All points are outside.
    PhaseMap(std::vector<double> xs, std::vector<double> ys);

    void
    set_inside(std::size_t column, std::size_t row, bool inside);

    /**
     * The frontier of the two states: where neighbours differ, it passes
     * halfway between them (in the logarithms of the coordinates), and straight
     * from one such place to the next. A map without islands has one piece.
     */
    std::vector<PlaneCurve>
    frontier() const;

  private:
    /// The place between neighbours: those of a row have the numbers of their
    /// left point, those of a column follow.
    std::size_t
    across_row(std::size_t column, std::size_t row) const;
    std::size_t
    across_column(std::size_t column, std::size_t row) const;

    bool
    inside(std::size_t column, std::size_t row) const;

    Eigen::Vector2d
    place(std::size_t number) const;

    std::vector<double> xs, ys;
    std::vector<bool>   states;
  };

  /**
   * A region of the plane whose frontier is an open curve that crosses
   * horizontal lines: inside is where a line has crossed it an odd number of
   * times.
   */
  class PhaseRegion
  {
  public:
    explicit PhaseRegion(PlaneCurve frontier);

    bool
    contains(double x, double y) const;

    /// |x/x_f - 1| for the nearest point (x_f, y) of the frontier at the same
    /// y; infinite where there is none.
    double
    distance(double x, double y) const;

  private:
    std::vector<double>
    crossings(double y) const;

    PlaneCurve frontier;
  };
} // namespace slender

#endif

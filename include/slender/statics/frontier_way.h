// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_statics_frontier_way_h
#define slender_statics_frontier_way_h

#include <slender/statics/frontier_equations.h>

#include <optional>
#include <vector>

namespace slender
{
  /**
   * Where a frontier is and where it goes from there: a FrontierCursor at work.
   */
  class FrontierWay
  {
  public:
    /// From a point, whose rate points ahead.
    FrontierWay(const FrontierState &present, double step);

    explicit FrontierWay(const FrontierCursor &cursor);

    FrontierCursor
    cursor() const;

    /// A point at a distance ahead. The state goes along its rate, because that
    /// is what the mixed tangent can predict stresses from. The controls are on
    /// the cubic through the present point with its rate and two before it, or
    /// on the square or line that as many points as there are allow.
    FrontierState
    predict(double distance) const;

    /// Goes on to the next point, whose rate points ahead. Its state may be
    /// given anew by `commit`, after its distance from here was taken.
    template <class Commit>
    void
    advance(FrontierState next, const Commit &commit)
    {
      const double length = arc_length(next);
      commit(next);
      pass(length);
      present = std::move(next);
    }

    /// Begins anew at a point that nothing before it leads to smoothly.
    void
    restart(const FrontierState &state);

    /// A point that was passed, and how far back it is.
    struct Milestone
    {
      Eigen::Vector2d u;
      double          distance;
      double          cubic; ///< see FrontierOutlook
    };

    /// The last one; none at the start.
    std::optional<Milestone>
    last_passed() const;

    FrontierState present;
    double        step     = 0.; ///< length of the next
    int           n_points = 1;

  private:
    /// From its chord and the directions at its ends.
    double
    arc_length(const FrontierState &next) const;

    void
    pass(double length);

    std::vector<Milestone> trail; ///< at most two, the last one first
  };

  /// The other sense of its rate.
  void
  reverse(FrontierState &state);

  /// Where a step leaves the box.
  struct FrontierEdge
  {
    std::size_t   control;
    bool          is_reached; ///< the step began there
    FrontierState guess;      ///< of the point on the edge
  };

  std::optional<FrontierEdge>
  edge_between(const FrontierState &from, const FrontierState &to);
} // namespace slender

#endif

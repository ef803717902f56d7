// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/frontier_way.h>

#include <algorithm>
#include <cmath>

namespace slender
{
  namespace
  {
    using Plane = Eigen::Vector2d;

    std::array<double, 2>
    to_array(const Plane &u)
    {
      return {{u[0], u[1]}};
    }

    Plane
    to_plane(const std::array<double, 2> &u)
    {
      return {u[0], u[1]};
    }

    std::vector<Vector>
    columns_of(const Eigen::MatrixXd &matrix)
    {
      std::vector<Vector> columns;
      for (Index k = 0; k < matrix.cols(); ++k)
        columns.emplace_back(matrix.col(k));
      return columns;
    }

    Eigen::MatrixXd
    to_matrix(const std::vector<Vector> &columns)
    {
      Eigen::MatrixXd matrix(columns.empty() ? 0 : columns.front().size(),
                             columns.size());
      for (std::size_t k = 0; k < columns.size(); ++k)
        matrix.col(static_cast<Index>(k)) = columns[k];
      return matrix;
    }
  } // namespace

  FrontierWay::FrontierWay(const FrontierState &the_present,
                           const double         the_step)
    : present(the_present)
    , step(the_step)
  {}

  FrontierWay::FrontierWay(const FrontierCursor &cursor)
    : step(cursor.step)
    , n_points(cursor.n_points)
  {
    present.q             = cursor.present.q;
    present.u             = to_plane(cursor.present.u);
    present.rate          = {cursor.rate.q, to_plane(cursor.rate.u)};
    present.modes         = to_matrix(cursor.modes);
    present.antisymmetric = to_matrix(cursor.antisymmetric);
    present.n_held        = cursor.n_held;
    present.outlook       = cursor.outlook;
    for (const FrontierCursor::Milestone &m : cursor.trail)
      trail.push_back({to_plane(m.u), m.distance, m.cubic});
  }

  FrontierCursor
  FrontierWay::cursor() const
  {
    FrontierCursor result;
    result.present       = {present.q, to_array(present.u)};
    result.rate          = {present.rate.q, to_array(present.rate.u)};
    result.modes         = columns_of(present.modes);
    result.antisymmetric = columns_of(present.antisymmetric);
    result.n_held        = static_cast<int>(present.n_held);
    result.outlook       = present.outlook;
    for (const Milestone &m : trail)
      result.trail.push_back({to_array(m.u), m.distance, m.cubic});
    result.step     = step;
    result.n_points = n_points;
    return result;
  }

  FrontierState
  FrontierWay::predict(const double distance) const
  {
    FrontierState next = present;
    next.q += distance * next.rate.q;
    next.u += distance * next.rate.u;
    if (trail.empty())
      return next;
    // Newton's divided differences, with the present point twice.
    const auto curvature = [&](const Milestone &m) -> Plane {
      return ((present.u - m.u) / m.distance - present.rate.u) / -m.distance;
    };
    const Plane  A  = curvature(trail[0]);
    const double h1 = -trail[0].distance;
    next.u += distance * distance * A;
    if (trail.size() > 1)
      next.u += distance * distance * (distance - h1) *
                (curvature(trail[1]) - A) / (-trail[1].distance - h1);
    return next;
  }

  void
  FrontierWay::restart(const FrontierState &state)
  {
    present = state;
    trail.clear();
  }

  std::optional<FrontierWay::Milestone>
  FrontierWay::last_passed() const
  {
    return trail.empty() ? std::nullopt : std::optional(trail.front());
  }

  double
  FrontierWay::arc_length(const FrontierState &next) const
  {
    const double cosine =
      std::min(1., std::abs(present.rate.u.dot(next.rate.u)));
    const double angle = std::acos(cosine);
    return (next.u - present.u).norm() * (1. + angle * angle / 24.);
  }

  void
  FrontierWay::pass(const double length)
  {
    for (Milestone &m : trail)
      m.distance += length;
    trail.insert(trail.begin(), {present.u, length, present.outlook.cubic});
    if (trail.size() > 2)
      trail.pop_back();
  }

  /// The other sense of its rate.
  void
  reverse(FrontierState &state)
  {
    state.rate.q *= -1.;
    state.rate.u *= -1.;
  }

  std::optional<FrontierEdge>
  edge_between(const FrontierState &from, const FrontierState &to)
  {
    // Of two sides that are crossed the first one counts.
    std::optional<std::size_t> side;
    double                     first = 2., edge = 0.;
    for (std::size_t i = 0; i < 2; ++i)
      if (to.u[i] < 0. || to.u[i] > 1.)
        {
          const double at = to.u[i] < 0. ? 0. : 1.;
          const double t  = (at - from.u[i]) / (to.u[i] - from.u[i]);
          if (t < first)
            {
              side  = i;
              first = t;
              edge  = at;
            }
        }
    if (!side)
      return {};
    FrontierState guess = to;
    guess.q             = from.q + first * (to.q - from.q);
    guess.u             = from.u + first * (to.u - from.u);
    guess.u[*side]      = edge;
    return FrontierEdge{*side, std::abs(edge - from.u[*side]) < 1e-12, guess};
  }
} // namespace slender

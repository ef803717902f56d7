// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/contact/near_edges.h>
#include <slender/contact/segment_distance.h>
#include <slender/studies/overhand_knot.h>
#include <slender/studies/rod_arrangement.h>

#include <Eigen/Geometry>

#include <cmath>
#include <iomanip>
#include <sstream>
#include <vector>

namespace slender
{
  namespace
  {
    constexpr double pi = 3.141592653589793;

    /// From the axis of the braid to that of a strand [radius]: strands do not
    /// touch yet.
    constexpr double strand_offset = 1.6;
    /// How steeply strands wind about the axis at most.
    constexpr double steepest = 0.7;
    /// Half circles of the loop are not smaller [radius].
    constexpr double smallest_loop = 6.;

    std::string
    number(const double value)
    {
      std::ostringstream text;
      text << std::setprecision(4) << value;
      return text.str();
    }

    /// Goes from 0 to 1 with level ends, at most at a slope of 3/2.
    double
    smooth_step(const double s)
    {
      return s * s * (3. - 2. * s);
    }

    using Curve = std::vector<Vector3>;

    void
    add_strand(Curve       &curve,
               const double length,
               const double offset,
               const double first_angle,
               const double turns)
    {
      const int n = 4000;
      for (int i = 0; i <= n; ++i)
        {
          const double s     = static_cast<double>(i) / n;
          const double angle = first_angle + turns * smooth_step(s);
          curve.emplace_back((s - 0.5) * length,
                             offset * std::sin(angle),
                             offset * std::cos(angle));
        }
    }

    double
    length_of(const Curve &curve)
    {
      double sum = 0.;
      for (std::size_t i = 1; i < curve.size(); ++i)
        sum += (curve[i] - curve[i - 1]).norm();
      return sum;
    }

    /// Whether a polygon with equal distances along a curve of this length
    /// follows its turns, whose corners chords cut, and does not overlap.
    bool
    is_fine_enough(const Eigen::Matrix3Xd &x,
                   const double            length,
                   const double            radius)
    {
      const Index  n    = x.cols() - 1;
      const double step = length / static_cast<double>(n);
      for (Index i = 0; i < n; ++i)
        if ((x.col(i + 1) - x.col(i)).norm() < 0.99 * step)
          return false;
      for (Index i = 0; i < n; ++i)
        for (Index j = i + 2; j < n; ++j)
          {
            if (static_cast<double>(j - i - 1) * step < pi * radius)
              continue;
            contact::FourPoints four;
            four << x.col(i), x.col(i + 1), x.col(j), x.col(j + 1);
            if (contact::distance(four) < 2.02 * radius)
              return false;
          }
      return true;
    }
  } // namespace

  double
  OverhandKnot::braid_length() const
  {
    const double half_turns = 2. * unknotting_number + 1.;
    return 1.5 * pi * half_turns * strand_offset * radius / steepest;
  }

  double
  OverhandKnot::least_shortening() const
  {
    Curve strand;
    add_strand(strand,
               braid_length(),
               strand_offset * radius,
               0.,
               (2. * unknotting_number + 1.) * pi);
    return 2. * length_of(strand) + 2. * pi * smallest_loop * radius;
  }

  Eigen::Matrix3Xd
  OverhandKnot::polygon() const
  {
    const double a = strand_offset * radius, b = braid_length(),
                 turn = (2. * unknotting_number + 1.) * pi;
    if (least_shortening() > length - b - 8. * radius)
      throw InputError("the rod is too thick for a knot of this kind, which "
                       "takes at least " +
                         number(least_shortening() + b + 8. * radius) +
                         " m of its " + number(length) + " m",
                       "Rod/Radius");
    if (shortening < least_shortening())
      throw InputError("the knot needs more of the rod: a 'Shortening at "
                       "start' of at least " +
                         number(least_shortening()) + " m",
                       "Knot/Shortening at start");
    if (length - shortening < b + 8. * radius)
      throw InputError("no tails are left of the rod's " + number(length) +
                         " m; 'Shortening at start' may be at most " +
                         number(length - b - 8. * radius) + " m",
                       "Knot/Shortening at start");

    Curve strand;
    add_strand(strand, b, a, 0., turn);
    const double loop = (shortening - 2. * length_of(strand)) / (2. * pi);
    const double tail = 0.5 * (length - shortening - b);

    // The loop is in the plane z = -a, the tails are in the plane z = a.
    Curve curve = {Vector3(-0.5 * b - tail, 0., a)};
    add_strand(curve, b, a, 0., turn);
    const int n = 2000;
    for (int i = 1; i <= n; ++i)
      curve.emplace_back(0.5 * b + loop * std::sin(pi * i / n),
                         loop * (1. - std::cos(pi * i / n)),
                         -a);
    for (int i = 0; i < n; ++i)
      curve.emplace_back(-0.5 * b - loop * std::sin(pi * i / n),
                         loop * (1. + std::cos(pi * i / n)),
                         -a);
    add_strand(curve, b, a, pi, turn);
    curve.emplace_back(0.5 * b + tail, 0., a);

    // Corners at equal distances along it.
    Eigen::Matrix3Xd all(3, static_cast<Index>(curve.size()));
    for (std::size_t i = 0; i < curve.size(); ++i)
      all.col(static_cast<Index>(i)) = curve[i];
    const double           total = polygon_length(all);
    const Eigen::Matrix3Xd x     = evenly_spaced(all, segments);
    if (is_fine_enough(x, total, radius))
      return x;

    // How many are enough, in round numbers and not by much too many.
    constexpr int most   = 5000;
    int           enough = segments;
    bool          fits   = false;
    while (!fits && enough < most)
      {
        enough = 10 * (enough / 10 + 1 + enough / 200);
        fits   = is_fine_enough(evenly_spaced(all, enough), total, radius);
      }
    throw InputError("too few segments for a knot of this kind: they cut its "
                     "turns short; " +
                       (fits ? std::to_string(enough) + " are enough"
                             : "more than " + std::to_string(most) +
                                 " are expected, or a thicker rod"),
                     "Discrete elastic rod/Segments");
  }

  Frame
  carried_frame(const Eigen::Matrix3Xd &x, const Frame &first)
  {
    Frame result = first;
    for (Index i = 0; i + 1 < x.cols(); ++i)
      {
        const Vector3 next = (x.col(i + 1) - x.col(i)).normalized();
        const auto    turn =
          Eigen::Quaterniond::FromTwoVectors(result.tangent, next);
        result.director = (turn * result.director).normalized();
        result.tangent  = next;
      }
    return result;
  }
} // namespace slender

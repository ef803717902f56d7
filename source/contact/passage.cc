// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/contact/extent.h>
#include <slender/contact/passage.h>

#include <algorithm>
#include <cmath>

namespace slender
{
  namespace
  {
    // Parts of the way.

    /// A point that begins nearer than this slides, or leaves a contact.
    constexpr double sliding = 1e-3;
    /// By so much a point is put inside that has come to the surface.
    constexpr double nudge = 1e-6;
    /// By this factor it is put further each time that it is still there.
    constexpr double growth = 4.;
    /// Deeper than this it is inside: less than a nudge, more than round-off.
    constexpr double inside = 1e-8;

    /// Beyond so many places of a way that runs along a surface the others are
    /// so many apart.
    constexpr int many_places = 100;

    /// Ways that are shorter than this part of the body's extent are round-off
    /// or lead through nothing.
    constexpr double shortest_way = 1e-6;

    // Cosines of the angle between the surfaces at which a point enters and
    // leaves.

    /// Of a round obstacle, whose sagitta a point may cut off.
    constexpr double much_the_same = 0.99;
    /// Beyond this they are opposite sides, but for one who slides: an edge
    /// that is sharper than a right angle may be slid over.
    constexpr double other_side             = 0.;
    constexpr double other_side_when_slides = -0.9;
    /// A right angle, which a box has at its edges.
    constexpr double right_angle = -0.1;

    class Way
    {
    public:
      Way(const Obstacle &the_obstacle,
          const Vector3  &the_start,
          const Vector3  &the_end)
        : obstacle(the_obstacle)
        , start(the_start)
        , way(the_end - the_start)
        , length(way.norm())
      {}

      double
      gap(const double s) const
      {
        return obstacle.gap(start + s * way);
      }

      Vector3
      normal(const double s) const
      {
        return obstacle.shape->normal(start + s * way - obstacle.shift);
      }

      bool
      is_inside(const double gap) const
      {
        return gap < -inside * length;
      }

      /// Where it goes in or comes out between two places.
      double
      surface(double outer, double inner) const
      {
        for (int i = 0; i < 40; ++i)
          {
            const double middle                      = 0.5 * (outer + inner);
            (is_inside(gap(middle)) ? inner : outer) = middle;
          }
        return outer;
      }

      /// The least cosine between surfaces by which it goes in and out; one
      /// where it stays outside. Nothing lies within a gap of a place, so that
      /// it may go on by that (sphere tracing).
      double
      least_cosine() const
      {
        double  least = 1., before = 0., floor = nudge, s = 0.;
        bool    was_inside = false;
        Vector3 entrance   = Vector3::Zero();
        for (int n = 0;; ++n)
          {
            const double here       = gap(s);
            const bool   now_inside = is_inside(here);
            if (now_inside && !was_inside)
              entrance = normal(surface(before, s));
            if (was_inside && (!now_inside || s == 1.))
              least = std::min(least,
                               entrance.dot(
                                 normal(now_inside ? s : surface(s, before))));
            if (s == 1.)
              return least;
            was_inside        = now_inside;
            before            = s;
            const double room = std::abs(here) / length;
            // Longer and longer along a surface, from the place where it began.
            floor = room < floor ? growth * floor : nudge;
            s +=
              std::max({room, floor, n > many_places ? 1. / many_places : 0.});
            s = std::min(s, 1.);
          }
      }

      bool
      slides() const
      {
        return gap(0.) < sliding * length;
      }

    private:
      const Obstacle &obstacle;
      const Vector3   start, way;
      const double    length;
    };
  } // namespace

  Passage::Kind
  passage(const Obstacle &obstacle, const Vector3 &from, const Vector3 &to)
  {
    const Way    way(obstacle, from, to);
    const double cosine = way.least_cosine();
    const bool   slides = way.slides();
    if (cosine < (slides ? other_side_when_slides : other_side))
      return Passage::through;
    return cosine < (slides ? right_angle : much_the_same) ? Passage::cut
                                                           : Passage::none;
  }

  Passage
  worst_passage(const Obstacles        &obstacles,
                const Eigen::Matrix3Xd &from,
                const Eigen::Matrix3Xd &to,
                const double            step_length,
                MPI_Comm                communicator)
  {
    if (obstacles.empty())
      return {};
    const double shortest = shortest_way * extent(from, communicator);
    // The kind and the number of the obstacle in one number, the worst of which
    // is the highest.
    const auto n     = static_cast<long>(obstacles.size());
    long       worst = 0;
    for (long o = 0; o < n; ++o)
      {
        const Obstacle &obstacle = obstacles[static_cast<std::size_t>(o)];
        const Vector3   carried  = step_length * obstacle.velocity;
        for (Index i = 0; i < to.cols(); ++i)
          {
            const Vector3 begin  = from.col(i) + carried;
            const double  length = (to.col(i) - begin).norm();
            if (length > shortest && length > obstacle.gap(to.col(i)))
              worst =
                std::max(worst, n * passage(obstacle, begin, to.col(i)) + o);
          }
      }
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_LONG, MPI_MAX, communicator);
    return {static_cast<Passage::Kind>(worst / n),
            static_cast<std::size_t>(worst % n)};
  }
} // namespace slender

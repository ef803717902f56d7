// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/contact/augmented_step.h>
#include <slender/contact/stopwatch.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <optional>

namespace slender
{
  namespace
  {
    constexpr int    most_rounds = 30;
    constexpr double at_rest     = 1e-12; ///< of the largest force

    /// ... where springs stretch less than places are known.
    constexpr double nearly_settled = 1e-9;

    /// Forces smaller than this part of the largest one are none: what merely
    /// touches neither opens nor closes by round-off.
    constexpr double round_off = 1e-13;

    /// Friction that turns by no more, of the largest force, has its direction.
    constexpr double same = 1e-9;

    /// How much stiffer than the body friction may be that turns.
    constexpr double most_turning = 1e3;

    /// Along an obstacle points that have moved by less have not [length].
    constexpr double moved_at_all = 1e-9;

    /// So far in an open contact is closed [length].
    constexpr double inside = 1e-12;

    /// Forces that change by no more, of the largest one, tell which contacts
    /// are not what they are taken for, if these are off by so many changes.
    constexpr double nearly_at_rest = 1e-2, clearly = 10.;

    /**
     * Anderson's acceleration of x <- g(x): the step is extrapolated from the
     * last few so that, were g linear, as little as possible would be left.
     * Collective.
     */
    class Acceleration
    {
    public:
      explicit Acceleration(const Layout &the_layout)
        : layout(the_layout)
      {}

      bool
      is_empty() const
      {
        return differences.empty();
      }

      void
      forget()
      {
        differences.clear();
        is_known = false;
      }

      /// What is tried after x, from which g has come.
      Vector
      next(const Vector &x, const Vector &g)
      {
        constexpr std::size_t most = 6;
        const Vector          left = g - x;
        if (is_known)
          differences.push_back({left - last_left, g - last_g});
        if (differences.size() > most)
          differences.pop_front();
        last_left = left;
        last_g    = g;
        is_known  = true;

        const auto      m = static_cast<Index>(differences.size());
        Eigen::MatrixXd products(m, m + 1);
        for (Index i = 0; i < m; ++i)
          {
            for (Index j = 0; j < m; ++j)
              products(i, j) = differences[i].left.dot(differences[j].left);
            products(i, m) = differences[i].left.dot(left);
          }
        MPI_Allreduce(MPI_IN_PLACE,
                      products.data(),
                      static_cast<int>(products.size()),
                      MPI_DOUBLE,
                      MPI_SUM,
                      layout.communicator);
        if (m == 0)
          return g;
        const Vector size = products.diagonal().cwiseSqrt();
        if (!(size.minCoeff() > 0.) || !products.allFinite())
          return g;
        const Vector          inverse = size.cwiseInverse();
        const Eigen::MatrixXd gram =
          inverse.asDiagonal() * products.leftCols(m) * inverse.asDiagonal();
        Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
        solver.setThreshold(1e-12);
        solver.compute(gram);
        const Vector part = inverse.cwiseProduct(
          solver.solve(inverse.cwiseProduct(products.col(m))));
        Vector result = g;
        for (Index i = 0; i < m; ++i)
          result -= part(i) * differences[i].g;
        return result;
      }

    private:
      struct Difference
      {
        Vector left, g;
      };

      const Layout          &layout;
      std::deque<Difference> differences;
      Vector                 last_left, last_g;
      bool                   is_known = false;
    };

    double
    largest_over_ranks(const Layout &layout, double value)
    {
      MPI_Allreduce(
        MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, layout.communicator);
      return value;
    }
  } // namespace

  ContactState
  first_state(const Touch &touch, const Vector3 &moved)
  {
    if (!(touch.friction > 0.) || touch.viscosity > 0.)
      return ContactState::slip;
    return moved.tail<2>().norm() >
               std::max(moved_at_all, touch.friction * std::abs(moved(0)))
             ? ContactState::slip
             : ContactState::stick;
  }

  AugmentedStep::AugmentedStep(const Layout   &the_layout,
                               const Exchange &the_exchange,
                               SystemTangent  &the_tangent,
                               const double    energy_unit,
                               double         &seconds_in_contacts)
    : layout(the_layout)
    , exchange(the_exchange)
    , tangent(the_tangent)
    , unit(energy_unit)
    , seconds(seconds_in_contacts)
  {}

  AugmentedStep::Friction
  AugmentedStep::friction(const Touch &touch) const
  {
    Friction result;
    if (touch.viscosity > 0.)
      {
        result.turning = touch.viscosity * Eigen::Matrix2d::Identity();
        return result;
      }
    const Vector3         r = touch.frame.transpose() * touch.contact.force;
    const Eigen::Vector2d a =
      r.tail<2>() - touch.own_along * touch.moved.tail<2>();
    const double size = a.norm(), radius = touch.friction * std::max(r(0), 0.);
    if (!(size > 0.))
      return result;
    // Newton's method for r_t = mu r_n a/|a| with a = r_t - k u_t, in which r_t
    // stands on both sides.
    result.direction = a / size;
    const Eigen::Matrix2d aside =
      Eigen::Matrix2d::Identity() -
      result.direction * result.direction.transpose();
    const double part = radius / std::max(size - radius, radius / most_turning);
    if (radius > 0.)
      {
        result.turning = part * touch.own_along * aside;
        result.aside   = -part * (aside * r.tail<2>());
      }
    return result;
  }

  Eigen::Matrix3d
  AugmentedStep::stiffness(const Touch &touch) const
  {
    Eigen::Matrix3d own = Eigen::Matrix3d::Zero();
    if (touch.contact.state == ContactState::open)
      return own;
    own(0, 0) = touch.spring_across;
    own.bottomRightCorner<2, 2>() =
      touch.contact.state == ContactState::stick
        ? Eigen::Matrix2d(touch.spring_along * Eigen::Matrix2d::Identity())
        : friction(touch).turning;
    return touch.frame * own * touch.frame.transpose();
  }

  AugmentedStep::Result
  AugmentedStep::solve(std::vector<Touch>         &touches,
                       const Vector               &gradient,
                       const std::vector<Vector3> &forces_before,
                       const bool                  is_repeated)
  {
    std::optional<Stopwatch> stopwatch(seconds);
    const std::size_t        n = touches.size();
    std::vector<Vector3>     before(n), multiplier(n), force(n), way(n);
    std::vector<Friction>    slides(n);
    double                   stiffest = 0.;
    for (std::size_t i = 0; i < n; ++i)
      {
        const Touch &touch = touches[i];
        before[i]          = touch.frame.transpose() * forces_before[i];
        multiplier[i]      = touch.frame.transpose() * touch.contact.force;
        force[i]           = multiplier[i];
        way[i].setZero();
        stiffest = std::max(stiffest, touch.springs().maxCoeff());
        if (touch.contact.state == ContactState::slip)
          slides[i] = friction(touch);
      }
    stiffest = largest_over_ranks(layout, stiffest);
    // Force of a contact where it has moved by `way`.
    const auto force_at = [&](const std::size_t i,
                              const bool        ahead) -> Vector3 {
      const Touch &touch = touches[i];
      if (touch.contact.state == ContactState::open)
        return Vector3::Zero();
      Vector3 r =
        multiplier[i] - touch.springs().cwiseProduct(touch.moved + way[i]);
      if (touch.contact.state == ContactState::stick)
        return r;
      if (touch.viscosity > 0.)
        {
          r.tail<2>() = -touch.viscosity * (touch.moved + way[i]).tail<2>();
          return r;
        }
      // By the pressure that was found, or, ahead of a substitution, by the
      // last one: where springs would lead from it is not known to the tangent.
      const double pressure = std::max(ahead ? multiplier[i](0) : r(0), 0.);
      r.tail<2>()           = touch.friction * pressure * slides[i].direction +
                    slides[i].aside - slides[i].turning * way[i].tail<2>();
      return r;
    };

    // Whether the forces so far tell that a contact is something else.
    const auto other_state =
      [&](const std::size_t i, const double small, const bool opens) {
        const Touch  &touch = touches[i];
        const Vector3 r = force[i], u = touch.moved + way[i];
        const double  radius = touch.friction * std::max(r(0), 0.);
        switch (touch.contact.state)
          {
            case ContactState::open:
              // A place is known as well as the force of a spring there.
              return u(0) < -inside - (touch.spring_across > 0.
                                         ? small / touch.spring_across
                                         : 0.)
                       ? first_state(touch, u)
                       : ContactState::open;
            case ContactState::stick:
              if (r(0) < -small)
                return ContactState::open;
              return !opens && r.tail<2>().norm() > radius + small
                       ? ContactState::slip
                       : ContactState::stick;
            case ContactState::slip:
              break;
          }
        if (r(0) < -small)
          return ContactState::open;
        if (!(touch.friction > 0.) || touch.viscosity > 0. || opens)
          return ContactState::slip;
        const Eigen::Vector2d a = (r - touch.own_along * u).tail<2>();
        // One that would slip backwards has stopped on the way.
        const bool sticks = a.norm() <= radius - small ||
                            (in_motion && a.dot(slides[i].direction) < -small);
        return sticks ? ContactState::stick : ContactState::slip;
      };
    // What friction does is asked only when nothing pulls any more: before
    // that, forces say little about it.
    const auto something_pulls = [&](const double small) {
      double pulls = 0.;
      for (const Vector3 &r : force)
        pulls = std::max(pulls, -r(0));
      return largest_over_ranks(layout, pulls) > small;
    };

    Result result;
    result.step        = Vector::Zero(layout.n_local());
    double       scale = 0., last = 0., small = 0.;
    bool         opens = false;
    Acceleration acceleration(layout);
    for (; result.iterations < most_rounds && !result.settled;
         ++result.iterations)
      {
        Vector right = -gradient.head(layout.n_owned());
        for (std::size_t i = 0; i < n; ++i)
          {
            // What the tangent has of the springs is not in the force.
            const Touch &touch = touches[i];
            Vector3      more  = force_at(i, true) - before[i];
            if (touch.contact.state == ContactState::stick)
              more += touch.springs().cwiseProduct(way[i]);
            else if (touch.contact.state == ContactState::slip)
              {
                more(0) += touch.spring_across * way[i](0);
                more.tail<2>() += slides[i].turning * way[i].tail<2>();
              }
            for (std::size_t k = 0; k < touch.unknowns.size(); ++k)
              if (touch.unknowns[k] >= 0)
                right(touch.unknowns[k]) +=
                  touch.rows.col(static_cast<Index>(k)).dot(more) / unit;
          }
        // One for each iteration the body needs on its own.
        Eigen::MatrixXd column  = right;
        const bool      is_body = result.iterations == 0 && !is_repeated;
        if (is_body)
          stopwatch.reset();
        if (!tangent.solve(column))
          return result;
        if (is_body)
          stopwatch.emplace(seconds);
        result.step.head(layout.n_owned()) = column.col(0);
        result.step                        = exchange.with_ghosts(result.step);
        double change                      = 0.;
        scale                              = 0.;
        Vector tried(3 * static_cast<Index>(n)), found(tried.size());
        for (std::size_t i = 0; i < n; ++i)
          {
            way[i]              = touches[i].rate(result.step);
            const Vector3 r     = force_at(i, false);
            const auto    k     = 3 * static_cast<Index>(i);
            tried.segment<3>(k) = multiplier[i];
            found.segment<3>(k) = r;
            change =
              std::max(change, (r - multiplier[i]).cwiseAbs().maxCoeff());
            scale    = std::max(scale, r.cwiseAbs().maxCoeff());
            force[i] = r;
          }
        change = largest_over_ranks(layout, change);
        scale  = largest_over_ranks(layout, scale);
        if (!std::isfinite(change))
          return result;
        small = round_off * scale;
        // Springs that do not come nearer to rest are there as well as their
        // round-off allows, or never will be.
        const bool stays = result.iterations > 2 && change > 0.9 * last;
        // In motion what stretches less than places are known is at rest.
        result.settled =
          change <= at_rest * scale ||
          ((stays || (in_motion && change <= nearly_settled * scale)) &&
           change <= stiffest * resolution);
        if (result.settled)
          continue;
        if (stays && acceleration.is_empty())
          {
            ++result.iterations;
            break;
          }
        if (in_motion && change <= nearly_at_rest * scale)
          {
            const double margin = small + clearly * change;
            const bool   pulls  = something_pulls(margin);
            bool         is_off = false;
            for (std::size_t i = 0; i < n && !is_off; ++i)
              is_off =
                other_state(i, margin, pulls) != touches[i].contact.state;
            if (largest_over_ranks(layout, is_off ? 1. : 0.) > 0.)
              {
                small = margin;
                ++result.iterations;
                break;
              }
          }
        if (stays)
          acceleration.forget();
        const Vector next = in_motion ? acceleration.next(tried, found) : found;
        for (std::size_t i = 0; i < n; ++i)
          multiplier[i] = next.segment<3>(3 * static_cast<Index>(i));
        last = change;
      }
    result.solved = true;

    double turned = 0.; ///< friction that slides
    opens         = something_pulls(small);
    for (std::size_t i = 0; i < n; ++i)
      {
        Touch             &touch  = touches[i];
        const ContactState was    = touch.contact.state;
        const ContactState is     = other_state(i, small, opens);
        Vector3            r      = force[i];
        const double       radius = touch.friction * std::max(r(0), 0.);
        if (was == ContactState::slip && is == ContactState::slip &&
            touch.friction > 0. && touch.viscosity == 0.)
          {
            const Eigen::Vector2d a =
              (r - touch.own_along * (touch.moved + way[i])).tail<2>();
            if (a.norm() > 0.)
              {
                turned =
                  std::max(turned,
                           (radius * a.normalized() - r.tail<2>()).norm());
                r.tail<2>() = radius * a.normalized();
              }
          }
        if (is == ContactState::open)
          r.setZero();
        else if (is == ContactState::slip && was == ContactState::stick)
          r.tail<2>() *= radius / r.tail<2>().norm();
        result.changed |= is != was;
        touch.contact.state = is;
        touch.contact.force = touch.frame * r;
      }
    result.changed = largest_over_ranks(layout, result.changed ? 1. : 0.) > 0.;
    result.settled &= largest_over_ranks(layout, turned) <= same * scale;
    return result;
  }
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/contact/augmented_step.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace slender
{
  namespace
  {
    constexpr int    most_rounds = 30;
    constexpr double at_rest     = 1e-12; ///< of the largest force

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
                               const double    energy_unit)
    : layout(the_layout)
    , exchange(the_exchange)
    , tangent(the_tangent)
    , unit(energy_unit)
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
                       const std::vector<Vector3> &forces_before)
  {
    const std::size_t     n = touches.size();
    std::vector<Vector3>  before(n), multiplier(n), force(n), way(n);
    std::vector<Friction> slides(n);
    double                stiffest = 0.;
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
      const double pressure = std::max(ahead ? force[i](0) : r(0), 0.);
      r.tail<2>()           = touch.friction * pressure * slides[i].direction +
                    slides[i].aside - slides[i].turning * way[i].tail<2>();
      return r;
    };

    Result result;
    result.step  = Vector::Zero(layout.n_local());
    double scale = 0., last = 0.;
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
        Eigen::MatrixXd column = right;
        if (!tangent.solve(column))
          return result;
        result.step.head(layout.n_owned()) = column.col(0);
        result.step                        = exchange.with_ghosts(result.step);
        double change                      = 0.;
        scale                              = 0.;
        for (std::size_t i = 0; i < n; ++i)
          {
            way[i]          = touches[i].rate(result.step);
            const Vector3 r = force_at(i, false);
            change   = std::max(change, (r - force[i]).cwiseAbs().maxCoeff());
            scale    = std::max(scale, r.cwiseAbs().maxCoeff());
            force[i] = r;
            multiplier[i] = r;
          }
        change = largest_over_ranks(layout, change);
        scale  = largest_over_ranks(layout, scale);
        if (!std::isfinite(change))
          return result;
        // Springs that do not come nearer to rest are there as well as their
        // round-off allows, or never will be.
        const bool stays = result.iterations > 2 && change > 0.9 * last;
        result.settled   = change <= at_rest * scale ||
                         (stays && change <= stiffest * resolution);
        if (!result.settled && stays)
          {
            ++result.iterations;
            break;
          }
        last = change;
      }
    result.solved = true;

    // What friction does is asked only when nothing pulls any more: before
    // that, forces say little about it.
    const double small = round_off * scale;
    double       pulls = 0.;
    for (const Vector3 &r : force)
      pulls = std::max(pulls, -r(0));
    double     turned = 0.; ///< friction that slides
    const bool opens  = largest_over_ranks(layout, pulls) > small;
    for (std::size_t i = 0; i < n; ++i)
      {
        Touch             &touch = touches[i];
        const ContactState was   = touch.contact.state;
        ContactState       is    = was;
        Vector3            r     = force[i];
        const Vector3      u     = touch.moved + way[i];
        switch (was)
          {
            case ContactState::open:
              if (u(0) < -inside)
                is = first_state(touch, u);
              break;
            case ContactState::stick:
              if (r(0) < -small)
                is = ContactState::open;
              else if (!opens && r.tail<2>().norm() >
                                   touch.friction * std::max(r(0), 0.) + small)
                is = ContactState::slip;
              break;
            case ContactState::slip:
              if (r(0) < -small)
                is = ContactState::open;
              else if (touch.friction > 0. && touch.viscosity == 0.)
                {
                  const Eigen::Vector2d a = (r - touch.own_along * u).tail<2>();
                  const double radius     = touch.friction * std::max(r(0), 0.);
                  if (!opens && a.norm() <= radius - small)
                    is = ContactState::stick;
                  else if (a.norm() > 0.)
                    {
                      turned = std::max(
                        turned, (radius * a.normalized() - r.tail<2>()).norm());
                      r.tail<2>() = radius * a.normalized();
                    }
                }
              break;
          }
        if (is == ContactState::open)
          r.setZero();
        else if (is == ContactState::slip && was == ContactState::stick)
          r.tail<2>() *=
            touch.friction * std::max(r(0), 0.) / r.tail<2>().norm();
        result.changed |= is != was;
        touch.contact.state = is;
        touch.contact.force = touch.frame * r;
      }
    result.changed = largest_over_ranks(layout, result.changed ? 1. : 0.) > 0.;
    result.settled &= largest_over_ranks(layout, turned) <= same * scale;
    return result;
  }
} // namespace slender

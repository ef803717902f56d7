// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/contact/contact_frame.h>
#include <slender/dynamics/velocity_filter.h>
#include <slender/systems/kinematics.h>

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>

namespace slender
{
  struct FilteredMotion::Hit
  {
    Touch           touch;
    Vector3         velocity; ///< relative to the obstacle, in the frame
    Vector3         impulse = Vector3::Zero();
    double          gap;      ///< before the step
    Eigen::MatrixXd response; ///< M^-1 H^T, a column for each direction
    Vector3         mobility; ///< the diagonal of H M^-1 H^T
  };

  FilteredMotion::FilteredMotion(System              &the_system,
                                 Motion              &the_motion,
                                 const Obstacles     &the_obstacles,
                                 const FilterOptions &the_options)
    : system(the_system)
    , motion(the_motion)
    , obstacles(the_obstacles)
    , options(the_options)
    , points(touching_points(system))
    , mass(system, motion.inertia(), NewtonOptions().solver())
  {}

  std::vector<FilteredMotion::Hit>
  FilteredMotion::near_points(const Vector &q,
                              const Vector &rates,
                              const double  length)
  {
    // Obstacles are where they are at the step's end; before, they were behind.
    std::vector<Hit>       hits;
    const Eigen::Matrix3Xd x = points->places(q);
    std::vector<Index>     all(points->size());
    for (Index i = 0; i < points->size(); ++i)
      all[i] = i;
    for (std::size_t o = 0; o < obstacles.size(); ++o)
      {
        const Obstacle    &obstacle = obstacles[o];
        std::vector<Index> near;
        for (const Index i : all)
          if (obstacle.gap(x.col(i) + length * obstacle.velocity) <
              2. * options.thickness)
            near.push_back(i);
        auto moving = points->rates(q, near);
        for (std::size_t k = 0; k < near.size(); ++k)
          {
            Hit           hit;
            const Vector3 at      = x.col(near[k]) + length * obstacle.velocity;
            Contact      &contact = hit.touch.contact;
            contact.point         = near[k];
            contact.obstacle      = o;
            contact.normal        = obstacle.shape->normal(at - obstacle.shift);
            contact.state         = ContactState::open;
            hit.gap               = obstacle.gap(at);
            hit.touch.friction    = obstacle.friction;
            hit.touch.frame       = contact_frame(contact.normal);
            hit.touch.unknowns    = std::move(moving[k].unknowns);
            hit.touch.rows = hit.touch.frame.transpose() * moving[k].rates;
            hit.velocity   = hit.touch.rate(rates) -
                           hit.touch.frame.transpose() * obstacle.velocity;
            hits.push_back(std::move(hit));
          }
      }
    return hits;
  }

  Motion::Step
  FilteredMotion::step(const double length)
  {
    const Vector       before = motion.now().unknowns.place;
    const Motion::Step result = motion.step(length);
    found.clear();
    if (!result.converged())
      return result;
    MotionState      after = motion.now();
    std::vector<Hit> hits  = near_points(before, after.unknowns.rate, length);
    if (hits.empty())
      return result;
    mass.hold(after.unknowns.place);
    const std::size_t n = hits.size();
    for (Hit &hit : hits)
      {
        hit.response.resize(before.size(), 3);
        for (int c = 0; c < 3; ++c)
          {
            Vector b = Vector::Zero(before.size());
            for (std::size_t k = 0; k < hit.touch.unknowns.size(); ++k)
              if (hit.touch.unknowns[k] >= 0)
                b(hit.touch.unknowns[k]) =
                  hit.touch.rows(c, static_cast<Index>(k));
            hit.response.col(c) = mass.solve(b);
            hit.mobility(c)     = hit.touch.rate(hit.response.col(c))(c);
          }
      }
    const auto push = [&](Hit &hit, const Vector3 &impulse) {
      hit.impulse += impulse;
      const Vector change = hit.response * impulse;
      for (Hit &other : hits)
        other.velocity += other.touch.rate(change);
    };
    /// Friction where a normal velocity has changed by so much.
    const auto rub = [&](Hit &hit, const double change) {
      const double size = hit.velocity.tail<2>().norm();
      if (!(size > 0.))
        return;
      const double left = std::max(0., 1. - hit.touch.friction * change / size);
      Vector3      impulse = Vector3::Zero();
      impulse.tail<2>()    = (left - 1.) * hit.velocity.tail<2>().cwiseQuotient(
                                          hit.mobility.tail<2>());
      push(hit, impulse);
      hit.touch.contact.state =
        left > 0. ? ContactState::slip : ContactState::stick;
    };
    // What is nearer than the thickness.
    for (Hit &hit : hits)
      {
        const double overlap = options.thickness - hit.gap;
        const double slow    = 0.1 * overlap / length;
        if (overlap <= 0. || hit.velocity(0) >= slow)
          continue;
        const double impulse =
          std::min(length * options.repulsion * overlap,
                   (slow - hit.velocity(0)) / hit.mobility(0));
        const double change = impulse * hit.mobility(0);
        push(hit, impulse * Vector3::UnitX());
        rub(hit, change);
      }
    // What would be inside.
    const auto missing = [&](const Hit &hit) {
      return -hit.gap / length - hit.velocity(0);
    };
    const auto is_inside = [&](const Hit &hit) {
      return missing(hit) > 1e-12 * (1. + std::abs(hit.velocity(0)));
    };
    for (int round = 0; round < options.rounds; ++round)
      for (Hit &hit : hits)
        if (is_inside(hit))
          {
            const double change = missing(hit);
            push(hit, change / hit.mobility(0) * Vector3::UnitX());
            rub(hit, change);
          }
    // What still is, all at once.
    std::vector<std::size_t> zone;
    for (int round = 0; round < 20; ++round)
      {
        bool more = false;
        for (std::size_t i = 0; i < n; ++i)
          if (is_inside(hits[i]) &&
              std::find(zone.begin(), zone.end(), i) == zone.end())
            {
              zone.push_back(i);
              more = true;
            }
        if (!more)
          break;
        const auto      size = static_cast<Index>(zone.size());
        Eigen::MatrixXd W(size, size);
        Vector          b(size);
        for (Index i = 0; i < size; ++i)
          {
            b(i) = missing(hits[zone[i]]);
            for (Index j = 0; j < size; ++j)
              W(i, j) =
                hits[zone[i]].touch.rate(hits[zone[j]].response.col(0))(0);
          }
        const Vector impulses = W.ldlt().solve(b);
        for (Index i = 0; i < size; ++i)
          push(hits[zone[i]], impulses(i) * Vector3::UnitX());
        for (Index i = 0; i < size; ++i)
          if (impulses(i) > 0.)
            rub(hits[zone[i]], impulses(i) * hits[zone[i]].mobility(0));
      }

    Vector change = Vector::Zero(before.size());
    for (Hit &hit : hits)
      {
        change += hit.response * hit.impulse;
        Contact &contact = hit.touch.contact;
        if (hit.impulse(0) <= 0.)
          contact.state = ContactState::open;
        contact.force = hit.touch.frame * hit.impulse / length;
        contact.gap   = hit.gap + length * hit.velocity(0);
        contact.slip  = length * (hit.velocity(1) * hit.touch.frame.col(1) +
                                 hit.velocity(2) * hit.touch.frame.col(2));
        found.push_back(contact);
      }
    after.unknowns.place += length * change;
    after.unknowns.rate += change;
    after.state = system.state(after.unknowns.place);
    motion.set(after);
    return result;
  }
} // namespace slender

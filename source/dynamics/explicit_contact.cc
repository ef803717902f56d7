// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/contact/contact_frame.h>
#include <slender/dynamics/explicit_contact.h>
#include <slender/dynamics/mass_matrix.h>
#include <slender/solvers/newton.h>
#include <slender/systems/kinematics.h>

#include <cmath>

namespace slender
{
  namespace
  {
    /// History (frames of rods) is renewed so often.
    constexpr long commit_every = 100;
  } // namespace

  ExplicitContact::ExplicitContact(System                     &the_system,
                                   const Obstacles            &the_obstacles,
                                   const double                the_drag,
                                   const double                the_part,
                                   std::function<void(double)> the_drive)
    : system(the_system)
    , obstacles(the_obstacles)
    , drag(the_drag)
    , part(the_part)
    , drive(std::move(the_drive))
    , points(touching_points(system))
    , stretch(obstacles.size(), Eigen::Matrix3Xd::Zero(3, points->size()))
  {
    MassOptions options;
    options.lumped     = true;
    options.rotary     = false;
    const auto inertia = system.kinetics(options);
    MassMatrix mass(system, *inertia, NewtonOptions().solver());
    mass.hold(system.initial_state());
    if (!inertia->is_linear() || !mass.is_diagonal())
      throw InputError("explicit steps need a mass at every node: a rod or a "
                       "shell whose unknowns are places",
                       "Model");
    inverse_mass = Vector::Zero(mass.diagonal().size());
    for (Index i = 0; i < inverse_mass.size(); ++i)
      if (mass.diagonal()(i) > 0.)
        inverse_mass(i) = 1. / mass.diagonal()(i);
  }

  void
  ExplicitContact::start(const Vector &place, const double time)
  {
    q    = place;
    now  = time;
    rate = Vector::Zero(q.size());
  }

  bool
  ExplicitContact::step(const double h)
  {
    // v+ = ((1 - h c/2) v- + h a)/(1 + h c/2),  x+ = x + h v+.
    const double damped = 1. / (1. + 0.5 * h * drag);
    const double unit   = system.energy_unit();
    const Vector force  = -unit * system.gradient(q);
    Vector       next   = damped * ((1. - 0.5 * h * drag) * rate +
                            h * inverse_mass.cwiseProduct(force));
    drive(now + h);
    found.clear();
    const Eigen::Matrix3Xd before = points->places(q);
    const Eigen::Matrix3Xd x      = points->places(q + h * next);
    for (std::size_t o = 0; o < obstacles.size(); ++o)
      {
        const Obstacle    &obstacle = obstacles[o];
        std::vector<Index> inside;
        for (Index i = 0; i < points->size(); ++i)
          if (obstacle.gap(x.col(i)) < 0.)
            inside.push_back(i);
          else
            stretch[o].col(i).setZero();
        const auto rates = points->rates(q, inside);
        for (std::size_t k = 0; k < inside.size(); ++k)
          {
            const Index   i = inside[k];
            const Vector3 n = obstacle.shape->normal(x.col(i) - obstacle.shift);
            const Vector3 moved =
              x.col(i) - before.col(i) - h * obstacle.velocity;
            double mobility = 0.;
            for (std::size_t u = 0; u < rates[k].unknowns.size(); ++u)
              if (const Index at = rates[k].unknowns[u]; at >= 0)
                mobility +=
                  inverse_mass(at) *
                  std::pow(rates[k].rates.col(static_cast<Index>(u)).dot(n), 2);
            const double m        = 1. / (mobility * damped);
            const double pressure = -m * obstacle.gap(x.col(i)) / (h * h);
            const double k_stick  = part * m / (h * h);
            Vector3      spring   = stretch[o].col(i);
            spring += moved - n * n.dot(moved);
            spring -= n * n.dot(spring);
            Vector3      friction = -k_stick * spring;
            const double most     = obstacle.friction * pressure;
            const bool   slips    = friction.norm() > most;
            if (slips)
              friction *= most / friction.norm();
            stretch[o].col(i) = -friction / k_stick;
            const Vector3 r   = pressure * n + friction;
            for (std::size_t u = 0; u < rates[k].unknowns.size(); ++u)
              if (const Index at = rates[k].unknowns[u]; at >= 0)
                next(at) += damped * h * inverse_mass(at) *
                            rates[k].rates.col(static_cast<Index>(u)).dot(r);
            found.push_back({i,
                             o,
                             0.,
                             n,
                             r,
                             spring,
                             slips ? ContactState::slip : ContactState::stick});
          }
      }
    rate = next;
    q += h * rate;
    now += h;
    // Springs were stretched to where points would have been without the forces
    // of this step, and are as long as points have gone.
    const Eigen::Matrix3Xd after = points->places(q);
    for (const Contact &contact : found)
      {
        const Index   i      = contact.point;
        const Vector3 pulled = after.col(i) - x.col(i);
        stretch[contact.obstacle].col(i) +=
          pulled - contact.normal * contact.normal.dot(pulled);
      }
    if (++steps % commit_every == 0)
      system.commit(q);
    return std::isfinite(rate.squaredNorm());
  }

  double
  ExplicitContact::stable_step() const
  {
    // The largest frequency, by powers of M^-1 K.
    Vector v(q.size());
    for (Index i = 0; i < v.size(); ++i)
      v(i) = inverse_mass(i) > 0. ? std::sin(1. + 2.39996 * i) : 0.;
    double largest = 0.;
    for (int i = 0; i < 300; ++i)
      {
        v.normalize();
        v = system.energy_unit() *
            inverse_mass.cwiseProduct(system.hessian_times(q, v));
        const double next = v.norm();
        const bool   done = std::abs(next - largest) < 1e-4 * next;
        largest           = next;
        if (done && i > 20)
          break;
      }
    return 2. / std::sqrt(1.02 * largest);
  }
} // namespace slender

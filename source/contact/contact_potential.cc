// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/contact/contact_potential.h>
#include <slender/systems/structure.h>

#include <cmath>

namespace slender
{
  ContactPotential::ContactPotential(const TouchingPoints &the_points,
                                     const Obstacles      &the_obstacles)
    : points(the_points)
    , obstacles(the_obstacles)
  {}

  void
  ContactPotential::join(const Structure &the_structure)
  {
    structure = &the_structure;
  }

  Vector3
  ContactPotential::trial(const Site &site, const Vector3 &x) const
  {
    const Vector3 a = site.multiplier - stiffness * (x - site.origin);
    return a - site.normal * site.normal.dot(a);
  }

  ContactPotential::Force
  ContactPotential::force(const Site &site, const Vector3 &x) const
  {
    Force result;
    result.pressure    = std::max(0.,
                               site.multiplier.dot(site.normal) -
                                 stiffness * obstacles[site.obstacle].gap(x));
    const Vector3 a    = trial(site, x);
    const double  size = a.norm();
    result.friction    = size > site.limit ? Vector3(site.limit / size * a) : a;
    result.state       = result.pressure <= 0. ? ContactState::open
                         : size > site.limit   ? ContactState::slip
                                               : ContactState::stick;
    return result;
  }

  ContactPotential::Pressing
  ContactPotential::pressing(const Eigen::Matrix3Xd &x) const
  {
    Pressing result;
    for (std::size_t i = 0; i < sites.size(); ++i)
      {
        const Force one = force(sites[i], x.col(sites[i].point));
        if (one.pressure > 0. || sites[i].limit > 0.)
          {
            result.sites.push_back(i);
            result.points.push_back(sites[i].point);
            result.forces.push_back(one);
          }
      }
    return result;
  }

  double
  ContactPotential::energy(const Vector &q) const
  {
    const Eigen::Matrix3Xd x   = points.places(q);
    double                 sum = 0.;
    for (const Site &site : sites)
      {
        const Vector3 at       = x.col(site.point);
        const double  l        = site.multiplier.dot(site.normal);
        const double  pressure = force(site, at).pressure;
        const double  size = trial(site, at).norm(), R = site.limit;
        sum += (pressure * pressure - l * l) / 2. +
               (size > R ? R * (size - 0.5 * R) : 0.5 * size * size);
      }
    return sites.empty() ? 0. : sum / (stiffness * structure->energy_unit());
  }

  void
  ContactPotential::add_gradient(const Vector &q, Vector &gradient) const
  {
    const Eigen::Matrix3Xd x     = points.places(q);
    const Pressing         press = pressing(x);
    const auto             rates = points.rates(q, press.points);
    for (std::size_t i = 0; i < rates.size(); ++i)
      {
        const Site     &site     = sites[press.sites[i]];
        const Obstacle &obstacle = obstacles[site.obstacle];
        const Vector3   normal =
          obstacle.shape->normal(x.col(site.point) - obstacle.shift);
        const Vector along = rates[i].rates.transpose() *
                             press.forces[i].along(normal) /
                             structure->energy_unit();
        for (std::size_t k = 0; k < rates[i].unknowns.size(); ++k)
          if (rates[i].unknowns[k] >= 0)
            gradient(rates[i].unknowns[k]) -= along(static_cast<Index>(k));
      }
  }

  void
  ContactPotential::add_hessian(const Vector &q, HessianSink &sink) const
  {
    const double           unit  = structure->energy_unit();
    const Eigen::Matrix3Xd x     = points.places(q);
    const Pressing         press = pressing(x);
    const auto             rates = points.rates(q, press.points);
    Eigen::Matrix3Xd       forces(3, static_cast<Index>(rates.size()));
    for (std::size_t i = 0; i < rates.size(); ++i)
      {
        const Site     &site              = sites[press.sites[i]];
        const Obstacle &obstacle          = obstacles[site.obstacle];
        const Force    &force             = press.forces[i];
        const Vector3   from              = x.col(site.point) - obstacle.shift;
        const Vector3   n                 = obstacle.shape->normal(from);
        forces.col(static_cast<Index>(i)) = force.along(n) / unit;

        Eigen::Matrix3d own = Eigen::Matrix3d::Zero();
        if (force.pressure > 0.)
          own += stiffness * n * n.transpose() -
                 force.pressure * obstacle.shape->curvature(from);
        const Vector3         a    = trial(site, x.col(site.point));
        const double          size = a.norm();
        const Eigen::Matrix3d tangents =
          Eigen::Matrix3d::Identity() - site.normal * site.normal.transpose();
        if (size <= site.limit)
          own += stiffness * tangents;
        else
          own += stiffness * site.limit / size *
                 (tangents - a * a.transpose() / (size * size));
        const Eigen::MatrixXd block =
          rates[i].rates.transpose() * own * rates[i].rates / unit;
        sink.add(rates[i].unknowns.data(), block.rows(), block.data());
      }
    points.add_load_hessian(q, press.points, forces, sink);
  }

  void
  ContactPotential::add_hessian_times(const Vector &q,
                                      const Vector &direction,
                                      Vector       &product) const
  {
    HessianMultiplier multiplier(direction);
    add_hessian(q, multiplier);
    product += multiplier.product();
  }
} // namespace slender

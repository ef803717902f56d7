// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/contact/landing.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace slender
{
  namespace
  {
    /// Springs of contacts over the body's own stiffness at a point: at first,
    /// at last, and from one balance to the next.
    constexpr double softest = 0.1, stiffest = 1., stiffer = 10.;

    /// Of tethers, relative to the diagonal of the Hessian, and by how much
    /// they are varied.
    constexpr double weakest = 1e-7, strongest = 1e3, stronger = 10.;

    constexpr int most_iterations = 60;

    /// A step after which Newton's method is near its end [dimensionless].
    constexpr double near_balance = 1e-5;

    /// Forces that change by no more, of the largest, are nearly right.
    constexpr double nearly = 0.1;

    /// Limits of friction follow the pressure for so many iterations, and then
    /// wait for a balance: they might go round in circles.
    constexpr int most_surveys = 4;
  } // namespace

  Landing::Landing(System               &the_system,
                   const TouchingPoints &the_points,
                   const Obstacles      &the_obstacles,
                   const LinearSolver    solver)
    : system(the_system)
    , points(the_points)
    , obstacles(the_obstacles)
    , structure(the_system)
    , potential(new ContactPotential(points, obstacles))
    , tether(new Tether)
    , exchange(system.layout())
    , tangent(structure, solver)
  {
    structure.add_term("contacts", std::unique_ptr<Term>(potential));
    structure.add_term("tether", std::unique_ptr<Term>(tether));
  }

  void
  Landing::place_sites(const Eigen::Matrix3Xd     &begin,
                       const std::vector<Contact> &guess_of_contacts,
                       const double                step_length)
  {
    potential->sites.clear();
    for (std::size_t o = 0; o < obstacles.size(); ++o)
      for (Index i = 0; i < points.size(); ++i)
        {
          ContactPotential::Site site;
          site.point    = i;
          site.obstacle = o;
          site.origin   = begin.col(i) + step_length * obstacles[o].velocity;
          potential->sites.push_back(site);
        }
    for (const Contact &one : guess_of_contacts)
      potential->sites[one.obstacle * points.size() + one.point].multiplier =
        one.force;
  }

  void
  Landing::measure(const Vector &q)
  {
    HessianDiagonal sink(system.layout().n_local());
    system.hessian(q, sink);
    const Vector       entries = exchange.accumulated(sink.diagonal);
    std::vector<Index> all(points.size());
    for (Index i = 0; i < points.size(); ++i)
      all[i] = i;
    // Those that stand still altogether tell nothing.
    std::array<double, 3> sums{0., 0., 0.};
    for (const TouchingPoints::Rates &one : points.rates(q, all))
      {
        double weighted = 0., squares = 0.;
        for (std::size_t k = 0; k < one.unknowns.size(); ++k)
          if (one.unknowns[k] >= 0)
            {
              const double square =
                one.rates.col(static_cast<Index>(k)).squaredNorm();
              weighted += std::abs(entries(one.unknowns[k])) * square;
              squares += square;
            }
        if (!(squares > 0.))
          continue;
        // In each of three directions the unknowns have a third of the squares.
        sums[0] += 3. * weighted / (squares * squares);
        sums[1] += weighted / squares;
        sums[2] += 1.;
      }
    MPI_Allreduce(MPI_IN_PLACE,
                  sums.data(),
                  3,
                  MPI_DOUBLE,
                  MPI_SUM,
                  system.layout().communicator);
    body_stiffness = system.energy_unit() * sums[0] / sums[2];
    diagonal       = sums[1] / sums[2];
  }

  void
  Landing::survey(const Vector &q)
  {
    const Eigen::Matrix3Xd x = points.places(q);
    for (ContactPotential::Site &site : potential->sites)
      {
        const Obstacle &obstacle = obstacles[site.obstacle];
        const Vector3   at       = x.col(site.point);
        site.normal              = obstacle.shape->normal(at - obstacle.shift);
        // Friction may be infinite, but not that of what does not press.
        const double pressure = potential->force(site, at).pressure;
        site.limit = pressure > 0. ? obstacle.friction * pressure : 0.;
      }
  }

  double
  Landing::take_forces(const Vector &q)
  {
    const Eigen::Matrix3Xd x = points.places(q);
    std::array<double, 2>  change_and_largest{0., 0.};
    for (ContactPotential::Site &site : potential->sites)
      {
        const Vector3 force =
          potential->force(site, x.col(site.point)).along(site.normal);
        change_and_largest[0] =
          std::max(change_and_largest[0], (force - site.multiplier).norm());
        change_and_largest[1] = std::max(change_and_largest[1], force.norm());
        site.multiplier       = force;
      }
    MPI_Allreduce(MPI_IN_PLACE,
                  change_and_largest.data(),
                  2,
                  MPI_DOUBLE,
                  MPI_MAX,
                  system.layout().communicator);
    const auto [change, largest] = change_and_largest;
    return largest > 0. ? change / largest : 0.;
  }

  double
  Landing::energy(const Vector &q) const
  {
    // Not that of the tether, which is none of the body's.
    return sum_over_ranks(system.layout(),
                          system.energy(q) + potential->energy(q));
  }

  bool
  Landing::step_from(const Vector &q, const Vector &gradient, Vector &step)
  {
    const Vector owned = q.head(system.layout().n_owned());
    strength           = strength > weakest ? strength / stronger : 0.;
    for (; strength < strongest;
         strength = std::max(weakest, stronger * strength))
      {
        tether->tie(owned, strength * diagonal);
        tangent.hold_hessian(q);
        if (tangent.inertia().negative == 0)
          return tangent.solve(-gradient, step);
      }
    return false;
  }

  double
  Landing::part_of(const Vector &step,
                   const Vector &q,
                   const Vector &gradient) const
  {
    constexpr double shortest = 1e-6, enough = 1e-4, round_off = 1e-13;
    const double     slope = exchange.product(gradient, step);
    const double     here  = energy(q);
    double           part  = 1.;
    while (part > shortest &&
           !(energy(q + part * step) <=
             here + enough * part * slope + round_off * std::abs(here)))
      part /= 2.;
    return part;
  }

  std::vector<Contact>
  Landing::contacts(const Vector &q) const
  {
    const Eigen::Matrix3Xd x = points.places(q);
    std::vector<Contact>   result;
    for (const ContactPotential::Site &site : potential->sites)
      {
        const Vector3                 at    = x.col(site.point);
        const ContactPotential::Force force = potential->force(site, at);
        const Vector3                 way   = at - site.origin;
        if (force.state != ContactState::open)
          result.push_back({site.point,
                            site.obstacle,
                            obstacles[site.obstacle].gap(at),
                            site.normal,
                            force.along(site.normal),
                            way - site.normal * site.normal.dot(way),
                            force.state});
      }
    return result;
  }

  Landing::Result
  Landing::search(const Vector               &guess,
                  const Eigen::Matrix3Xd     &begin,
                  const std::vector<Contact> &guess_of_contacts,
                  const double                step_length)
  {
    place_sites(begin, guess_of_contacts, step_length);
    measure(guess);
    potential->stiffness = softest * body_stiffness;
    strength             = 0.;
    Result result;
    result.q     = guess;
    int surveyed = 0;
    for (; result.iterations < most_iterations && !result.converged;
         ++result.iterations)
      {
        if (surveyed++ < most_surveys)
          survey(result.q);
        const Vector gradient =
          exchange.accumulated(structure.gradient(result.q));
        Vector step;
        if (!step_from(result.q, gradient, step))
          break;
        const double part = part_of(step, result.q, gradient);
        result.q += part * step;
        if (part < 1. || strength > 0. ||
            root_mean_square(system.layout(), step) > near_balance)
          continue;
        survey(result.q);
        surveyed         = 0;
        result.converged = take_forces(result.q) <= nearly;
        potential->stiffness =
          std::min(stiffest * body_stiffness, stiffer * potential->stiffness);
      }
    result.contacts = contacts(result.q);
    return result;
  }
} // namespace slender

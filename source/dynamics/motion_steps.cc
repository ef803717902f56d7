// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/dynamics/motion.h>
#include <slender/dynamics/motion_implementation.h>

#include <cmath>

namespace slender
{
  namespace
  {
    /// For as long as this lives the system has damping in its own energy, if
    /// it can.
    class JoinedDamping
    {
    public:
      JoinedDamping(const Dissipation *the_damping,
                    StepPotential     &the_potential)
        : damping(the_damping)
        , potential(the_potential)
      {
        potential.is_joined =
          damping && damping->join(potential.strains.origin,
                                   potential.strains.rate,
                                   1. / potential.divisor());
      }

      ~JoinedDamping()
      {
        if (potential.is_joined)
          damping->leave();
        potential.is_joined = false;
      }

      JoinedDamping(const JoinedDamping &) = delete;
      JoinedDamping &
      operator=(const JoinedDamping &) = delete;

    private:
      const Dissipation *damping;
      StepPotential     &potential;
    };
  } // namespace

  Motion::Step
  Motion::step(const double length)
  {
    Implementation &self = *implementation;
    return self.is_explicit() ? self.explicit_step(length)
                              : self.implicit_step(length);
  }

  Motion::Step
  Motion::Implementation::implicit_step(const double h)
  {
    const Vector  q    = now.unknowns.place;
    const Instant y    = of_coordinates(h);
    potential->springs = integrator.springs(y, h);

    const double part        = integrator.balance_time();
    const bool   is_midpoint = part < 1.;
    if (is_midpoint)
      potential->midpoint_of = q;
    if (dissipation)
      {
        Vector earlier;
        if (!is_midpoint)
          earlier =
            before([&](const Vector &at) { return dissipation->strains(at); });
        potential->strains = backward_difference(dissipation->strains(q),
                                                 earlier,
                                                 part * h,
                                                 now.unknowns.step_before);
      }
    const Vector previous = system.full_state(q);

    go_to(now.time + part * h);
    if (options.damping.beta != 0.)
      {
        // At the present loads: it is the body's own forces whose rate damps.
        const bool has_earlier = now.unknowns.before.size() > 0 &&
                                 integrator.order() == 2 && !is_midpoint;
        const Vector earlier =
          has_earlier ? system.gradient(now.unknowns.before) : Vector();
        potential->forces = backward_difference(system.gradient(q),
                                                earlier,
                                                part * h,
                                                now.unknowns.step_before);
      }
    // A straight line through the last two places; a parabola with the last
    // change of rates for methods that damp, whose rates are smooth.
    Vector guess = q;
    if (const Instant &x = now.unknowns; x.before.size() > 0)
      {
        const double ahead = part * h, back = x.step_before;
        guess += ahead / back * (q - x.before);
        if (integrator.damps_everything())
          guess +=
            0.5 * ahead * (ahead + back) / back * (x.rate - x.rate_before);
        // Not through anything that is in the way.
        const double longest = stepping.longest_step(q, guess - q);
        if (longest < 1.)
          guess = q + longest * (guess - q);
      }
    const Equilibrium found = [&] {
      // In the middle of a step their rate is none of an energy.
      const JoinedDamping joined(is_midpoint ? nullptr : dissipation.get(),
                                 *potential);
      // A step that ends above where it began has lost its way, to a state
      // that is balanced but no minimum.
      const auto is_above = [&](const Vector &there, const Vector &here) {
        const auto energy = [&](const Vector &at) {
          stepping.survey(at);
          return sum(stepping.energy(at));
        };
        constexpr double round_off = 1e-12;
        const double     of_here   = energy(here);
        return energy(there) > of_here + round_off * std::abs(of_here);
      };
      const auto search = [&](const Vector &from) {
        Equilibrium result = options.search
                               ? options.search(stepping, q, from, previous, h)
                               : newton.search(from, previous);
        if (options.newton.anticipates && !is_midpoint &&
            stepping.has_potential() && result.converged() &&
            is_above(result.q, q))
          result.outcome = Outcome::too_many_iterations;
        return result;
      };
      Equilibrium result = search(guess);
      if (!result.converged() && now.unknowns.before.size() > 0)
        {
          const int spent = result.iterations;
          result          = search(q);
          result.iterations += spent;
        }
      return result;
    }();
    Step result;
    result.outcome    = found.outcome;
    result.iterations = found.iterations;
    if (!found.converged())
      {
        go_to(now.time);
        return result;
      }

    Instant next;
    if (inertia->is_linear())
      next = integrator.arrived(now.unknowns, found.q, h);
    else
      {
        // In coordinates, and back to the rates that the unknowns can have.
        const Instant moved =
          integrator.arrived(y, inertia->coordinates(found.q), h);
        next.place       = found.q;
        next.before      = q;
        next.rate_before = now.unknowns.rate;
        next.step_before = h;
        mass.hold(found.q);
        const double  time = now.time + h;
        const Carried support =
          carried(found.q, Vector::Zero(q.size()), time, h, time);
        next.rate = mass.projected(found.q, moved.rate - support.rate);
        const Vector second =
          (drive ? carried(found.q, next.rate, time, h, time).second
                 : Vector(Vector::Zero(moved.rate.size()))) +
          inertia->second_rates(found.q, next.rate);
        next.second   = mass.projected(found.q, moved.second - second);
        next.balanced = mass.projected(found.q, moved.balanced - second);
      }
    arrive(std::move(next), h);
    const Vector error =
      inertia->rates(q,
                     integrator.local_error(last->unknowns, now.unknowns, h));
    const double m = sum(inertia->masses().sum());
    result.error =
      std::sqrt(sum(error.dot(inertia->masses().cwiseProduct(error))) / m);
    return result;
  }

  Motion::Step
  Motion::Implementation::explicit_step(const double h)
  {
    // v_half = v + h/2 a,  x = x + h v_half,  v = v_half + h/2 a.
    const Instant &x = now.unknowns;
    Instant        next;
    const Vector   half = x.rate + 0.5 * h * x.second;
    next.place          = x.place + h * half;
    next.before         = x.place;
    next.rate_before    = x.rate;
    next.step_before    = h;
    const Vector strains =
      dissipation ? dissipation->strains(x.place) : Vector();
    go_to(now.time + h);
    const double unit = system.energy_unit();
    const Vector g    = system.gradient(next.place);
    Vector       b    = -unit * g;
    if (options.damping.beta != 0.)
      b -= unit * options.damping.beta / h * (g - system.gradient(x.place));
    if (dissipation)
      dissipation->add_gradient(next.place, strains, 1. / h, -unit, b);
    mass.hold(next.place);
    next.second   = mass.solve(b) - options.damping.alpha * half;
    next.rate     = half + 0.5 * h * next.second;
    next.balanced = next.second;
    Step       result;
    const bool is_finite =
      std::isfinite(sum(next.place.squaredNorm() + next.rate.squaredNorm()));
    if (!is_finite)
      {
        go_to(now.time);
        result.outcome = Outcome::not_finite;
        return result;
      }
    arrive(std::move(next), h);
    const Vector error =
      inertia->rates(now.unknowns.place,
                     integrator.local_error(last->unknowns, now.unknowns, h));
    result.error =
      std::sqrt(sum(error.dot(inertia->masses().cwiseProduct(error))) /
                sum(inertia->masses().sum()));
    return result;
  }

  void
  Motion::Implementation::arrive(Instant unknowns, const double h)
  {
    last         = now;
    now.time     = last->time + h;
    now.unknowns = std::move(unknowns);
    go_to(now.time);
    const Vector spin_before =
      inertia->frame_rates(now.unknowns.place, now.unknowns.rate);
    if (system.commit(now.unknowns.place))
      {
        // Frames are carried from elsewhere: the same motion has other rates.
        const Vector change =
          spin_before -
          inertia->frame_rates(now.unknowns.place, now.unknowns.rate);
        mass.hold(now.unknowns.place);
        now.unknowns.rate += mass.projected(now.unknowns.place, change);
        // Rates of before are not comparable any more.
        now.unknowns.before.resize(0);
        now.unknowns.rate_before.resize(0);
      }
    now.state = system.state(now.unknowns.place);
    if (options.keeps_accounts)
      account(*last, h);
  }
} // namespace slender

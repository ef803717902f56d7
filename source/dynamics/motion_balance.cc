// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/dynamics/motion.h>
#include <slender/dynamics/motion_implementation.h>
#include <slender/solvers/petsc.h>

namespace slender
{
  void
  Motion::Implementation::account(const MotionState &from, const double h)
  {
    const Vector &q0 = from.unknowns.place, &q1 = now.unknowns.place;
    const double  unit  = system.energy_unit();
    const Vector  dq    = q1 - q0;
    double        spent = 0., work = 0.; // this rank's parts

    // Along the chord of the step.
    const Vector y1              = inertia->coordinates(q1);
    double       explicit_change = 0.;
    Vector       y0, strains_0, y0_at_end, strains_0_at_end;
    if (drive)
      {
        // What changes at a fixed state is work of what drives: half of it at
        // the old state and half of it at the new one.
        const double e01 = system.energy(q0), e11 = system.energy(q1);
        y0_at_end = inertia->coordinates(q0);
        if (dissipation)
          strains_0_at_end = dissipation->strains(q0);
        go_to(from.time);
        const double e00 = system.energy(q0), e10 = system.energy(q1);
        y0 = inertia->coordinates(q0);
        if (dissipation)
          strains_0 = dissipation->strains(q0);
        go_to(now.time);
        explicit_change = 0.5 * unit * (e01 - e00 + e11 - e10);
        // What carries masses accelerates them.
        const Vector v1 =
          inertia->rates(q1, now.unknowns.rate) +
          carried(q1, now.unknowns.rate, now.time, h, now.time).rate;
        const Vector v0 =
          inertia->rates(q0, from.unknowns.rate) +
          carried(q0, from.unknowns.rate, from.time, h, now.time).rate;
        work +=
          (y0_at_end - y0).dot(inertia->masses().cwiseProduct((v1 - v0) / h));
      }
    else
      {
        y0 = inertia->coordinates(q0);
        if (dissipation)
          strains_0 = dissipation->strains(q0);
      }
    work += explicit_change;
    if (dissipation)
      {
        const Vector rate = (dissipation->strains(q1) - strains_0) / h;
        spent += h * unit * dissipation->power(rate);
        if (drive)
          {
            // What strains because supports move is driven(e').D'(e'), by
            // polarisation; not quite so for a power law.
            const Vector driven = (strains_0_at_end - strains_0) / h;
            work += 0.5 * h * unit *
                    (dissipation->power(rate + driven) -
                     dissipation->power(rate) - dissipation->power(driven));
          }
      }
    if (options.damping.alpha != 0.)
      spent +=
        options.damping.alpha * 2. * h * inertia->kinetic_energy((y1 - y0) / h);
    if (options.damping.beta != 0.)
      spent += options.damping.beta / h * unit *
               (system.gradient(q1) - system.gradient(q0)).dot(dq);
    now.dissipated = from.dissipated + sum(spent);
    now.work       = from.work + sum(work);
  }

  MotionEnergies
  Motion::energies() const
  {
    Implementation &self = *implementation;
    const auto     &x    = self.now.unknowns;
    MotionEnergies  result;
    const double    h = x.step_before > 0. ? x.step_before : 1.;
    const Vector    rates =
      self.inertia->rates(x.place, x.rate) +
      self.carried(x.place, x.rate, self.now.time, h, self.now.time).rate;
    result.kinetic = self.sum(self.inertia->kinetic_energy(rates));
    result.potential =
      self.system.energy_unit() * self.sum(self.system.energy(x.place));
    result.dissipated = self.now.dissipated;
    result.work       = self.now.work;
    return result;
  }

  Kinetics::Moments
  Motion::moments() const
  {
    Implementation &self = *implementation;
    const auto     &x    = self.now.unknowns;
    const double    h    = x.step_before > 0. ? x.step_before : 1.;
    const Vector    rates =
      self.inertia->rates(x.place, x.rate) +
      self.carried(x.place, x.rate, self.now.time, h, self.now.time).rate;
    return sum_over_ranks(self.system.layout(),
                          self.inertia->moments(x.place, rates));
  }

  Vector3
  Motion::Implementation::momentum(const MotionState &moment)
  {
    const Instant &x = moment.unknowns;
    const double   h = x.step_before > 0. ? x.step_before : 1.;
    const Vector   support =
      carried(x.place, x.rate, moment.time, h, moment.time).rate;
    go_to(moment.time);
    const Vector rates = inertia->rates(x.place, x.rate) + support;
    return sum_over_ranks(system.layout(), inertia->moments(x.place, rates))
      .linear_momentum;
  }

  Vector3
  Motion::inertial_force() const
  {
    Implementation &self = *implementation;
    if (!self.last)
      return Vector3::Zero();
    const Vector3 before = self.momentum(*self.last);
    const Vector3 now    = self.momentum(self.now);
    return (before - now) / self.now.unknowns.step_before -
           self.options.damping.alpha * now;
  }

  double
  Motion::residual() const
  {
    Implementation               &self = *implementation;
    petsc::Owned<Vec, VecDestroy> v;
    *&v = petsc::create_vector(self.system.layout());
    petsc::set_and_accumulate(v, self.system.gradient(self.now.unknowns.place));
    return root_mean_square(self.system.layout(), petsc::local_values(v));
  }
} // namespace slender

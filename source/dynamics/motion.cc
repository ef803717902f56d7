// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/dynamics/mass_matrix.h>
#include <slender/dynamics/motion.h>
#include <slender/dynamics/step_potential.h>
#include <slender/solvers/petsc.h>
#include <slender/systems/structure.h>

#include <cmath>
#include <optional>

namespace slender
{
  namespace
  {
    /// Over which part of a step the motion of supports is differentiated, on
    /// either side. Not less: a table has kinks, of which a step sees as much
    /// as it can resolve.
    constexpr double part_of_step = 0.5;

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

  struct Motion::Implementation
  {
    Implementation(System              &the_system,
                   const MotionOptions &the_options,
                   Drive                the_drive)
      : system(the_system)
      , options(the_options)
      , drive(std::move(the_drive))
      , integrator(options.integrator)
      , inertia(system.kinetics(options.inertia))
      , dissipation(options.damping.strain_rate.is_zero()
                      ? nullptr
                      : system.dissipation(options.damping.strain_rate))
      , mass(system, *inertia, options.newton.solver())
      , stepping(system)
      , potential(new StepPotential(system, *inertia, dissipation.get()))
      , newton(stepping, options.newton)
    {
      stepping.add_term("time step", std::unique_ptr<Term>(potential));
      potential->drag      = options.damping.alpha;
      potential->stiffness = options.damping.beta;
      check();
    }

    bool
    is_explicit() const
    {
      return options.integrator.kind == IntegratorKind::verlet;
    }

    void
    check();

    void
    go_to(const double time)
    {
      if (drive)
        drive(time);
    }

    double
    sum(const double value) const
    {
      return sum_over_ranks(system.layout(), value);
    }

    /// How coordinates move because supports do, at the place q and a time; the
    /// system is left at `back`.
    struct Carried
    {
      Vector rate, second;
    };
    Carried
    carried(const Vector &q,
            const Vector &rates,
            double        time,
            double        step,
            double        back);

    /// Those of the coordinates, now.
    Instant
    of_coordinates(double step);

    /// x'' by the balance of forces.
    Vector
    balanced_acceleration(const Vector &q,
                          const Vector &rates,
                          const Vector &carried_acceleration);

    /// Of a quantity at the place before, at its own time.
    template <class Function>
    Vector
    before(const Function &function)
    {
      if (now.unknowns.before.size() == 0 || integrator.order() == 1)
        return Vector();
      go_to(now.time - now.unknowns.step_before);
      Vector value = function(now.unknowns.before);
      go_to(now.time);
      return value;
    }

    Step
    implicit_step(double h);

    Step
    explicit_step(double h);

    /// Work and dissipation between two moments; the system is at the later.
    void
    account(const MotionState &last, double h);

    void
    arrive(Instant unknowns, double h);

    System                      &system;
    MotionOptions                options;
    Drive                        drive;
    Integrator                   integrator;
    std::unique_ptr<Kinetics>    inertia;
    std::unique_ptr<Dissipation> dissipation;
    MassMatrix                   mass;
    Structure                    stepping;
    StepPotential               *potential; ///< of that structure
    Newton                       newton;
    MotionState                  now;
    std::optional<MotionState>   last;
  };

  void
  Motion::Implementation::check()
  {
    const auto kind = options.integrator.kind;
    if (kind == IntegratorKind::implicit_midpoint && !inertia->is_linear())
      throw InputError("the implicit midpoint rule takes inertia of places "
                       "only; this rod has one of rotations too: set 'Rotary "
                       "inertia' to false, or choose another integrator",
                       "Time/Integrator");
    if (kind == IntegratorKind::verlet)
      {
        const std::string needs =
          "the explicit method needs a mass at every unknown and a mass matrix "
          "that is diagonal: ";
        if (!inertia->is_linear())
          throw InputError(needs + "not for this model", "Time/Integrator");
        mass.hold(system.initial_state());
        if (!mass.is_diagonal())
          throw InputError(needs + "set 'Lumped mass' to true",
                           "Time/Lumped mass");
        if (!mass.is_definite())
          throw InputError(needs + "the frames of this rod have none",
                           "Time/Integrator");
      }
    if (options.damping.beta != 0. && system.n_multipliers() > 0)
      throw InputError("Rayleigh's damping has no meaning for the forces with "
                       "which this model holds its end",
                       "Damping/Rayleigh beta");
  }

  Motion::Implementation::Carried
  Motion::Implementation::carried(const Vector &q,
                                  const Vector &rates,
                                  const double  time,
                                  const double  step,
                                  const double  back)
  {
    const auto n = inertia->masses().size();
    if (!drive)
      return {Vector::Zero(n), Vector::Zero(n)};
    const double e = part_of_step * step;
    struct Sample
    {
      Vector y, turning;
    };
    const auto sample = [&](const double t) {
      go_to(t);
      return Sample{inertia->coordinates(q),
                    inertia->is_linear() ? Vector::Zero(n)
                                         : inertia->rates(q, rates)};
    };
    const Sample before = sample(time - e), behind = sample(time + e),
                 here = sample(time);
    go_to(back);
    return {(behind.y - before.y) / (2. * e),
            (behind.y - 2. * here.y + before.y) / (e * e) +
              (behind.turning - before.turning) / e};
  }

  Instant
  Motion::Implementation::of_coordinates(const double step)
  {
    const Instant &x       = now.unknowns;
    const Carried  support = carried(x.place, x.rate, now.time, step, now.time);
    const Vector   turning = inertia->second_rates(x.place, x.rate);
    Instant        y;
    y.place    = inertia->coordinates(x.place);
    y.rate     = inertia->rates(x.place, x.rate) + support.rate;
    y.second   = inertia->rates(x.place, x.second) + turning + support.second;
    y.balanced = inertia->rates(x.place, x.balanced) + turning + support.second;
    y.step_before = x.step_before;
    if (options.integrator.kind == IntegratorKind::bdf2 && x.before.size() > 0)
      {
        const double time_before = now.time - x.step_before;
        go_to(time_before);
        y.before = inertia->coordinates(x.before);
        y.rate_before =
          inertia->rates(x.before, x.rate_before) + carried(x.before,
                                                            x.rate_before,
                                                            time_before,
                                                            x.step_before,
                                                            time_before)
                                                      .rate;
        go_to(now.time);
      }
    return y;
  }

  Vector
  Motion::Implementation::balanced_acceleration(
    const Vector &q,
    const Vector &rates,
    const Vector &carried_acceleration)
  {
    const double unit = system.energy_unit();
    Vector       b    = -unit * system.gradient(q);
    Vector       a    = inertia->second_rates(q, rates) + carried_acceleration;
    a += options.damping.alpha * inertia->rates(q, rates);
    inertia->pull_back(q, -inertia->masses().cwiseProduct(a), b);
    if (options.damping.beta != 0.)
      b -= unit * options.damping.beta * system.hessian_times(q, rates);
    if (dissipation)
      {
        // A short way along the motion.
        const double size = root_mean_square(system.layout(), rates);
        const double t    = size > 0. ? 1e-5 / size : 1.;
        const Vector here = dissipation->strains(q);
        const Vector rate = (dissipation->strains(q + t * rates) -
                             dissipation->strains(q - t * rates)) /
                            (2. * t);
        dissipation->add_gradient(q, here - rate, 1., -unit, b);
      }
    mass.hold(q);
    return mass.solve(b);
  }

  Motion::Motion(System &system, const MotionOptions &options, Drive drive)
    : implementation(
        std::make_unique<Implementation>(system, options, std::move(drive)))
  {}

  Motion::~Motion() = default;

  const MotionState &
  Motion::now() const
  {
    return implementation->now;
  }

  const Kinetics &
  Motion::inertia() const
  {
    return *implementation->inertia;
  }

  void
  Motion::start(const Vector  &q,
                const double   time,
                const Vector3 &velocity,
                const Vector3 &angular_velocity)
  {
    start(q, time, VelocityField::rigid(velocity, angular_velocity));
  }

  void
  Motion::start(const Vector &q, const double time, const VelocityField &field)
  {
    Implementation &self = *implementation;
    self.mass.hold(q);
    start(q, time, self.mass.projected(q, self.inertia->rates_in(q, field)));
  }

  void
  Motion::start(const Vector &q, const double time, const Vector &rates)
  {
    Implementation &self = *implementation;
    self.last.reset();
    self.now                 = MotionState();
    self.now.time            = time;
    self.now.state           = self.system.state(q);
    self.now.unknowns.place  = q;
    self.now.unknowns.rate   = rates;
    self.now.unknowns.second = Vector::Zero(q.size());
    if (self.integrator.needs_second())
      {
        // Supports may begin to move with a jerk: what they do is known from
        // the first step on.
        self.now.unknowns.second = self.balanced_acceleration(
          q, rates, Vector::Zero(self.inertia->masses().size()));
      }
    self.now.unknowns.balanced = self.now.unknowns.second;
  }

  void
  Motion::set(const MotionState &state)
  {
    Implementation &self = *implementation;
    self.last.reset();
    self.now = state;
    self.system.set_state(state.state);
  }

  void
  Motion::undo()
  {
    Implementation &self = *implementation;
    if (!self.last)
      throw std::logic_error("there is no step to take back");
    const MotionState state = *self.last;
    set(state);
    self.go_to(state.time);
  }

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
      }
    const Equilibrium found = [&] {
      // In the middle of a step their rate is none of an energy.
      const JoinedDamping joined(is_midpoint ? nullptr : dissipation.get(),
                                 *potential);
      const auto search = [&](const Vector &from) {
        return options.search ? options.search(stepping, q, from, previous, h)
                              : newton.search(from, previous);
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
    account(*last, h);
  }

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

  double
  Motion::stable_step()
  {
    Implementation &self   = *implementation;
    const Layout   &layout = self.system.layout();
    const Vector   &q      = self.now.unknowns.place;
    self.mass.hold(q);
    // Lanczos would need fewer steps, but this is asked once: a start that has
    // a part along every mode.
    Vector v(layout.n_local());
    for (Index i = 0; i < layout.n_owned(); ++i)
      v(i) = std::sin(1. + 2.39996 * (layout.begin + i));
    for (std::size_t g = 0; g < layout.ghosts.size(); ++g)
      v(layout.n_owned() + static_cast<Index>(g)) =
        std::sin(1. + 2.39996 * layout.ghosts[g]);
    double largest = 0.;
    for (int i = 0; i < 200; ++i)
      {
        v /= root_mean_square(layout, v);
        const Vector image = self.mass.solve(self.system.energy_unit() *
                                             self.system.hessian_times(q, v));
        const double next  = root_mean_square(layout, image);
        v                  = image;
        const bool done    = std::abs(next - largest) < 1e-4 * next;
        largest            = next;
        if (done && i > 20)
          break;
      }
    // It is reached from below.
    return largest > 0. ? 2. / std::sqrt(1.02 * largest)
                        : std::numeric_limits<double>::infinity();
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

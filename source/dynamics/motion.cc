// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/dynamics/motion.h>
#include <slender/dynamics/motion_implementation.h>

#include <cmath>

namespace slender
{
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
          throw InputError(needs +
                             "some unknowns of this model (frames of rods, "
                             "tilts of edges) have none",
                           "Time/Integrator");
      }
    if (options.damping.beta != 0. && system.n_multipliers() > 0)
      throw InputError("Rayleigh's damping has no meaning for the forces with "
                       "which this model holds its end",
                       "Damping/Rayleigh beta");
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

  void
  Motion::forget()
  {
    implementation->newton.tangent().forget();
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
} // namespace slender

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/interruption.h>
#include <slender/contact/passage.h>
#include <slender/dynamics/frictional_equilibrium.h>
#include <slender/dynamics/frictional_steps.h>
#include <slender/solvers/ghosts.h>
#include <slender/systems/kinematics.h>

#include <algorithm>
#include <cmath>

namespace slender
{
  namespace
  {
    constexpr int    most_steps      = 300;
    constexpr double growth          = 1.5;
    constexpr int    try_every       = 4; ///< steps: is it at rest?
    constexpr int    most_halvings   = 8;
    constexpr double first_time_step = 1e-3;
    constexpr double nudge           = 1e-6; ///< in the first step
    constexpr double resting         = 1e-9; ///< [rms of q]

    bool
    any_of_ranks(const Layout &layout, const bool mine)
    {
      int any = mine ? 1 : 0;
      MPI_Allreduce(
        MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, layout.communicator);
      return any > 0;
    }

    /// Whether points would have to pass through an obstacle.
    bool
    leads_through(const Layout         &layout,
                  const Obstacles      &obstacles,
                  const TouchingPoints &points,
                  const Vector         &from,
                  const Vector         &to,
                  const double          length)
    {
      return worst_passage(obstacles,
                           points.places(from),
                           points.places(to),
                           length,
                           layout.communicator)
               .kind == Passage::through;
    }
  } // namespace

  Settled
  settle(System          &system,
         const Obstacles &obstacles,
         MotionOptions    options,
         const Vector    &q,
         const double     first_step)
  {
    Obstacles still = obstacles;
    for (Obstacle &obstacle : still)
      obstacle.velocity.setZero();
    options.integrator.kind = IntegratorKind::implicit_euler;
    FrictionalSteps steps(system, still, options.newton);
    steps.starts_warm = true;
    options.search    = steps.search();
    Motion motion(system, options);
    // A little of everything, so that nothing stands on a knife's edge.
    const Layout &layout = system.layout();
    Vector        rates  = Vector::Zero(q.size());
    for (Index i = 0; i < layout.n_owned(); ++i)
      rates(i) = std::sin(1. + 2.39996 * (layout.begin + i));
    rates *= nudge * displacement_scale(system) / first_step;
    motion.start(q, 0., with_ghosts(layout, rates));
    FrictionalSearch at_rest(system, steps.points(), still, options.newton);

    Settled result;
    double  h    = first_step;
    int     good = 0;
    for (int i = 0; i < most_steps; ++i)
      {
        result.is_interrupted = interruption_requested(layout.communicator);
        if (result.is_interrupted)
          return result;
        const Vector       before = motion.now().unknowns.place;
        const Motion::Step step   = motion.step(h);
        result.iterations += step.iterations;
        // A step so long that its own balance is unstable leads to a saddle.
        const bool is_stable = step.converged() && steps.n_negative() == 0 &&
                               !leads_through(layout,
                                              still,
                                              steps.points(),
                                              before,
                                              motion.now().unknowns.place,
                                              0.);
        if (!is_stable)
          {
            if (step.converged())
              motion.undo();
            h /= 4.;
            if (h < 1e-9 * first_step)
              return result;
            continue;
          }
        h *= growth;
        if (++good % try_every != 0)
          continue;
        const Vector     &now   = motion.now().unknowns.place;
        const Equilibrium found = at_rest.search(now,
                                                 steps.points().places(now),
                                                 system.full_state(now),
                                                 steps.contacts());
        result.iterations += found.iterations;
        if (!found.converged())
          continue;
        const auto size = [&](const Vector &v) {
          return root_mean_square(layout, v);
        };
        // Where a body may slide at no cost, it is at rest when it does not.
        const bool rests = size(now - before) < resting &&
                           size(found.q - now) < resting &&
                           h > 1e3 * first_step;
        if (rests ||
            (size(found.q - now) < near_by && at_rest.n_negative() == 0))
          {
            result.converged = true;
            result.q         = found.q;
            result.contacts  = at_rest.contacts();
            return result;
          }
      }
    return result;
  }

  FrictionalEquilibrium::FrictionalEquilibrium(System          &the_system,
                                               const Obstacles &the_obstacles,
                                               const NewtonOptions &the_options,
                                               Drive                the_drive)
    : system(the_system)
    , obstacles(the_obstacles)
    , options(the_options)
    , drive(std::move(the_drive))
    , touching(touching_points(system))
    , frictional(std::make_unique<FrictionalSearch>(system,
                                                    *touching,
                                                    obstacles,
                                                    options))
  {}

  FrictionalEquilibrium::~FrictionalEquilibrium() = default;

  bool
  FrictionalEquilibrium::is_near_by(const Vector &q, const Equilibrium &one)
  {
    // It may lead to a saddle or through something, or nothing holds the body.
    if (!one.converged() || frictional->n_negative() > 0 ||
        leads_through(system.layout(),
                      obstacles,
                      *touching,
                      q,
                      one.q,
                      frictional->step_length))
      return false;
    // What slips far may have gone anywhere.
    if (root_mean_square(system.layout(), Vector(one.q - q)) <= near_by)
      return true;
    bool slips = false;
    for (const Contact &contact : frictional->contacts())
      slips = slips || contact.state == ContactState::slip;
    return !any_of_ranks(system.layout(), slips);
  }

  Equilibrium
  FrictionalEquilibrium::move_until_rest(const Vector &q)
  {
    MotionOptions how;
    how.newton         = options;
    how.inertia.rotary = false;
    const Settled rest = settle(system, obstacles, how, q, first_time_step);
    interrupted        = rest.is_interrupted;
    Equilibrium result;
    result.q       = q;
    result.outcome = Outcome::too_many_iterations;
    if (rest.converged)
      {
        // What is said of it later is said of this search.
        frictional->step_length = 0.;
        result                  = frictional->search(rest.q,
                                    touching->places(rest.q),
                                    system.full_state(rest.q),
                                    rest.contacts);
      }
    result.iterations += static_cast<int>(rest.iterations);
    return result;
  }

  Equilibrium
  FrictionalEquilibrium::go(const Vector &q, const double from, const double to)
  {
    found.clear();
    moved             = false;
    interrupted       = false;
    const State start = system.state(q);
    Equilibrium result;
    result.q              = q;
    double       part     = from;
    double       step     = to - from;
    const double shortest = std::ldexp(step, -most_halvings);
    int          spent    = 0;
    while (part < to)
      {
        const double next   = part + step > to - 1e-9 * step ? to : part + step;
        const State  before = system.state(result.q);
        drive(next);
        frictional->step_length = next - part;
        Equilibrium one         = frictional->search(result.q,
                                             touching->places(result.q),
                                             system.full_state(result.q),
                                             found);
        spent += one.iterations;
        bool good   = is_near_by(result.q, one);
        interrupted = interruption_requested(system.layout().communicator);
        if (!good && !interrupted)
          {
            system.set_state(before);
            step /= 2.;
            if (step >= shortest)
              continue;
            // Where it stands now it has no equilibrium near by. The state of
            // before had its own loads.
            step = shortest;
            drive(next);
            one = move_until_rest(result.q);
            spent += one.iterations;
            good  = one.converged();
            moved = true;
          }
        if (!good || interrupted)
          {
            drive(from);
            system.set_state(start);
            result.outcome    = Outcome::too_many_iterations;
            result.q          = start.q;
            result.iterations = spent;
            return result;
          }
        found  = frictional->contacts();
        result = one;
        part   = next;
        system.commit(result.q);
        step = std::min(2. * step, to - from);
      }
    result.iterations = spent;
    return result;
  }
} // namespace slender

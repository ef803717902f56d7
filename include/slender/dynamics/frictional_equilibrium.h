// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_dynamics_frictional_equilibrium_h
#define slender_dynamics_frictional_equilibrium_h

#include <slender/contact/frictional_search.h>
#include <slender/dynamics/motion.h>

#include <functional>
#include <memory>
#include <vector>

namespace slender
{
  /// An equilibrium is near by another one [root mean square of unknowns].
  constexpr double near_by = 1e-2;

  /// A body that has come to rest.
  struct Settled
  {
    bool                 converged      = false;
    bool                 is_interrupted = false; ///< the run is to end
    Vector               q;
    std::vector<Contact> contacts;
    long                 iterations = 0;
  };

  /**
   * Lets a body that touches obstacles move until it rests, in implicit Euler
   * steps that grow as long as they converge and so damp the motion more and
   * more; the end is an equilibrium near by. Obstacles do not move meanwhile.
   * Where the motion leads follows from friction, not from the equilibrium:
   * of several, it is one that can be reached.
   *
   * @param options of a motion; integrator and search are this function's own
   */
  Settled
  settle(System          &system,
         const Obstacles &obstacles,
         MotionOptions    options,
         const Vector    &q,
         double           first_step);

  /**
   * Equilibria of a body that touches obstacles, while loads rise and obstacles
   * move. Slip is measured from one accepted state to the next. A step that
   * does not converge is halved, and where that does not help (the body snaps,
   * or nothing holds it) a motion takes over until it rests.
   */
  class FrictionalEquilibrium
  {
  public:
    /// Sets loads and obstacles to a part between 0 and 1 of the way.
    using Drive = std::function<void(double part)>;

    /// All have to outlive it. Velocities of obstacles are per whole way.
    FrictionalEquilibrium(System              &system,
                          const Obstacles     &obstacles,
                          const NewtonOptions &options,
                          Drive                drive);
    ~FrictionalEquilibrium();

    /// From the equilibrium q at a part of the way to one at another. It is
    /// committed; a function of where it begins alone. One that fails, or that
    /// notices that the run is to end, leaves the system where it was.
    Equilibrium
    go(const Vector &q, double from, double to);

    const std::vector<Contact> &
    contacts() const
    {
      return found;
    }

    const TouchingPoints &
    points() const
    {
      return *touching;
    }

    /// Unstable directions of the state that was found last.
    Index
    n_negative()
    {
      return frictional->n_negative();
    }

    /// Whether a motion had to find it.
    bool
    has_moved() const
    {
      return moved;
    }

    /// Whether the last way ended because the run is to end.
    bool
    was_interrupted() const
    {
      return interrupted;
    }

  private:
    /// Whether the search that began at q has found what the body goes to
    /// without a motion.
    bool
    is_near_by(const Vector &q, const Equilibrium &one);

    /// Under the present loads.
    Equilibrium
    move_until_rest(const Vector &q);

    System                           &system;
    const Obstacles                  &obstacles;
    NewtonOptions                     options;
    Drive                             drive;
    std::unique_ptr<TouchingPoints>   touching;
    std::unique_ptr<FrictionalSearch> frictional;
    std::vector<Contact>              found;
    bool                              moved = false, interrupted = false;
  };
} // namespace slender

#endif

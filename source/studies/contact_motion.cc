// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/studies/contact_motion.h>

#include <algorithm>

namespace slender
{
  ContactMotion::ContactMotion(System              &the_system,
                               RodContact          &the_contact,
                               const MotionOptions &options,
                               const Steps         &the_steps,
                               Motion::Drive        drive)
    : next_length(the_steps.first)
    , system(the_system)
    , contact(the_contact)
    , steps(the_steps)
    , the_motion(system, options, std::move(drive))
  {}

  ContactMotion::Taken
  ContactMotion::advance(const double until)
  {
    Taken taken;
    while (true)
      {
        taken.length = std::min(next_length, until - time());
        // Newton's method begins with the list that a resumed run has.
        system.survey(place());
        contact.set_step(taken.length);
        const Motion::Step step = the_motion.step(taken.length);
        taken.iterations += step.iterations;
        if (step.converged() && !contact.has_passed_through())
          {
            next_length = std::min(steps.longest, steps.growth * next_length);
            return taken;
          }
        if (step.converged())
          the_motion.undo();
        // A search may have renewed the list of contacts.
        system.set_state(the_motion.now().state);
        ++taken.failed;
        next_length = 0.5 * taken.length;
        if (next_length < steps.smallest)
          {
            taken.succeeded = false;
            taken.why       = step.converged() ? "rods pass through each other"
                                               : to_string(step.outcome);
            return taken;
          }
      }
  }
} // namespace slender

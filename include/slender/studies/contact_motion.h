// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_contact_motion_h
#define slender_studies_contact_motion_h

#include <slender/contact/rod_contact.h>
#include <slender/dynamics/motion.h>

#include <string>

namespace slender
{
  /**
   * Rods that touch, in motion: a time step that does not converge, or in which
   * rods would pass through each other, is taken back and halved; after that
   * steps grow again.
   */
  class ContactMotion
  {
  public:
    struct Steps
    {
      double first = 1e-3, longest = 1e-3, smallest = 1e-7;
      double growth = 2.;
    };

    ContactMotion(System              &system,
                  RodContact          &contact,
                  const MotionOptions &options,
                  const Steps         &steps,
                  Motion::Drive        drive = {});

    struct Taken
    {
      bool        succeeded  = true;
      double      length     = 0.;
      int         iterations = 0; ///< those of steps that failed, too
      int         failed     = 0; ///< steps that were halved
      std::string why;            ///< it did not succeed
    };

    /// One step, not beyond a time.
    Taken
    advance(double until);

    Motion &
    motion()
    {
      return the_motion;
    }

    const Vector &
    place() const
    {
      return the_motion.now().unknowns.place;
    }

    double
    time() const
    {
      return the_motion.now().time;
    }

    /// Of the next step: with the motion's moment all that the future depends
    /// on.
    double next_length;

  private:
    System     &system;
    RodContact &contact;
    Steps       steps;
    Motion      the_motion;
  };
} // namespace slender

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_pressed_strip_h
#define slender_studies_pressed_strip_h

#include <slender/contact/frictional_search.h>
#include <slender/systems/system.h>

#include <array>
#include <cmath>
#include <memory>

namespace slender
{
  /**
   * The body of the Stick-Slip protocol: a strip that is clamped at the origin
   * along x, and a rough floor across x that is pushed against its tip. It
   * bends in the plane of x and z; its length is one. The system has a
   * parameter "gravity" that acts along z.
   *
   * Quasi-static: each step is an equilibrium with the forces of contact, and
   * a step that does not converge is taken back.
   */
  class PressedStrip
  {
  public:
    PressedStrip(System &system, const NewtonOptions &options);

    /// Buckles to the side of positive z: a load from the side bends it, its
    /// tip is put back under the clamp, and the load is taken away. False if
    /// that fails.
    bool
    buckle(double epsilon, double side_load);

    /// Where it stands, as a value.
    struct Place
    {
      double               epsilon = 0.; ///< how far the floor was pushed
      State                state;
      std::vector<Contact> contacts;
    };

    Place
    place() const;

    void
    set(const Place &place);

    /// Of the floor; an infinite one does not let the tip slip at all.
    void
    set_friction(double coefficient);

    /// Pushes the floor in one step. One that does not converge leaves
    /// everything as it was.
    Equilibrium
    press(double epsilon);

    /// Which steps are taken.
    enum class Steps
    {
      any,      ///< all that converge
      sticking, ///< nothing slips
      stable    ///< to a stable state near by: not where it would have to snap
    };

    /// In as many steps as it takes, but none shorter than `shortest`. Ends at
    /// a step that is not to be taken, with all as before it, where too many
    /// had to be cut, and once the run is to end. Returns whether epsilon was
    /// reached.
    bool
    press_in_steps(double epsilon,
                   double longest,
                   double shortest,
                   Steps  which);

    /// Forces of the floor on the strip, on all ranks.
    struct Forces
    {
      double thrust = 0., friction = 0.; ///< the latter along z
      Index  sticking = 0, slipping = 0; ///< contacts
      Index  beyond_tip = 0;             ///< contacts other than the tip's
      double length     = 0.; ///< from the farthest of them to the tip

      double
      ratio() const
      {
        return thrust > 0. ? std::abs(friction) / thrust : 0.;
      }
    };

    Forces
    forces() const;

    /// How far the tip has gone along the floor.
    double
    tip_displacement() const;

    double
    epsilon() const
    {
      return pushed;
    }

    const Vector &
    state() const
    {
      return q;
    }

    /// Eigenvalues of the wrong sign where it stands, see FrictionalSearch.
    Index
    n_negative()
    {
      press(pushed);
      return frictional.n_negative();
    }

    const TouchingPoints &
    points() const
    {
      return *touching;
    }

    Obstacles &
    floor()
    {
      return obstacles;
    }

    /// Newton's iterations so far.
    long
    iterations() const
    {
      return all_iterations;
    }

    /// Pushes the floor, whatever the strip does; take() is to follow.
    void
    push(double epsilon);

    /// Takes a state that was found by other means (a motion) as where it
    /// stands.
    void
    take(const Vector &q, const std::vector<Contact> &contacts);

  private:
    void
    push_floor(double epsilon);

    /// Whether the step from a place, after which it stands here, is to be
    /// taken.
    bool
    is_welcome(const Place &before, Steps which);

    System                         &system;
    std::unique_ptr<TouchingPoints> touching;
    Obstacles                       obstacles;
    FrictionalSearch                frictional;
    Vector                          q;
    std::vector<Contact>            contacts;
    std::vector<bool>               is_tip;   ///< of the points
    Eigen::Matrix3Xd                straight; ///< places at first
    double                          pushed         = 0.;
    long                            all_iterations = 0;
  };
} // namespace slender

#endif

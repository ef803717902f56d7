// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_dynamics_frictional_steps_h
#define slender_dynamics_frictional_steps_h

#include <slender/contact/frictional_search.h>
#include <slender/dynamics/motion.h>

#include <memory>
#include <vector>

namespace slender
{
  /**
   * Time steps of a body that touches obstacles, for Motion. Step by step
   * (Moreau, Jean) gaps and slips at a step's end obey Signorini and Coulomb
   * together with the balance of momentum over the step, without any need to
   * know when in between a point has touched: impacts lose what they can.
   *
   * Gaps are those of places and not of velocities, so that nothing sinks in.
   */
  class FrictionalSteps
  {
  public:
    /// All have to outlive it. Where obstacles are at a step's end, the drive
    /// of the motion says.
    FrictionalSteps(const System        &body,
                    const Obstacles     &obstacles,
                    const NewtonOptions &options);
    ~FrictionalSteps();

    /// The search of MotionOptions; it refers to this.
    StepSearch
    search();

    /// At the end of the last step that converged.
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

    /// Motion::residual() with the forces of the contacts that were found last:
    /// how far the body is from an equilibrium among its obstacles.
    double
    residual(System &body, const Vector &q) const;

    /// Of the last step, see FrictionalSearch.
    Index
    n_negative()
    {
      return frictional ? frictional->n_negative() : 0;
    }

    struct Statistics
    {
      long   searches = 0, contact_iterations = 0, landings = 0, condensed = 0;
      double seconds_in_contacts = 0., seconds = 0.;
    };

    Statistics
    statistics() const;

    /// Searches start from the forces of the step before; else from those that
    /// hold the body where the step begins, so that a step is a function of
    /// where it begins alone.
    bool starts_warm = false;

    /// See FrictionalSearch.
    double viscosity = 0.;

  private:
    const Obstacles                  &obstacles;
    NewtonOptions                     options;
    std::unique_ptr<TouchingPoints>   touching;
    std::unique_ptr<FrictionalSearch> frictional; ///< once there is a step
    std::vector<Contact>              found;
    Statistics                        counts;
  };
} // namespace slender

#endif

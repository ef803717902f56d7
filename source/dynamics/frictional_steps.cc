// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/dynamics/frictional_steps.h>
#include <slender/systems/kinematics.h>

namespace slender
{
  FrictionalSteps::FrictionalSteps(const System        &body,
                                   const Obstacles     &the_obstacles,
                                   const NewtonOptions &the_options)
    : obstacles(the_obstacles)
    , options(the_options)
    , touching(touching_points(body))
  {}

  FrictionalSteps::~FrictionalSteps() = default;

  StepSearch
  FrictionalSteps::search()
  {
    return [this](System       &stepping,
                  const Vector &begin,
                  const Vector &guess,
                  const Vector &previous,
                  const double  length) {
      if (!frictional)
        frictional = std::make_unique<FrictionalSearch>(stepping,
                                                        *touching,
                                                        obstacles,
                                                        options);
      frictional->step_length = length;
      frictional->in_motion   = true;
      frictional->viscosity   = viscosity;
      Equilibrium result =
        frictional->search(guess,
                           touching->places(begin),
                           previous,
                           starts_warm ? found
                                       : frictional->borne(begin, length));
      ++counts.searches;
      counts.contact_iterations += frictional->contact_iterations();
      if (result.converged())
        found = frictional->contacts();
      return result;
    };
  }

  FrictionalSteps::Statistics
  FrictionalSteps::statistics() const
  {
    Statistics result = counts;
    if (frictional)
      {
        result.seconds_in_contacts = frictional->times().contacts;
        result.landings            = frictional->n_landings();
        result.seconds             = frictional->times().all;
      }
    return result;
  }
} // namespace slender

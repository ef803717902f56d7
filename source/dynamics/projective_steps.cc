// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/dynamics/projective_steps.h>

namespace slender
{
  ProjectiveSteps::ProjectiveSteps(const System            &the_body,
                                   const ProjectiveOptions &the_options)
    : body(the_body)
    , options(the_options)
  {}

  ProjectiveSteps::~ProjectiveSteps() = default;

  MotionOptions
  ProjectiveSteps::motion_options()
  {
    MotionOptions motion;
    motion.integrator.kind      = IntegratorKind::implicit_euler;
    motion.inertia.lumped       = true;
    motion.newton.linear_solver = options.linear_solver;
    motion.search               = search();
    return motion;
  }

  StepSearch
  ProjectiveSteps::search()
  {
    return [this](System       &stepping,
                  const Vector &begin,
                  const Vector &,
                  const Vector &,
                  const double step_length) {
      if (!projective)
        {
          NewtonOptions named;
          named.linear_solver = options.linear_solver;
          projective =
            std::make_unique<ProjectiveSearch>(stepping, body, named.solver());
        }
      if (step_length != length)
        projective->renew();
      length = step_length;
      // Not from where a line or a parabola through earlier steps leads: a mode
      // that has only come closer by a factor 1 - e in a step would be thrown
      // further away each time.
      const Equilibrium found =
        projective->search(begin, options.iterations, options.tolerance);
      iterations_done += found.iterations;
      return found;
    };
  }
} // namespace slender

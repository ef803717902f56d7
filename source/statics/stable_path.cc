// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/stable_path.h>

#include <algorithm>

namespace slender
{
  namespace
  {
    /// A load step that Newton's method finds hard is often one to a state that
    /// does not exist: to go downhill is faster than to insist.
    NewtonOptions
    impatient(NewtonOptions options)
    {
      options.max_step_cuts  = std::min(options.max_step_cuts, 4);
      options.max_iterations = std::min(options.max_iterations, 20);
      return options;
    }

    /// What is stable in one direction may be unstable in another.
    constexpr int max_departures = 3;
  } // namespace

  StablePath::StablePath(System &the_system, const NewtonOptions &newton)
    : system(the_system)
    , solver(system, impatient(newton))
    , relaxation(system, impatient(newton))
    , q(system.initial_state())
  {}

  Equilibrium
  StablePath::move(const std::string &parameter, const double value)
  {
    Equilibrium found = solver.load(q, {{parameter, value}});
    int         spent = found.iterations;
    if (!found.converged())
      {
        system.set_parameter(parameter, value);
        found = relaxation.relax(found.q);
        spent += found.iterations;
      }
    for (int i = 0; i < max_departures && found.converged(); ++i)
      {
        if (solver.inertia(found.q).negative == 0)
          break;
        found = relaxation.leave(found.q);
        spent += found.iterations;
      }
    found.iterations = spent;
    if (found.converged())
      q = found.q;
    return found;
  }

  std::optional<Vector>
  StablePath::rate(const std::string &parameter)
  {
    return solver.rate(q, parameter);
  }
} // namespace slender

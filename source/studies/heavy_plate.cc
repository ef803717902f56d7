// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/studies/heavy_plate.h>

#include <algorithm>
#include <cmath>

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
  } // namespace

  HeavyPlate::HeavyPlate(std::unique_ptr<Model> plate,
                         const NewtonOptions   &newton)
    : model(std::move(plate))
    , solver(*model, impatient(newton))
    , relaxation(*model, impatient(newton))
    , q(model->initial_state())
  {}

  Equilibrium
  HeavyPlate::move(const std::string &parameter, const double value)
  {
    Equilibrium found = solver.load(q, {{parameter, value}});
    int         spent = found.iterations;
    if (!found.converged())
      {
        model->set_parameter(parameter, value);
        found = relaxation.relax(found.q);
        spent += found.iterations;
      }
    for (int i = 0; i < 3 && found.converged(); ++i)
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

  Equilibrium
  HeavyPlate::load_tilted(const double tilt, const double gravity)
  {
    move("gravity tilt", tilt);
    // The more it hangs down, the less it moves.
    for (const double part : {0.05, 0.15, 0.35, 0.65, 1.})
      move("gravity", part * gravity);
    return move("gravity tilt", 0.);
  }

  double
  HeavyPlate::lateral_displacement() const
  {
    const auto measured = model->measure(q);
    return std::max(std::abs(
                      find_measurement(measured, "bottom displacement z")),
                    std::abs(find_measurement(measured, "top displacement z")));
  }

  Drawing
  HeavyPlate::draw() const
  {
    return model->draw(q);
  }
} // namespace slender

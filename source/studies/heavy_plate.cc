// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/studies/heavy_plate.h>

#include <algorithm>
#include <cmath>

namespace slender
{
  HeavyPlate::HeavyPlate(std::unique_ptr<Model> plate,
                         const NewtonOptions   &newton)
    : model(std::move(plate))
    , path(*model, newton)
  {}

  Equilibrium
  HeavyPlate::move(const std::string &parameter, const double value)
  {
    return path.move(parameter, value);
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
    const auto measured = model->measure(path.state());
    return std::max(std::abs(
                      find_measurement(measured, "bottom displacement z")),
                    std::abs(find_measurement(measured, "top displacement z")));
  }

  Drawing
  HeavyPlate::draw() const
  {
    return model->draw(path.state());
  }
} // namespace slender

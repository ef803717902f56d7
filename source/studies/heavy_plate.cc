// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/table.h>
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
  HeavyPlate::tilt_and_load(const double tilt, const double gravity)
  {
    Equilibrium found = move("gravity tilt", tilt);
    // The more it hangs down, the less it moves.
    for (const double part : {0.05, 0.15, 0.35, 0.65, 1.})
      found = move("gravity", part * gravity);
    return found;
  }

  Equilibrium
  HeavyPlate::load_tilted(const double tilt, const double gravity)
  {
    tilt_and_load(tilt, gravity);
    return move("gravity tilt", 0.);
  }

  double
  lateral_displacement(const std::vector<Measurement> &measured)
  {
    return std::max(std::abs(
                      find_measurement(measured, "bottom displacement z")),
                    std::abs(find_measurement(measured, "top displacement z")));
  }

  double
  HeavyPlate::lateral_displacement() const
  {
    return slender::lateral_displacement(model->measure(path.state()));
  }

  double
  HeavyPlate::lean_of(const Vector &q) const
  {
    // A positive tilt turns gravity from -y towards -z.
    const auto measured = model->measure(q);
    return -(find_measurement(measured, "bottom displacement z") +
             find_measurement(measured, "top displacement z")) /
           2.;
  }

  double
  HeavyPlate::lean() const
  {
    return lean_of(path.state());
  }

  double
  HeavyPlate::lean_rate()
  {
    const auto rate = path.rate("gravity tilt");
    if (!rate)
      return Table::unknown;
    // A linear function of a shell's unknowns. Of a ribbon's it is one up to
    // third order, as its mirror image leans as far to the other side.
    constexpr double step   = 1e-4;
    const Vector     change = step * *rate;
    return (lean_of(path.state() + change) - lean_of(path.state() - change)) /
           (2. * step);
  }

  Drawing
  HeavyPlate::draw() const
  {
    return model->draw(path.state());
  }
} // namespace slender

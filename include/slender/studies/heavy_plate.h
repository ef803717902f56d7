// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_heavy_plate_h
#define slender_studies_heavy_plate_h

#include <slender/statics/stable_path.h>

#include <memory>
#include <string>

namespace slender
{
  /// A plate on its edge under one weight after the other, always in a stable
  /// equilibrium.
  class HeavyPlate
  {
  public:
    HeavyPlate(std::unique_ptr<Model> plate, const NewtonOptions &newton);

    /// See StablePath.
    Equilibrium
    move(const std::string &parameter, double value);

    /// As the recipe has it: tilted first, then loaded, then upright again, so
    /// that it falls to one side if it can.
    Equilibrium
    load_tilted(double tilt, double gravity);

    /// How far to the side the free end has gone, the farther of its corners
    /// "top" and "bottom".
    double
    lateral_displacement() const;

    Drawing
    draw() const;

  private:
    std::unique_ptr<Model> model;
    StablePath             path;
  };
} // namespace slender

#endif

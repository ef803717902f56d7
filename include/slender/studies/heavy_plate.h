// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_heavy_plate_h
#define slender_studies_heavy_plate_h

#include <slender/models/model.h>
#include <slender/statics/stable_path.h>

#include <memory>
#include <string>
#include <vector>

namespace slender
{
  /// How far to the side the free end of a plate has gone, the farther of its
  /// corners "top" and "bottom".
  double
  lateral_displacement(const std::vector<Measurement> &measured);

  /// A plate on its edge under one weight after the other, always in a stable
  /// equilibrium.
  class HeavyPlate
  {
  public:
    HeavyPlate(std::unique_ptr<Model> plate, const NewtonOptions &newton);

    /// See StablePath.
    Equilibrium
    move(const std::string &parameter, double value);

    /// Tilted first, then loaded, so that it falls to the side to which the
    /// tilt lets it.
    Equilibrium
    tilt_and_load(double tilt, double gravity);

    /// As the recipe has it: the same, and then upright again.
    Equilibrium
    load_tilted(double tilt, double gravity);

    double
    lateral_displacement() const;

    /**
     * How far to the side the free end has gone in the frame of the clamp, with
     * a sign: the mean of its corners, positive on the side to which a plate
     * without membrane forces would hang under a positive tilt.
     *
     * In linear theory in-plane forces couple bending with twisting; the mean,
     * unlike each corner, is an even function of them (up to the factor of the
     * lateral load), and so feels them in second order only.
     */
    double
    lean() const;

    /// Its derivative by the tilt under a constant weight [1/rad]; unknown
    /// where that is infinite.
    double
    lean_rate();

    Drawing
    draw() const;

  private:
    double
    lean_of(const Vector &q) const;

    std::unique_ptr<Model> model;
    StablePath             path;
  };
} // namespace slender

#endif
